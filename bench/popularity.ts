import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openLabels } from '#boot/score-labels.ts';
import { evaluateLabels } from '#domain/insights/scores/evaluation/evaluate-labels.ts';
import { systemClock } from '#lib/clock.ts';
import { utcDayOf } from '#lib/dates.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { measurePopularityImport, storePopularityFile } from '#tests/harness/popularity-import.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

const evaluatedPhrases = 1_000;
const maker = new URL('../tests/harness/popularity-made-month.ts', import.meta.url).href;

/**
 * The import of a made file of the size of Apple's monthly one: 40 countries, 15 genres, 500 terms
 * each, of which every thousandth row is refused. It is imported twice: the second replaces it.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'toprung-bench-popularity-'));
  try {
    for (const format of ['xlsx', 'csv']) {
      const path = join(folder, `made.${format}`);
      // In a process of its own, because memory that it leaves behind would be used again here.
      const code = `(await import('${maker}')).writeMadeMonth('${path}', '${format}')`;
      await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
      const database = await openBenchDatabase();
      try {
        yield* measureImport(database, path, `import of .${format}`);
        if (format !== 'xlsx') continue;
        yield* measureImport(database, path, 'the same again, replaced');
        yield* measureEvaluation(database, path);
      } finally {
        await database.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** `toprung scores evaluate` with the monthly file, without the start of the process. */
async function* measureEvaluation(
  { pool, systemDb }: BenchDatabase,
  path: string,
): AsyncGenerator<Measurement> {
  await pool.query(
    `insert into markets (store, country, device, phrase)
     select 'ios', 'us', 'iphone', 'games term ' || number from generate_series(1, $1) number`,
    [evaluatedPhrases],
  );
  const stack = new ShutdownStack();
  const started = performance.now();
  try {
    const asOf = utcDayOf(systemClock.now());
    const readLabels = await openLabels(path, asOf, stack);
    const { labels, file } = await readLabels(systemDb);
    const { stores } = await evaluateLabels(systemDb, labels, { asOf, seed: 1 });
    if (file.rowsRead !== 300_000 || stores[0]?.withoutEstimate !== evaluatedPhrases)
      throw new Error(`${file.rowsRead} rows were read: ${JSON.stringify(stores[0])}`);
  } finally {
    await stack.close();
  }
  yield {
    name: `evaluation of ${evaluatedPhrases} phrases with the .xlsx`,
    scale: '300,000',
    measured: (performance.now() - started) / 1_000,
    unit: 's',
    goal: null,
  };
}

async function* measureImport(
  database: BenchDatabase,
  path: string,
  name: string,
): AsyncGenerator<Measurement> {
  const file = await readFile(path);
  const task = await storePopularityFile(database.pool, file);
  const measured = await measurePopularityImport(database, task);
  const { seconds, cpuSeconds, growthMb, eventLoopMs, rowsRead, rowsRefused } = measured;
  const figure = (
    what: string,
    value: number,
    unit: string,
    goal: number | null = null,
  ): Measurement => ({ name: what, scale: '300,000', measured: value, unit, goal });
  yield figure(`${name} (${(file.length / 1e6).toFixed(1)} MB)`, seconds, 's');
  yield figure('  processor time without the database', cpuSeconds, 's');
  yield figure('  largest growth of memory', growthMb, 'MB', 150);
  yield figure('  longest block of the event loop', eventLoopMs, 'ms');
  yield figure('  rows read', rowsRead, '');
  yield figure('  rows refused', rowsRefused, '');
}
