import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { endLine, manifestLine, rowLine } from '#contract/import-rows.ts';
import { parseExact } from '#lib/json.ts';
import { invalid } from '#domain/base/errors.ts';

export type FileRow = z.output<typeof rowLine> & { line: number };

const lineCharactersMax = 1_000_000;
export const levelsMax = 64;

/**
 * Reads an export line by line: a header first, count and hash last. Its rows are valid only when
 * all were read without an error. Throws invalid_request for a truncated, changed or foreign file.
 */
export class ExportFile {
  private readonly pieces: AsyncIterable<string>;
  private hash: string | null = null;

  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces;
  }

  /** The verified last line; only after all rows were read. */
  get sha256(): string {
    if (this.hash === null) throw new Error('the file was not read to its end');
    return this.hash;
  }

  async *rows(): AsyncGenerator<FileRow> {
    const hash = createHash('sha256');
    let number = 0;
    let held: string | null = null;
    for await (const line of splitLines(this.pieces)) {
      if (held !== null) {
        hash.update(`${held}\n`);
        number += 1;
        if (number > 1) yield readRow(held, number);
        else if (!manifestLine.safeParse(parse(held, 1)).success)
          throw invalid('line 1', 'the manifest of an export of this version');
      }
      held = line;
    }
    const end = endLine.safeParse(held === null ? null : parse(held, number + 1));
    if (!end.success)
      throw invalid(`line ${number + 1}`, 'the last line of an export: the file is incomplete');
    const { lines, sha256 } = end.data.end;
    if (lines !== number || sha256 !== hash.digest('hex'))
      throw invalid('text', 'unchanged lines: count and hash differ', number, lines);
    this.hash = sha256;
  }
}

function readRow(text: string, line: number): FileRow {
  const row = rowLine.safeParse(parse(text, line));
  if (!row.success) throw invalid(`line ${line}`, 'a row of an export');
  return { ...row.data, line };
}

async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    if (rest.length > lineCharactersMax)
      throw invalid('text', 'characters in a line', rest.length, lineCharactersMax);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * Escapes of NUL and lone surrogates. Our exports have none, and PostgreSQL could not store them.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])/;

function parse(text: string, line: number): unknown {
  if (unstorable.test(text)) throw invalid(`line ${line}`, 'no NUL and no lone surrogates');
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    throw invalid(`line ${line}`, 'well-formed JSON');
  }
  if (isDeeper(value, levelsMax)) throw invalid(`line ${line}`, 'levels of JSON', null, levelsMax);
  return value;
}

/** True beyond the limit of levels; looks no deeper than one beyond it. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}
