import type { UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notChecked, notFoundByte } from './cells.ts';
import { listFollowed } from './followed.ts';
import { readVisibleRows } from './read-visible.ts';
import type { VisibleRow } from './visible.ts';
import { readDayRange, windowOf, type DayRange } from './window.ts';

/**
 * All keywords by all days, oldest day first, as JSON text of the contract's RankingMatrix. A year of 500 keywords is
 * 365,000 values of which 200 differ: copying their bytes takes a tenth of the time of serialising the objects.
 */
export async function readMatrix(ctx: Ctx, appId: number, query: DayRange & { country?: string | undefined }): Promise<string> {
  const { from, to } = readDayRange(query, ctx.clock.now());
  const window = windowOf(from, to);
  const rows = await inTenant(ctx, async (tx) => readVisibleRows(tx, window, await listFollowed(tx, ctx, appId, { country: query.country })));
  return toMatrixText(window.days, rows);
}

const bytesPerText = 5;
const rowFrame = 64;

/** What stands for each byte: five bytes of text with its comma, and how many of them count. */
function textsFor(zero: string): { texts: Uint8Array; lengths: Uint8Array } {
  const texts = new Uint8Array(256 * bytesPerText);
  const lengths = new Uint8Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    const text = Buffer.from(`${byte === notChecked ? zero : byte === notFoundByte ? 'null' : byte},`, 'latin1');
    texts.set(text, byte * bytesPerText);
    lengths[byte] = text.length;
  }
  return { texts, lengths };
}

const cellTexts = textsFor('"-"');
const depthTexts = textsFor('null');

export function toMatrixText(days: readonly UtcDay[], rows: readonly VisibleRow[]): string {
  const dates = JSON.stringify(days);
  const out = Buffer.allocUnsafe(dates.length + rowFrame + rows.length * (rowFrame + 2 * bytesPerText * days.length));
  let at = out.write(`{"dates":${dates},"rows":[`, 0, 'latin1');
  for (const [index, row] of rows.entries()) {
    at += out.write(`${index === 0 ? '' : ','}{"keywordId":${row.keywordId},"cells":[`, at, 'latin1');
    at = writeValues(out, at, row.cells, cellTexts);
    at += out.write('],"depths":[', at, 'latin1');
    at = writeValues(out, at, row.depths, depthTexts);
    at += out.write(']}', at, 'latin1');
  }
  at += out.write(']}', at, 'latin1');
  return out.toString('latin1', 0, at);
}

/** Writes all five bytes and steps on by those that count; the last value's comma is taken back. */
function writeValues(out: Buffer, start: number, bytes: Uint8Array, { texts, lengths }: ReturnType<typeof textsFor>): number {
  let at = start;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]!;
    const text = byte * bytesPerText;
    out[at] = texts[text]!;
    out[at + 1] = texts[text + 1]!;
    out[at + 2] = texts[text + 2]!;
    out[at + 3] = texts[text + 3]!;
    out[at + 4] = texts[text + 4]!;
    at += lengths[byte]!;
  }
  return bytes.length === 0 ? at : at - 1;
}
