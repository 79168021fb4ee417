import type { z } from 'zod';
import type { serp } from '#contract/serp.ts';
import { readAhead, type Tx } from '#db/database.ts';
import { listStoredHistory } from '#db/queries/serps/serp-history.ts';
import { chunk } from '#lib/chunk.ts';
import { addDays, daysBetween, isUtcDay, type UtcDay } from '#lib/dates.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { readCursor, writeCursor } from '#domain/base/cursor.ts';
import { AppError } from '#domain/base/errors.ts';
import { parseDayRange, type DayRange } from '#domain/base/day-window.ts';
import { loadWordLocator } from '../listings/locate-words.ts';
import { loadRatings, type RatingsOn } from '../listings/storefront-ratings.ts';
import { marketFilterOf, type MarketFilter } from '../rankings/followed-keywords.ts';
import { findEntrants, lookbackDays, type Entrant } from './find-entrants.ts';
import { loadLiveKeywords, type LiveKeyword } from './live-keywords.ts';
import { toDayPositions } from './stored-positions.ts';
import { presentSerpListing, readListings } from './stored-serp.ts';

export type Entrants = z.input<(typeof serp)['GET /apps/{id}/serp/entrants']['responses'][200]>;

/** Market-days held in memory at a time: a year of a thousand keywords is processed in parts. */
const maxMarketDays = 10_000;

interface Entry extends Entrant {
  keyword: LiveKeyword;
}

/**
 * Apps that entered the first positions of an app's markets, newest day first. Throws not_found,
 * invalid_request, invalid_cursor.
 */
export async function listEntrants(
  ctx: Ctx,
  appId: number,
  query: DayRange & MarketFilter & { top: number; limit: number; cursor?: string | undefined },
): Promise<Entrants> {
  const range = parseDayRange(query, ctx.clock.now());
  const list = `entrants ${appId}`;
  const after = query.cursor === undefined ? null : readListCursor(list, query.cursor);
  return inTenant(ctx, async (tx) => {
    const { keywords } = await loadLiveKeywords(tx, ctx, appId, marketFilterOf(query));
    const entries = (await collectEntries(tx, keywords, { ...range, top: query.top })).sort(
      compareEntries,
    );
    const rest = after ? entries.filter((entry) => compareEntries(entry, after) > 0) : entries;
    const page = rest.slice(0, query.limit);
    const last = rest.length > page.length ? page.at(-1) : undefined;
    const listings = new Map<string, Awaited<ReturnType<typeof readListings>>>();
    for (const [country, ofCountry] of Map.groupBy(page, ({ keyword }) => keyword.country)) {
      const ids = ofCountry.map((entry) => entry.listingId);
      listings.set(country, await readListings(tx, ctx, ids, { appId, countries: [country] }));
    }
    const ratingsOn = await loadEntrantRatings(tx, page);
    const markets = page.map(({ keyword }) => ({ appId, country: keyword.country }));
    const locate = await loadWordLocator(tx, ctx, markets);
    const items = page.flatMap(({ keyword, date, listingId, position, comparedDays }) => {
      const listing = listings.get(keyword.country)?.get(listingId);
      const { id: keywordId, phrase, country, device } = keyword;
      return listing
        ? [
            {
              date,
              keywordId,
              phrase,
              words: locate({ appId, country, phrase }),
              country,
              device,
              position,
              ...presentSerpListing(listing, ratingsOn({ id: listingId, country }, date)),
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

/** On the days on which they entered. */
function loadEntrantRatings(tx: Tx, page: readonly Entry[]): Promise<RatingsOn> {
  const dates = page.map(({ date }) => date).sort();
  const listings = page.map(({ listingId: id, keyword }) => ({ id, country: keyword.country }));
  return loadRatings(tx, listings, { from: dates[0] ?? '', to: dates.at(-1) ?? '' });
}

async function collectEntries(
  tx: Tx,
  keywords: readonly LiveKeyword[],
  range: { from: UtcDay; to: UtcDay; top: number },
): Promise<Entry[]> {
  const first = addDays(range.from, -lookbackDays);
  const size = Math.max(1, Math.floor(maxMarketDays / (daysBetween(first, range.to) + 1)));
  const entries: Entry[] = [];
  const read = (part: readonly LiveKeyword[]) =>
    listStoredHistory(tx, {
      marketIds: part.map((keyword) => keyword.marketId),
      from: first,
      to: range.to,
    });
  for await (const { part, result } of readAhead(chunk(keywords, size), read)) {
    for (const keyword of part) {
      const days = toDayPositions(result.get(keyword.marketId), keyword.trackingPeriods);
      for (const entrant of findEntrants(days, range)) entries.push({ ...entrant, keyword });
    }
  }
  return entries;
}

type EntryCursor = Pick<Entry, 'date' | 'position'> & { keyword: { id: number } };

function compareEntries(a: EntryCursor, b: EntryCursor): number {
  if (a.date !== b.date) return a.date > b.date ? -1 : 1;
  return a.keyword.id - b.keyword.id || a.position - b.position;
}

function readListCursor(list: string, cursor: string): EntryCursor {
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
