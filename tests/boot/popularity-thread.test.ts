import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { makeLines, makeRows, writeXlsx } from '../harness/popularity-file.ts';
import {
  lastMonth,
  measurePopularityImport,
  storePopularityFile,
} from '../harness/popularity-import.ts';

/** A fifteenth of Apple's file; `npm run bench -- popularity` has all of it. */
const countries = ['United States', 'Japan', 'Germany'];
const month = lastMonth();

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

const countVisible = async (): Promise<number> => {
  const { rows } = await db.pool.query(
    `select coalesce(sum(terms), 0)::int as count from popularity_sets where state = 'active'`,
  );
  return rows[0].count as number;
};

test('a file is read beside the event loop; a killed thread leaves nothing visible', async () => {
  const file = writeXlsx(makeLines(makeRows({ month, countries, perGenre: 450 }), { month }));
  const task = await storePopularityFile(db.pool, file);
  const kill = new AbortController();
  const running = measurePopularityImport(db, task, kill.signal);
  const outcome = running.then(
    () => 'done',
    () => 'killed',
  );
  // In the middle: its progress is shown, and some rows are written.
  const isInTheMiddle = `select from popularity_imports where percent between 1 and 99
    and rows_read >= 5000 and format = 'xlsx' and exists (select from popularity)`;
  await expect
    .poll(async () => (await db.pool.query(isInTheMiddle)).rowCount, { timeout: 90_000 })
    .toBe(1);
  kill.abort();
  expect(await outcome).toBe('killed');
  expect(await countVisible()).toBe(0);

  const measured = await measurePopularityImport(db, task);
  const { seconds, growthMb, rowsRead, rowsRefused } = measured;
  expect([rowsRead, rowsRefused, await countVisible()]).toEqual([20_250, 0, 20_250]);
  expect(growthMb).toBeLessThan(150);
  console.log(
    `popularity: ${rowsRead} rows in ${seconds.toFixed(1)} s, memory grew by ` +
      `${growthMb.toFixed(0)} MB, ${rowsRefused} refused`,
  );
  const { rows } = await db.pool.query('select count(*)::int as count from popularity');
  expect(rows[0].count).toBe(20_250);
});
