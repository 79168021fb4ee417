import { open, type FileHandle } from 'node:fs/promises';
import type { Db } from '#db/database.ts';
import { listCountedMarkets, listGenresOfResults } from '#db/queries/popularity/published.ts';
import { popularityGenres, SheetError, type StoredFile } from '#domain/base/ports.ts';
import type { LabelFile } from '#domain/insights/scores/evaluation/format-evaluation.ts';
import { readLabels, type Label } from '#domain/insights/scores/evaluation/read-labels.ts';
import { RefusedFile } from '#domain/transfer/popularity/find-header.ts';
import { MonthFile } from '#domain/transfer/popularity/month-file.ts';
import { CommandError } from '#lib/command-error.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { openSheet } from '#spreadsheets/open-sheet.ts';

/** What a file says about phrases, of which a monthly one is read with the keywords it is for. */
export type LabelSource = (systemDb: Db) => Promise<{ labels: Label[]; file: LabelFile }>;

const maxBytes = 200 * 1024 * 1024;
const sniffedBytes = 8_192;
const zipMark = 'PK';
const genreBatch = 5_000;

/**
 * Opens a CSV file of labels, or the monthly file of a store (.xlsx or CSV), by its content. Throws
 * CommandError with the remedy.
 */
export async function openLabels(
  path: string,
  today: UtcDay,
  shutdownStack: ShutdownStack,
): Promise<LabelSource> {
  const file = await openFile(path, shutdownStack);
  const head = (await file.read(0, Math.min(sniffedBytes, file.bytes))).toString('latin1');
  if (head.startsWith(zipMark) || /search term/i.test(head))
    return (systemDb) => readMonth(systemDb, file, today).catch(explain);
  const labels = readLabels((await file.read(0, file.bytes)).toString('utf8'));
  const counted = { form: 'labels', months: [], rowsRead: labels.length, rowsRefused: 0 } as const;
  return () => Promise.resolve({ labels, file: { ...counted, months: [] } });
}

async function openFile(path: string, shutdownStack: ShutdownStack): Promise<StoredFile> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(
      `${path} cannot be read (${error.code}). Give the path of a CSV file or of a monthly file.`,
    );
  });
  shutdownStack.add(() => handle.close());
  const stats = await handle.stat();
  if (!stats.isFile()) throw new CommandError(`${path} is not a file. Give the path of a file.`);
  if (stats.size > maxBytes)
    throw new CommandError(
      `${path} has more than ${maxBytes / 2 ** 20} MB. Split it by countries.`,
    );
  return { bytes: stats.size, read: (start, end) => readPart(handle, start, end) };
}

async function readPart(handle: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}

/**
 * The phrases of this instance in the countries of the file: listed ones with their highest
 * popularity, and the others as unlisted, in the genre of their results.
 */
async function readMonth(systemDb: Db, stored: StoredFile, today: UtcDay): ReturnType<LabelSource> {
  const month = new MonthFile(await openSheet(stored), today);
  const byCountry = new Map<string, Map<string, Label[]>>();
  for await (const terms of month.terms())
    for (const { country, term, popularity, genre } of terms) {
      let phrases = byCountry.get(country);
      if (!phrases) byCountry.set(country, (phrases = await readPhrases(systemDb, country)));
      for (const label of phrases.get(term) ?? []) {
        if ((label.popularity ?? -1) >= popularity) continue;
        label.popularity = popularity;
        label.genre = popularityGenres[genre]!;
      }
    }
  const labels = [...byCountry.values()].flatMap((phrases) => [...phrases.values()].flat());
  await addGenres(systemDb, labels);
  return {
    labels,
    file: {
      form: 'month',
      months: month.months(),
      rowsRead: month.rowsRead,
      rowsRefused: month.refused.count,
    },
  };
}

async function readPhrases(systemDb: Db, country: string): Promise<Map<string, Label[]>> {
  const markets = await listCountedMarkets(systemDb, country);
  return Map.groupBy(
    markets.map((market) => ({ ...market, country, genre: null, popularity: null })),
    ({ phrase }) => phrase,
  );
}

async function addGenres(systemDb: Db, labels: readonly Label[]): Promise<void> {
  const unlisted = labels.filter(({ popularity }) => popularity === null);
  for (let start = 0; start < unlisted.length; start += genreBatch) {
    const batch = unlisted.slice(start, start + genreBatch);
    const ids = batch.flatMap(({ marketId }) => marketId ?? []);
    const found = await listGenresOfResults(systemDb, ids);
    const genreOf = new Map(found.map(({ marketId, genre }) => [marketId, genre]));
    for (const label of batch) label.genre = genreOf.get(label.marketId ?? -1) ?? null;
  }
}

function explain(error: unknown): never {
  if (error instanceof RefusedFile) throw new CommandError(error.refusal.message);
  if (error instanceof SheetError) throw new CommandError(error.message);
  throw error;
}
