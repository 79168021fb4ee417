import { writeFile } from 'node:fs/promises';
import { makeLines, makeRows, writeCsvFile, writeXlsx, type MadeRow } from './popularity-file.ts';
import { lastMonth } from './popularity-import.ts';

const countries = [
  'United States,United Kingdom,Germany,France,Japan,South Korea,Brazil,Mexico,Canada,Italy,Spain',
  'Australia,India,Netherlands,Sweden,Norway,Denmark,Finland,Poland,Türkiye,Austria,Switzerland',
  'Belgium,Portugal,Ireland,Greece,Czechia,Hungary,Romania,Thailand,Vietnam,Indonesia,Malaysia',
  'Philippines,Singapore,Taiwan,Hong Kong,Israel,Saudi Arabia,United Arab Emirates',
]
  .join(',')
  .split(',');
const perGenre = 500;
const refusedEvery = 1_000;

/** Writes a file of the size of Apple's, with rows that are refused. */
export async function writeMadeMonth(path: string, format: 'xlsx' | 'csv'): Promise<void> {
  const month = lastMonth();
  const lines = makeLines(withFaults(makeRows({ month, countries, perGenre })), { month });
  await writeFile(path, format === 'xlsx' ? writeXlsx(lines) : writeCsvFile(lines));
}

function* withFaults(rows: Iterable<MadeRow>): Generator<MadeRow> {
  let count = 0;
  for (const row of rows)
    yield (count += 1) % refusedEvery === 0 ? { ...row, popularity: 'none' } : row;
}
