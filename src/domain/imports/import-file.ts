import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { endLine, manifestLine, rowLine } from '../../contract/import-rows.ts';
import { parseExact } from '../../lib/json.ts';
import { invalid } from '../errors.ts';

export type FileRow = z.output<typeof rowLine>;
type Pieces = () => AsyncIterable<string>;

const lineCharactersMax = 1_000_000;

/**
 * Goes through a whole export before anything of it is believed: it begins with what it is, and ends with the count and
 * the hash of all before. Throws invalid_request for one that was cut off or changed.
 */
export async function checkFile(pieces: Pieces): Promise<void> {
  const hash = createHash('sha256');
  let number = 0;
  let last: string | null = null;
  for await (const line of splitLines(pieces())) {
    if (last !== null) {
      hash.update(`${last}\n`);
      number += 1;
    } else if (!manifestLine.safeParse(parse(line, 1)).success) throw invalid('line 1', 'the manifest of an export of this version');
    last = line;
  }
  const end = endLine.safeParse(last === null ? null : parse(last, number + 1));
  if (!end.success) throw invalid(`line ${number + 1}`, 'the last line of an export: the file is not whole');
  const { lines, sha256 } = end.data.end;
  if (lines !== number || sha256 !== hash.digest('hex')) throw invalid('text', 'lines as they were exported: count and hash differ', number, lines);
}

/** The rows of a file that `checkFile` went through, with their lines' numbers. */
export async function* readFileRows(pieces: Pieces): AsyncGenerator<FileRow & { line: number }> {
  let line = 0;
  for await (const text of splitLines(pieces())) {
    line += 1;
    const value = parse(text, line);
    if (line === 1 || endLine.safeParse(value).success) continue;
    const row = rowLine.safeParse(value);
    if (!row.success) throw invalid(`line ${line}`, 'a row of an export');
    yield { ...row.data, line };
  }
}

async function* splitLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    if (rest.length > lineCharactersMax) throw invalid('text', 'characters in a line', rest.length, lineCharactersMax);
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Escapes of NUL and of halves of pairs: no export of ours has them, and PostgreSQL could not hold what they stand for. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])/;

function parse(text: string, line: number): unknown {
  if (unstorable.test(text)) throw invalid(`line ${line}`, 'no NUL and no halves of surrogate pairs');
  try {
    return parseExact(text);
  } catch {
    throw invalid(`line ${line}`, 'well-formed JSON');
  }
}
