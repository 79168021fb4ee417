import { popularityPartBytes } from '#contract/body-limits.ts';
import type { Account, Credential, TestApi } from '../harness/api.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { makeLines, makeRows, writeXlsx, type MadeRow } from '../harness/popularity-file.ts';

/** Uploads a file in parts and requests its import. Returns the id of the import. */
export async function uploadPopularity(
  api: TestApi,
  account: Credential,
  file: Buffer,
  { bytes = popularityPartBytes, fileName = 'terms.xlsx' } = {},
): Promise<number> {
  const parts = Math.max(1, Math.ceil(file.length / bytes));
  for (let part = 1; part <= parts; part += 1)
    await api.ok(
      'PUT /popularity/imports/parts/{part}',
      {
        params: { part },
        body: { data: file.subarray((part - 1) * bytes, part * bytes).toString('base64') },
      },
      account,
    );
  const { poll } = await api.ok('POST /popularity/imports', { body: { parts, fileName } }, account);
  return Number(poll.split('/').at(-1));
}

/** Imports a file and returns the result. */
export async function importPopularity(api: TestApi, account: Account, file: Buffer) {
  const importId = await uploadPopularity(api, account, file, { bytes: 100_000 });
  await runAcceptedJobs(api);
  return api.ok('GET /popularity/imports/{importId}', { params: { importId } }, account);
}

/** A workbook of a month, in the form of Apple's. */
export function makeMonth(
  month: string,
  { countries = ['United States'], perGenre = 40, shift = 0 } = {},
  columns?: readonly (keyof MadeRow)[],
): Buffer {
  const rows = makeRows({ month, countries, perGenre, shift });
  return writeXlsx(makeLines(rows, { month, ...(columns && { columns }) }));
}

/** A workbook of single rows. */
export function makeWorkbook(rows: readonly Partial<MadeRow>[], month: string | null): Buffer {
  const filled = rows.map((row, index) => fillRow({ ...(month && { month }), ...row }, index));
  return writeXlsx(makeLines(filled, { month }));
}

function fillRow(row: Partial<MadeRow>, index: number): MadeRow {
  return {
    month: '2026-10',
    country: 'United States',
    genre: 'Games',
    term: `term ${index}`,
    rank: index + 1,
    popularityInGenre: 90,
    popularity: 80,
    level: 4,
    ...row,
  };
}

/** A month in the United States with one phrase, third in travel, and the bounds of two genres. */
export async function publishPhrase(
  { db }: Pick<TestApi, 'db'>,
  phrase: string,
  period = '2026-10-01',
): Promise<void> {
  await db.pool.query('truncate popularity, popularity_sets cascade');
  await db.pool.query(
    `with s as (
       insert into popularity_sets (country, granularity, period, source, state, terms, created_at)
       values ('us', 'month', $2, 'file', 'active', 1, now()) returning id
     ), t as (
       insert into popularity (set_id, genre, rank, popularity_in_genre, popularity, level, term)
       select s.id, g.id, 3, 90, 77, 4, $1 from s, popularity_genres g where g.code = 'travel'
     )
     insert into popularity_floors (set_id, genre, terms, floor)
     select s.id, g.id, 1, case g.code when 'travel' then 4 else 3 end
     from s, popularity_genres g where g.code in ('travel', 'games')`,
    [phrase, period],
  );
}
