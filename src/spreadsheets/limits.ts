/** Limits on the cost of a file. Apple's monthly file has 300,000 rows, which unpack to 82 MB. */
export const sheetLimits = {
  /** Excel's own limit. */
  rows: 1_048_576,
  /** Cells further to the right are not read. */
  columns: 64,
  /** Excel's own limit. */
  cellCharacters: 32_767,
  /** The size of the sheet. */
  unpackedBytes: 512 * 1024 * 1024,
  /** A part that unpacks to more than this many times its size is a zip bomb. */
  ratio: 100,
  /** Below this size the ratio does not matter. */
  smallBytes: 4 * 1024 * 1024,
  /** Parts of the archive. */
  entries: 2_000,
  /** The workbook and its relationships. */
  indexBytes: 1024 * 1024,
  /** Shared texts are all in memory. */
  sharedTexts: 600_000,
  sharedCharacters: 24_000_000,
} as const;
