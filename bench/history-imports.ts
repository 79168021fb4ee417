import { gzipSync } from 'node:zlib';
import { openFileReaders } from '#boot/file-threads/open-file-readers.ts';
import { historyPartBytes } from '#contract/body-limits.ts';
import { findHistoryImport } from '#db/queries/history-imports/history-imports.ts';
import { runHistoryImport } from '#domain/transfer/history/run-import.ts';
import { systemClock } from '#lib/clock.ts';
import { addDays } from '#lib/dates.ts';
import { readerOf, seedHistory, type History } from '#tests/harness/history.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

const keywords = 5_000;
const days = 400;
const firstDay = '2025-01-01';
const megabyte = 2 ** 20;
const reading = {
  preset: null,
  encoding: 'utf-8',
  delimiter: ',',
  layout: 'rows',
  columns: { phrase: 'Keyword', country: 'Country', date: 'Day', position: 'Rank' },
  dateFormat: 'ymd',
  depth: 100,
  notFound: ['-'],
  decimal: '.',
  deeper: 'refused',
};

/**
 * A made history of 2,000,000 rows: 5,000 keywords on 400 days. Every seventh row is “not found”,
 * every thousandth is refused.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const database = await openBenchDatabase();
  try {
    const history = await seedHistory(database.pool, {
      apps: 1,
      markets: keywords,
      days: 1,
      lastDay: '2026-11-21',
      fill: 'none',
    });
    const { importId, bytes } = await upload(database, history);
    const task = await startJob(database, history, importId, 'checking');
    const { historyFiles: files } = openFileReaders(
      { LOG_LEVEL: 'silent' },
      { urlOf: () => database.url },
      systemClock,
    );
    const figure = (
      name: string,
      measured: number,
      unit: string,
      goal: number | null = null,
    ): Measurement => ({ name, scale: '2,000,000', measured, unit, goal });
    const megabytes = (bytes / 1e6).toFixed(0);
    const check = await watch(() => files.checkFile(task, AbortSignal.timeout(900_000)));
    yield figure(`check of a history (${megabytes} MB)`, check.seconds, 's');
    yield figure('  largest growth of memory', check.growthMb, 'MB', 200);
    yield* counted(await find(database, history, importId), figure);
    const run = await watch(async () => runJob(database, history, importId));
    yield figure('import of what the check has shown', run.seconds, 's');
    yield figure('  largest growth of memory', run.growthMb, 'MB', 200);
    yield* counted(await find(database, history, importId), figure);
    const { rows: stored } = await database.pool.query(
      'select count(*)::int as count from imported_daily_ranks',
    );
    yield figure('  stored positions', stored[0].count, '');
  } finally {
    await database.close();
  }
}

function* counted(
  found: Awaited<ReturnType<typeof find>>,
  figure: (name: string, measured: number, unit: string) => Measurement,
): Generator<Measurement> {
  const refused = Object.values(found.reasons as Record<string, number>);
  yield figure('  rows read', found.rowsRead, '');
  yield figure('  rows written', found.rowsWritten, '');
  yield figure(
    '  rows refused',
    refused.reduce((sum, count) => sum + count, 0),
    '',
  );
}

async function find({ systemDb }: BenchDatabase, { workspaceId }: History, importId: number) {
  return (await findHistoryImport(systemDb, workspaceId, importId))!;
}

/** Writes the file into its parts, one after another. */
async function upload({ pool }: BenchDatabase, { workspaceId, appIds }: History) {
  const made = await pool.query(
    `insert into history_imports (workspace_id, app_id, requested_by, file_name, created_at, parts,
       reading) values ($1, $2, 'a@example.org', 'made.csv', now(), 0, $3) returning id`,
    [workspaceId, appIds[0], JSON.stringify(reading)],
  );
  const importId = Number(made.rows[0].id);
  const phrases = await pool.query('select phrase, country from keywords order by id');
  let [number, bytes, text] = [0, 0, 'Keyword,Country,Day,Rank\n'];
  const store = async (part: Buffer) => {
    number += 1;
    bytes += part.length;
    await pool.query('insert into history_import_parts values ($1, $2, $3, $4, $5, now())', [
      workspaceId,
      importId,
      number,
      part.length,
      gzipSync(part, { level: 1 }),
    ]);
  };
  for (let day = 0; day < days; day += 1) {
    const date = addDays(firstDay, day);
    for (const [index, { phrase, country }] of phrases.rows.entries()) {
      const row = day * keywords + index;
      const rank = row % 1_000 === 0 ? 'x' : row % 7 === 0 ? '-' : String((row % 100) + 1);
      text += `${phrase},${country},${date},${rank}\n`;
      if (text.length < historyPartBytes - 1_000) continue;
      await store(Buffer.from(text));
      text = '';
    }
  }
  if (text !== '') await store(Buffer.from(text));
  await pool.query('update history_imports set parts = $2 where id = $1', [importId, number]);
  return { importId, bytes };
}

async function startJob(
  { pool }: BenchDatabase,
  { workspaceId, appIds }: History,
  importId: number,
  phase: 'checking' | 'importing',
) {
  const kind = phase === 'checking' ? 'history-check' : 'history-import';
  const { rows: made } = await pool.query(
    `insert into jobs (workspace_id, app_id, kind, state, payload, total, queued_at)
     values ($1, $2, $3, 'running', '{}', 1, now()) returning id`,
    [workspaceId, appIds[0], kind],
  );
  const jobId = Number(made[0].id);
  await pool.query('update history_imports set phase = $3, job_id = $2 where id = $1', [
    importId,
    jobId,
    phase,
  ]);
  return { importId, workspaceId, jobId };
}

async function runJob(database: BenchDatabase, history: History, importId: number): Promise<void> {
  const { workspaceId, jobId } = await startJob(database, history, importId, 'importing');
  const ctx = { ...readerOf(database, workspaceId, '2026-11-21T12:00:00Z'), clock: systemClock };
  const { actor, workspaceState } = ctx;
  await runHistoryImport(
    ctx,
    {
      id: jobId,
      workspaceId,
      appId: history.appIds[0]!,
      kind: 'history-import',
      payload: { importId, actor, workspaceState },
      attempts: 1,
    },
    AbortSignal.timeout(900_000),
  );
}

async function watch(work: () => Promise<void>): Promise<{ seconds: number; growthMb: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const startedMs = performance.now();
  try {
    await work();
  } finally {
    clearInterval(sampler);
  }
  return {
    seconds: (performance.now() - startedMs) / 1_000,
    growthMb: (peak - before) / megabyte,
  };
}
