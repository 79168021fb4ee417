import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { HistoryOutcomes } from '#db/queries/history-imports/parts-and-chunks.ts';
import type { HistoryEntry, HistoryReason, HistoryRow } from './reading.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A result as it is stored: short, because there may be millions. */
export interface StoredRow extends HistoryEntry {
  outcome: HistoryRow['outcome'];
}
type Cells = [
  number,
  string | null,
  string | null,
  string | null,
  string | null,
  number | null,
  string | null,
  number | null,
  number | null,
  HistoryReason | null,
  string | null,
  HistoryRow['outcome'],
];

export const rowsInChunk = 5_000;

export function packRows(rows: readonly StoredRow[]): Promise<Buffer> {
  const cells = rows.map((row): Cells => [
    row.line,
    row.column,
    row.phrase,
    row.country,
    row.device,
    row.keywordId,
    row.date,
    row.position,
    row.depth,
    row.reason,
    row.value,
    row.outcome,
  ]);
  return pack(JSON.stringify(cells), { level: 1 });
}

export async function unpackRows(data: Buffer): Promise<StoredRow[]> {
  const cells = JSON.parse((await unpack(data)).toString()) as Cells[];
  return cells.map(
    ([
      line,
      column,
      phrase,
      country,
      device,
      keywordId,
      date,
      position,
      depth,
      reason,
      value,
      outcome,
    ]) => ({
      line,
      column,
      phrase,
      country,
      device,
      keywordId,
      date,
      position,
      depth,
      reason,
      value,
      outcome,
    }),
  );
}

export function countOutcomes(rows: readonly StoredRow[]): HistoryOutcomes {
  const counts: HistoryOutcomes = { written: 0, known: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome] += 1;
  return counts;
}

export function toHistoryRow({ keywordId: _, ...row }: StoredRow): HistoryRow {
  return row;
}
