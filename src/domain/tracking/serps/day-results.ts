import type { Fact } from '#contract/imported-facts.ts';
import type { Tx } from '#db/database.ts';
import { findListingIds } from '#db/queries/charts/charts.ts';
import type { SerpListing } from '#db/queries/serps/serps.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { readImportedFacts } from '../imported-facts/read-imported-facts.ts';
import type { Followed } from '../rankings/followed-keywords.ts';
import { strengthOfFact } from '../rankings/pack-serp.ts';
import { countKnown, findStoredSerp, readListings, type StoredSerp } from './stored-serp.ts';

type ImportedResult = Fact<'serp'>;

/** The results of a day with their listings: those of this instance, or else imported ones. */
export interface DayResults {
  serp: StoredSerp;
  listings: Map<number, SerpListing>;
}

/** Negative ids for listings that this instance does not know, by the store's id. */
export type UnknownListings = Map<string, number>;

/**
 * The listings of the `first` results. Null when neither this instance nor an import has results of
 * the day. Days that are compared share `unknown`.
 */
export async function loadDayResults(
  tx: Tx,
  ctx: Ctx,
  keyword: Followed,
  date: UtcDay,
  { first, unknown }: { first: number; unknown: UnknownListings },
): Promise<DayResults | null> {
  const of = { appId: keyword.appId, countries: [keyword.country] };
  const serp = await findStoredSerp(tx, keyword, date);
  const shownOf = ({ listingIds }: StoredSerp) => listingIds.slice(0, first);
  if (serp) return { serp, listings: await readListings(tx, ctx, shownOf(serp), of) };
  const day = { kind: 'serp', keywordId: keyword.id, from: date, to: date } as const;
  const items = await readImportedFacts(tx, ctx, day);
  if (items.length === 0) return null;
  const { store } = keyword;
  const names = items.map(({ storeAppId }) => storeAppId);
  const known = await findListingIds(tx, store, names);
  for (const name of names)
    if (!known.has(name)) unknown.set(name, unknown.get(name) ?? -1 - unknown.size);
  const ids = items.map(({ storeAppId }) => known.get(storeAppId) ?? unknown.get(storeAppId)!);
  const relations = await readListings(tx, ctx, [...known.values()], of);
  return {
    serp: toStoredSerp(store, items, ids),
    listings: new Map(
      items.map((item, index) => [ids[index]!, toListing(item, ids[index]!, relations)]),
    ),
  };
}

function toStoredSerp(
  store: StoreName,
  items: readonly ImportedResult[],
  ids: readonly number[],
): StoredSerp {
  const { date, depth, resultCount, provider, adsBefore } = items[0]!;
  const isComplete = { depth, resultCount, isExhausted: false, kept: items.length };
  return {
    date,
    depth,
    resultCount,
    provider,
    ads:
      adsBefore === null
        ? null
        : items.flatMap((item) => Array<number>(item.adsBefore ?? 0).fill(item.position)),
    listingIds: [...ids],
    strengths: items.map((item) => strengthOfFact(store, item)),
    knownPositions: countKnown(isComplete, depth),
  };
}

/** A listing as the file shows it, with its relation to this workspace as it is now. */
function toListing(
  { storeAppId, name, developer, iconUrl }: ImportedResult,
  id: number,
  relations: ReadonlyMap<number, SerpListing>,
): SerpListing {
  const { appId = null, isOwn = false, competitorId = null } = relations.get(id) ?? {};
  const shown = { storeAppId, name, developer, iconUrl };
  return { id, ...shown, appId, isOwn, competitorId };
}
