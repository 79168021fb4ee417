import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { measurePopularityImport, storePopularityFile } from '#tests/harness/popularity-import.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

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
        if (format === 'xlsx') yield* measureImport(database, path, 'the same again, replaced');
      } finally {
        await database.close();
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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
