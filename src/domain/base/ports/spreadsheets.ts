/** A stored file that is read in any order. */
export interface StoredFile {
  readonly bytes: number;
  /** The bytes from `start` to before `end`. */
  read(start: number, end: number): Promise<Buffer>;
}

export interface SheetRow {
  /** The line in the sheet, counted from 1. */
  line: number;
  /** By column; numbers as text. An empty cell is ''. */
  cells: readonly string[];
}

export const sheetFormats = ['xlsx', 'csv'] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** The first sheet of a workbook, or a CSV file. */
export interface Sheet {
  readonly format: SheetFormat;
  /** The rows with any text, in batches. Throws SheetError. */
  rows(): AsyncIterable<readonly SheetRow[]>;
  /** The share of the sheet that was read, from 0 to 1. */
  share(): number;
}

/** Why a file is not a sheet that may be read. */
export const sheetFaults = [
  'empty',
  'not_a_spreadsheet',
  'encrypted',
  'damaged',
  'too_large',
  'too_many_texts',
  'too_many_rows',
  'formula',
  'not_utf8',
  'bad_csv',
] as const;
export type SheetFault = (typeof sheetFaults)[number];

export class SheetError extends Error {
  readonly fault: SheetFault;

  constructor(fault: SheetFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'SheetError';
    this.fault = fault;
  }
}

/** Finds out the format of a file by its content. Throws SheetError. */
export type OpenSheet = (file: StoredFile) => Promise<Sheet>;

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'shift_jis';

/** How a text file is read. */
export interface TextForm {
  encoding: TextEncoding;
  /** Null: each line is one cell. */
  delimiter: ',' | ';' | '\t' | null;
}

/** The lines of a text file of any size, as cells. */
export interface TextTable {
  /** In batches; empty lines are omitted. Throws SheetError. */
  rows(): AsyncIterable<readonly SheetRow[]>;
  /** The share of the file that was read, from 0 to 1. */
  share(): number;
}

export interface TextTables {
  /** Recognizes encoding and delimiter by the first bytes. Throws SheetError. */
  detect(head: Buffer): TextForm;
  /** Opens the file, or its first `bytes`. */
  open(file: StoredFile, form: TextForm): TextTable;
}
