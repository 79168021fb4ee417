import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { checkHistory } from '../api/history-imports.fixtures.ts';
import { seedHistory } from '../harness/history.ts';
import { until } from '../harness/load-recorder.ts';
import { runHistoryJob } from '../harness/run-history-import.ts';

const runner = new URL('../harness/run-history-import.ts', import.meta.url).href;
const [keywordCount, dayCount, kills] = [100, 400, 3];
let api: TestApi;
let ann: Account;

beforeAll(async () => {
  api = await startApi();
  ann = await api.signUp();
});
afterAll(() => api.close());

test('kill -9 in the middle of an import loses nothing and doubles nothing', async () => {
  const { pool, url } = api.db;
  const { appIds } = await seedHistory(pool, {
    workspaceId: ann.workspaceId,
    apps: 1,
    markets: keywordCount,
    days: 1,
    lastDay: '2026-11-21',
    fill: 'none',
  });
  const appId = appIds[0]!;
  const { rows: keywords } = await pool.query('select phrase, country from keywords order by id');
  const lines = Array.from({ length: dayCount }, (_, day) =>
    keywords.map(
      ({ phrase, country }, index) =>
        `${phrase},${country},${addDays('2025-01-01', day)},${((day + index) % 200) + 1}`,
    ),
  ).flat();
  const file = `Keyword,Country,Date,Rank\n${lines.join('\n')}\n`;
  const { importId, detail } = await checkHistory(api, ann, { appId, file });
  expect(detail.counts).toEqual({ written: lines.length, known: 0, refused: 0 });
  const params = { importId };
  const { job } = await api.ok('POST /history-imports/{importId}/runs', { params }, ann);
  const work = { id: job.id, workspaceId: ann.workspaceId, appId, importId };
  const importedChunks = async () =>
    Number(
      (
        await pool.query(
          'select count(*) from history_import_chunks where import_id = $1 and imported',
          [importId],
        )
      ).rows[0].count,
    );
  for (let kill = 1; kill <= kills; kill += 1) {
    const given = `'${url}', ${JSON.stringify(work)}`;
    const code = `await (await import('${runner}')).runHistoryJob(${given})`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
    await until(async () => (await importedChunks()) >= kill, 60_000, 'an imported chunk');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect(await importedChunks()).toBeLessThan(lines.length / 5_000);
  await runHistoryJob(url, work);
  const done = await api.ok('GET /history-imports/{importId}', { params }, ann);
  expect([done.phase, done.counts]).toEqual([
    'imported',
    { written: lines.length, known: 0, refused: 0 },
  ]);
  const { rows } = await pool.query(
    'select count(*)::int as count, sum(position)::int as sum from imported_daily_ranks',
  );
  const sum = lines.reduce((total, line) => total + Number(line.split(',').at(-1)), 0);
  expect(rows).toEqual([{ count: lines.length, sum }]);
  const { rows: newest } = await pool.query(
    'select count(*)::int as count from keywords where best_position is not null',
  );
  expect(newest).toEqual([{ count: keywordCount }]);
});
