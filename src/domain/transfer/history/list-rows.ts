import type { z } from 'zod';
import type { historyImports } from '#contract/history-imports.ts';
import {
  findHistoryChunk,
  listHistoryChunks,
  type HistoryOutcomes,
} from '#db/queries/history-imports/parts-and-chunks.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { writeCsv } from '#lib/csv-writer.ts';
import { rowsInChunk, toHistoryRow, unpackRows, type StoredRow } from './chunks.ts';
import { find } from './imports.ts';
import type { HistoryRow } from './reading.ts';

type Operation = (typeof historyImports)['GET /history-imports/{importId}/rows'];
type Query = z.output<Operation['query']>;
type Outcome = NonNullable<Query['outcome']>;

/** A file with one selected row in each chunk must not keep a request busy for all of them. */
const chunksInPage = 20;

const columns = [
  'line',
  'column',
  'phrase',
  'country',
  'device',
  'date',
  'position',
  'depth',
  'outcome',
  'reason',
  'value',
] as const satisfies readonly (keyof HistoryRow)[];

/**
 * The results in the order of the file. A cursor is a chunk and a row in it. A page ends after 20
 * chunks, even below the limit. Throws not_found, invalid_cursor.
 */
export async function listHistoryRows(
  ctx: Ctx,
  importId: number,
  { cursor, limit, outcome }: Query,
): Promise<z.input<Operation['responses'][200]>> {
  const [fromChunk, fromRow] = cursor === undefined ? [1, 0] : readRowCursor(importId, cursor);
  const counted = await listChunks(ctx, importId, outcome);
  const items: HistoryRow[] = [];
  let nextCursor: string | null = null;
  const left = counted.filter((chunk) => chunk.number >= fromChunk);
  for (const { number } of left.slice(0, chunksInPage)) {
    const rows = await readChunk(ctx, importId, number);
    for (let at = number === fromChunk ? fromRow : 0; at < rows.length; at += 1) {
      if (!isSelected(rows[at]!, outcome)) continue;
      if (items.length === limit) {
        nextCursor = writeCursor(cursorName(importId), [number, at]);
        break;
      }
      items.push(toHistoryRow(rows[at]!));
    }
    if (nextCursor !== null) break;
  }
  const next = left[chunksInPage];
  if (nextCursor === null && next) nextCursor = writeCursor(cursorName(importId), [next.number, 0]);
  const total = counted.reduce((sum, { rows }) => sum + rows, 0);
  return { items, nextCursor, total };
}

/** The same as CSV, a chunk at a time. Throws not_found before the first line. */
export async function openHistoryRows(
  ctx: Ctx,
  importId: number,
  outcome: Outcome | undefined,
): Promise<AsyncGenerator<string>> {
  const chunks = await listChunks(ctx, importId, outcome);
  return (async function* () {
    yield writeCsv([columns]);
    for (const { number } of chunks) {
      const rows = await readChunk(ctx, importId, number);
      yield writeCsv(
        rows
          .filter((row) => isSelected(row, outcome))
          .map((row) => columns.map((column) => row[column])),
      );
    }
  })();
}

/** The chunks with at least one selected row, and the number of these. */
function listChunks(
  ctx: Ctx,
  importId: number,
  outcome: Outcome | undefined,
): Promise<{ number: number; rows: number }[]> {
  return inTenant(ctx, async (tx) => {
    await find(tx, ctx, importId);
    const chunks = await listHistoryChunks(tx, ctx.workspaceId, importId, 1);
    return chunks
      .map(({ number, outcomes }) => {
        const counts = outcomes as HistoryOutcomes;
        const all = counts.written + counts.known + counts.refused;
        return { number, rows: outcome === undefined ? all : counts[outcome] };
      })
      .filter(({ rows }) => rows > 0);
  });
}

async function readChunk(ctx: Ctx, importId: number, number: number): Promise<StoredRow[]> {
  const chunk = await inTenant(ctx, (tx) =>
    findHistoryChunk(tx, ctx.workspaceId, importId, number),
  );
  // A new check may have replaced the results meanwhile.
  return chunk ? unpackRows(chunk.data) : [];
}

const isSelected = (row: StoredRow, outcome: Outcome | undefined): boolean =>
  outcome === undefined || row.outcome === outcome;

const cursorName = (importId: number) => `history rows ${importId}`;

const maxChunk = 2_147_483_647;

function readRowCursor(importId: number, cursor: string): [number, number] {
  const [chunk, row] = readCursor(cursorName(importId), cursor, 2) as [number, number];
  const isInside = isWithin(chunk, 1, maxChunk) && isWithin(row, 0, rowsInChunk - 1);
  if (!isInside) throw new AppError('invalid_cursor');
  return [chunk, row];
}

const isWithin = (value: unknown, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
