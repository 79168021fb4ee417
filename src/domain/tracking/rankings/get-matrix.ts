import type { KeywordFilter } from '#db/queries/rankings/rank-months.ts';
import type { UtcDay } from '#lib/dates.ts';
import { acquireBuffer, release } from '#lib/buffer-pool.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notChecked, notFoundByte } from './daily-rank-codec.ts';
import { listFollowed } from './followed-keywords.ts';
import { loadVisibleRows } from './load-visible-rows.ts';
import { loadAppSegments } from './provider-series.ts';
import type { VisibleRow } from './visible-rows.ts';
import { maxListDays, parseDayRange, windowOf, type DayRange } from '#domain/base/day-window.ts';

export interface MatrixText {
  bytes: Buffer;
  /** Ids in the order in which they were sent. */
  release(): void;
}

export type MatrixQuery = DayRange & Pick<KeywordFilter, 'country' | 'device' | 'keywordIds'>;

/**
 * All keywords by all days, oldest day first, as the JSON of the contract's RankingMatrix. A year
 * of 500 keywords has 365,000 values of which 200 differ, so copying their bytes takes a tenth of
 * the time of serializing objects.
 */
export async function getMatrix(ctx: Ctx, appId: number, query: MatrixQuery): Promise<MatrixText> {
  const { from, to } = parseDayRange(query, ctx.clock.now(), maxListDays);
  const window = windowOf(from, to);
  const { rows, segments } = await inTenant(ctx, async (tx) => ({
    rows: await loadVisibleRows(tx, window, await listFollowed(tx, ctx, appId, query)),
    segments: await loadAppSegments(tx, appId, window),
  }));
  return toMatrixJson(window.days, rows, segments);
}

const bytesPerText = 5;
const rowFrame = 64;
const comma = 0x2c;

interface Texts {
  /** Up to four bytes of a value's text in one word. Only `null` leaves no space for its comma. */
  words: Uint32Array;
  /** The number of bytes, comma included. */
  lengths: Uint8Array;
}

function textsFor(zero: string): Texts {
  const words = new Uint32Array(256);
  const lengths = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    const text = Buffer.from(
      `${byte === notChecked ? zero : byte === notFoundByte ? 'null' : byte},,,`,
      'latin1',
    );
    words[byte] = text.readUInt32LE(0);
    lengths[byte] = text.indexOf(comma) + 1;
  }
  return { words, lengths };
}

const cellTexts = textsFor('"-"');
const depthTexts = textsFor('null');

export function toMatrixJson(
  days: readonly UtcDay[],
  rows: readonly VisibleRow[],
  segments: readonly { from: UtcDay; provider: string }[],
): MatrixText {
  const head = `{"dates":${JSON.stringify(days)},"segments":${JSON.stringify(segments)},"rows":[`;
  const out = acquireBuffer(
    head.length + rowFrame + rows.length * (rowFrame + 2 * bytesPerText * days.length),
  );
  const view = new DataView(out.buffer, out.byteOffset, out.byteLength);
  let at = out.write(head, 0, 'latin1');
  for (const [index, row] of rows.entries()) {
    at += out.write(
      `${index === 0 ? '' : ','}{"keywordId":${row.keywordId},"cells":[`,
      at,
      'latin1',
    );
    at = writeValues(view, at, row.dailyRanks, cellTexts);
    at += out.write('],"depths":[', at, 'latin1');
    at = writeValues(view, at, row.depths, depthTexts);
    at += out.write(']}', at, 'latin1');
  }
  at += out.write(']}', at, 'latin1');
  return { bytes: out.subarray(0, at), release: () => release(out) };
}

/** Writes a word and a comma and advances by their bytes; the last comma is removed afterwards. */
function writeValues(
  view: DataView,
  start: number,
  bytes: Uint8Array,
  { words, lengths }: Texts,
): number {
  let at = start;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    view.setUint32(at, words[byte]!, true);
    view.setUint8(at + 4, comma);
    at += lengths[byte]!;
  }
  return bytes.length === 0 ? at : at - 1;
}
