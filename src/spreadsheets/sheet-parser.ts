import { SheetError, type SheetRow } from '#domain/base/ports/spreadsheets.ts';
import { tooManyRows } from './csv-sheet.ts';
import { sheetLimits } from './limits.ts';
import { XmlReader } from './parse-xml.ts';
import { damaged } from './workbook-archive.ts';

/** Reads the rows of a sheet from its XML. */
export class SheetParser {
  readonly #reader: XmlReader;
  readonly #sharedTexts: readonly string[];
  #rows: SheetRow[] = [];
  #line = 0;
  #cells: string[] = [];
  #column = -1;
  #reference = '';
  #type = 'n';
  #value = '';
  /** Extensions after the cells have elements with the same names. */
  #isCell = false;
  /** Inside of an element whose text is the value of the cell. */
  #isValue = false;
  #isPhonetic = false;

  constructor(part: string, sharedTexts: readonly string[]) {
    this.#sharedTexts = sharedTexts;
    this.#reader = new XmlReader(part, {
      open: (name, attributes) => this.#open(name, attributes),
      close: (name) => this.#close(name),
      text: (text) => this.#addText(text),
    });
  }

  /** The rows that end in this chunk. Throws SheetError. */
  write(chunk: Buffer): SheetRow[] {
    this.#reader.write(chunk);
    return this.#take();
  }

  end(): SheetRow[] {
    this.#reader.end();
    return this.#take();
  }

  #take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  #open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        this.#beginRow(attributes['r']);
        return;
      case 'c':
        this.#beginCell(attributes['r'], attributes['t']);
        return;
      case 'v':
      case 't':
        this.#isValue = this.#isCell && !this.#isPhonetic;
        return;
      case 'rPh':
        this.#isPhonetic = true;
        return;
      case 'f':
        if (!this.#isCell) return;
        throw new SheetError(
          'formula',
          `The cell ${this.#reference} has a formula. Save the sheet with values only.`,
        );
    }
  }

  #close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.#isValue = false;
        return;
      case 'rPh':
        this.#isPhonetic = false;
        return;
      case 'c':
        this.#endCell();
        return;
      case 'row':
        this.#endRow();
    }
  }

  #addText(text: string): void {
    if (!this.#isValue) return;
    this.#value += text;
    if (this.#value.length > sheetLimits.cellCharacters)
      throw damaged(`the cell ${this.#reference} has more text than a cell may have`);
  }

  #beginRow(number: string | undefined): void {
    const line = number === undefined ? this.#line + 1 : Number(number);
    if (!Number.isSafeInteger(line) || line <= this.#line)
      throw damaged(`a row after line ${this.#line} has the wrong number`);
    if (line > sheetLimits.rows) throw tooManyRows();
    this.#line = line;
    this.#cells = [];
    this.#column = -1;
  }

  #beginCell(reference: string | undefined, type = 'n'): void {
    this.#column = reference === undefined ? this.#column + 1 : readColumn(reference);
    this.#reference = reference ?? `in line ${this.#line}`;
    this.#type = type;
    this.#value = '';
    this.#isCell = true;
  }

  #endCell(): void {
    this.#isCell = false;
    if (this.#value === '' || this.#column >= sheetLimits.columns) return;
    for (let next = this.#cells.length; next < this.#column; next += 1) this.#cells.push('');
    this.#cells[this.#column] = this.#type === 's' ? this.#sharedText() : this.#value;
  }

  #sharedText(): string {
    const text = this.#sharedTexts[Number(this.#value)];
    if (text === undefined) throw damaged(`the cell ${this.#reference} refers to a missing text`);
    return text;
  }

  #endRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ line: this.#line, cells: this.#cells });
    this.#cells = [];
  }
}

/** `C7` is column 2. */
function readColumn(reference: string): number {
  let column = 0;
  for (const character of reference) {
    const value = character.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  if (column < 1) throw damaged(`a cell has the name ${reference.slice(0, 20)}`);
  return column - 1;
}
