import type { z } from 'zod';
import type { serp } from '../../contract/serp.ts';
import type { Tx } from '../../db/database.ts';
import { listKeptHistory } from '../../db/queries/serp-history.ts';
import { addDays, daysBetween, isUtcDay, type UtcDay } from '../../lib/dates.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readCursor, writeCursor } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { readDayRange, type DayRange } from '../rankings/window.ts';
import { findEntrants, type DayPlaces, type Entrant } from './find-entrants.ts';
import { readJudgedKeywords, type JudgedKeyword } from './judged-keywords.ts';
import { toKeptPlaces } from './kept-places.ts';
import { presentSerpListing, readListings } from './kept-serp.ts';

export type Entrants = z.input<(typeof serp)['GET /apps/{id}/serp/entrants']['responses'][200]>;

/** Days before `from` in which the seven checked ones are looked for. */
const reachDays = 14;
/** Market-days held in memory at a time: a year of a thousand keywords comes in pieces. */
const maxMarketDays = 20_000;

interface Entry extends Entrant {
  keyword: JudgedKeyword;
}

/** Who came into the first places of an app's markets, newest day first. Throws not_found, invalid_request, invalid_cursor. */
export async function readEntrants(
  ctx: Ctx,
  appId: number,
  query: DayRange & {
    country?: string | undefined;
    top: number;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<Entrants> {
  const range = readDayRange(query, ctx.clock.now());
  const list = `entrants ${appId}`;
  const after = query.cursor === undefined ? null : readPlace(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { keywords } = await readJudgedKeywords(tx, ctx, appId, { country: query.country });
    const entries = (await collectEntries(tx, keywords, { ...range, top: query.top })).sort(
      compareEntries,
    );
    const rest = after ? entries.filter((entry) => compareEntries(entry, after) > 0) : entries;
    const page = rest.slice(0, query.limit);
    const last = rest.length > page.length ? page.at(-1) : undefined;
    const ids = page.map((entry) => entry.listingId);
    const listings = await readListings(tx, ctx, ids, appId);
    const items = page.flatMap(({ keyword, date, listingId, position, comparedDays }) => {
      const listing = listings.get(listingId);
      const { id: keywordId, phrase, country } = keyword;
      return listing
        ? [
            {
              date,
              keywordId,
              phrase,
              country,
              position,
              ...presentSerpListing(listing),
              comparedDays,
            },
          ]
        : [];
    });
    return {
      items,
      nextCursor: last ? writeCursor(list, [last.date, last.keyword.id, last.position]) : null,
      total: entries.length,
    };
  });
}

async function collectEntries(
  tx: Tx,
  keywords: readonly JudgedKeyword[],
  range: { from: UtcDay; to: UtcDay; top: number },
): Promise<Entry[]> {
  const first = addDays(range.from, -reachDays);
  const size = Math.max(1, Math.floor(maxMarketDays / (daysBetween(first, range.to) + 1)));
  const entries: Entry[] = [];
  for (let start = 0; start < keywords.length; start += size) {
    const part = keywords.slice(start, start + size);
    const rows = await listKeptHistory(tx, {
      marketIds: part.map((keyword) => keyword.marketId),
      from: first,
      to: range.to,
    });
    const ofMarket = Map.groupBy(rows, (row) => row.marketId);
    for (const keyword of part) {
      const days = (ofMarket.get(keyword.marketId) ?? []).flatMap((row): DayPlaces[] => {
        const places = toKeptPlaces(row, keyword.terms);
        return places ? [{ date: row.date, ...places }] : [];
      });
      for (const entrant of findEntrants(days, range)) entries.push({ ...entrant, keyword });
    }
  }
  return entries;
}

type EntryPlace = Pick<Entry, 'date' | 'position'> & { keyword: { id: number } };

function compareEntries(a: EntryPlace, b: EntryPlace): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1;
  return a.keyword.id - b.keyword.id || a.position - b.position;
}

function readPlace(list: string, cursor: string): EntryPlace {
  const [date, id, position] = readCursor(list, cursor, 3);
  if (
    typeof date !== 'string' ||
    !isUtcDay(date) ||
    typeof id !== 'number' ||
    typeof position !== 'number'
  )
    throw new AppError('invalid_cursor');
  return { date, keyword: { id }, position };
}
