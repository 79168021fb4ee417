/** What a text table may cost. A table with a column for each day has 3,653 in ten years. */
export const textLimits = {
  columns: 4_000,
  /** Of one line, and of a quoted cell with line breaks. */
  lineCharacters: 1_000_000,
  chunkBytes: 64 * 1024,
} as const;
