import {
  makeLines,
  makeRows,
  writeCsvFile,
  writeXlsx,
  type MadeRow,
} from '#tests/harness/popularity-file.ts';
import {
  lastMonth,
  measurePopularityImport,
  storePopularityFile,
} from '#tests/harness/popularity-import.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import type { Measurement } from './measurement.ts';

const countries = [
  'United States,United Kingdom,Germany,France,Japan,South Korea,Brazil,Mexico,Canada,Italy,Spain',
  'Australia,India,Netherlands,Sweden,Norway,Denmark,Finland,Poland,Türkiye,Austria,Switzerland',
  'Belgium,Portugal,Ireland,Greece,Czechia,Hungary,Romania,Thailand,Vietnam,Indonesia,Malaysia',
  'Philippines,Singapore,Taiwan,Hong Kong,Israel,Saudi Arabia,United Arab Emirates',
]
  .join(',')
  .split(',');
const month = lastMonth();

/**
 * The import of a made file of the size of Apple's monthly one: 40 countries, 15 genres, 500 terms
 * each, of which every thousandth row is refused. It is imported twice: the second replaces it.
 */
export async function* measure(): AsyncGenerator<Measurement> {
  const lines = () => makeLines(withFaults(), { month });
  for (const [name, write] of [
    ['.xlsx', writeXlsx],
    ['.csv', writeCsvFile],
  ] as const) {
    const database = await openBenchDatabase();
    try {
      const file = write(lines());
      yield* measureImport(database, file, `import of ${name}`);
      if (name === '.xlsx') yield* measureImport(database, file, 'the same again, replaced');
    } finally {
      await database.close();
    }
  }
}

function* withFaults(): Generator<MadeRow> {
  let count = 0;
  for (const row of makeRows({ month, countries, perGenre: 500 }))
    yield (count += 1) % 1_000 === 0 ? { ...row, popularity: 'none' } : row;
}

async function* measureImport(
  database: BenchDatabase,
  file: Buffer,
  name: string,
): AsyncGenerator<Measurement> {
  const task = await storePopularityFile(database.pool, file);
  const measured = await measurePopularityImport(database, task);
  const { seconds, growthMb, eventLoopMs, rowsRead, rowsRefused } = measured;
  const figure = (
    what: string,
    value: number,
    unit: string,
    goal: number | null = null,
  ): Measurement => ({ name: what, scale: '300,000', measured: value, unit, goal });
  yield figure(`${name} (${(file.length / 1e6).toFixed(1)} MB)`, seconds, 's');
  yield figure('  largest growth of memory', growthMb, 'MB', 150);
  yield figure('  longest block of the event loop', eventLoopMs, 'ms', 100);
  yield figure('  rows read', rowsRead, '');
  yield figure('  rows refused', rowsRefused, '');
}
