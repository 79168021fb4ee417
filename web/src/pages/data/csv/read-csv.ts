export interface CsvTable {
  columns: string[];
  /** Each as long as `columns`; what is missing at the end of a line is empty. */
  rows: string[][];
  delimiter: Delimiter;
}

export type Delimiter = ',' | ';' | '\t';
const delimiters: readonly Delimiter[] = [',', ';', '\t'];

/** The text of a file in the encoding it begins with; spreadsheets write UTF-16 too. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** RFC 4180 with a line of names. The delimiter is the one that the line of names has most of. Null: no line of names. */
export function readCsv(text: string): CsvTable | null {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = delimiters.toSorted((a, b) => head.split(b).length - head.split(a).length)[0]!;
  const [names, ...lines] = splitCsv(text, delimiter).filter((line) =>
    line.some((field) => field.trim() !== ''),
  );
  if (!names) return null;
  const columns = nameColumns(names);
  return {
    columns,
    rows: lines.map((line) => columns.map((_, index) => line[index] ?? '')),
    delimiter,
  };
}

/** Two columns of one name can be told apart, and one without a name can be chosen. */
function nameColumns(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((raw, index) => {
    const name = raw.trim() || `#${index + 1}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

function splitCsv(text: string, delimiter: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at]!;
    if (isQuoted) {
      if (letter !== '"') field += letter;
      else if (text[at + 1] === '"') {
        field += '"';
        at += 1;
      } else isQuoted = false;
    } else if (letter === '"' && field === '') isQuoted = true;
    else if (letter === delimiter) {
      line.push(field);
      field = '';
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[at + 1] === '\n') at += 1;
      lines.push([...line, field]);
      line = [];
      field = '';
    } else field += letter;
  }
  if (field !== '' || line.length > 0) lines.push([...line, field]);
  return lines;
}
