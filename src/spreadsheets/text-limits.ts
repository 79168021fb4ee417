/** Limits on the cost of a text table, which has 3,653 columns for ten years of days. */
export const textLimits = {
  columns: 4_000,
  /** A line, or a quoted cell with line breaks. */
  lineCharacters: 1_000_000,
  chunkBytes: 64 * 1024,
} as const;
