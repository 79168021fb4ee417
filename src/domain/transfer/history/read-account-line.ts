import { z } from 'zod';
import type { ReadEntry } from './entry-reader.ts';
import type { ReadRow } from './row-reader.ts';

const id = z.union([z.string().max(100), z.int()]).transform(String);
const line = z.discriminatedUnion('table', [
  z.object({
    table: z.literal('app'),
    row: z.object({ id, storeAppId: id }),
  }),
  z.object({
    table: z.literal('trackedKeyword'),
    row: z.object({
      keyword: z.object({ id, text: z.string().max(1_000), country: z.string().max(100) }),
    }),
  }),
  z.object({
    table: z.literal('keywordRanking'),
    row: z.object({
      appId: id,
      keywordId: id,
      date: z.string().max(100),
      position: z.int().nullable(),
      depth: z.int().nullish(),
    }),
  }),
]);
const tables = new Set(['app', 'trackedKeyword', 'keywordRanking']);
const keywordsMax = 100_000;

/**
 * Reads the lines of an account export of AsoBeast, where apps and keywords precede the positions
 * that refer to them. Lines of other tables say nothing about positions.
 */
export function createAccountReader(readEntry: ReadEntry): ReadRow {
  const apps = new Map<string, string>();
  const keywords = new Map<string, { text: string; country: string }>();
  const nothing = {
    column: null,
    phrase: '',
    country: '',
    device: '',
    date: '',
    position: '',
    depth: '',
    app: null,
    failure: '',
    isBroken: false,
  };
  return ({ line: number, cells }, add) => {
    const text = cells[0] ?? '';
    const name = /^\s*\{\s*"table"\s*:\s*"(\w{1,40})"/.exec(text)?.[1];
    if (name === undefined) {
      if (!/^\s*\{\s*"manifest"/.test(text))
        add(readEntry({ ...nothing, line: number, phrase: text.slice(0, 100), isBroken: true }));
      return;
    }
    if (!tables.has(name)) return;
    const parsed = line.safeParse(parseJson(text));
    if (!parsed.success) {
      add(readEntry({ ...nothing, line: number, phrase: text.slice(0, 100), isBroken: true }));
      return;
    }
    const { table, row } = parsed.data;
    if (table === 'app') {
      if (apps.size < keywordsMax) apps.set(row.id, row.storeAppId);
      return;
    }
    if (table === 'trackedKeyword') {
      if (keywords.size < keywordsMax) keywords.set(row.keyword.id, row.keyword);
      return;
    }
    const keyword = keywords.get(row.keywordId);
    const { position, depth, date } = row;
    add(
      readEntry({
        ...nothing,
        line: number,
        app: apps.get(row.appId) ?? `(${row.appId})`,
        phrase: keyword?.text ?? '',
        country: keyword?.country ?? '',
        date,
        position: position === null ? (depth ? `>${depth}` : '') : String(position),
        depth: depth ? String(depth) : '',
      }),
    );
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
