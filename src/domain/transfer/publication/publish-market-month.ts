import type { Fact } from '#contract/imported-facts.ts';
import {
  endMonth,
  listCompetitorsInMarket,
  listPackedRanks,
  listRanksToPublish,
  listSeriesOfStore,
  listSerpsToPublish,
  lockPublicMonth,
  saveMonth,
  type ImportedRank,
  type PublicMonth,
} from '#db/queries/publication/market-months.ts';
import {
  areOtherRatings,
  insertListingRatings,
  type Ratings,
  type RatingsOfDay,
} from '#db/queries/listings/listing-ratings.ts';
import { insertPastSerp } from '#db/queries/serp-chains/insert-past-serp.ts';
import { findMarketName } from '#db/queries/scores/scores.ts';
import type { Tx } from '#db/database.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inSystem } from '#domain/base/context.ts';
import { parseFacts } from '#domain/tracking/imported-facts/read-imported-facts.ts';
import { cleanRatings } from '#domain/tracking/listings/clean-listing.ts';
import { internResults } from '#domain/tracking/listings/intern-listings.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { strongest, unpackIds } from '#domain/tracking/rankings/pack-serp.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { findRank, groupSerps, packSerp, type ImportedSerp } from './imported-serps.ts';
import { findProvider, MonthPlan } from './plan-month.ts';

export interface MonthOfMarket {
  workspaceId: number;
  marketId: number;
  /** Its first day. */
  month: UtcDay;
}

/** The month as it is in the file. */
interface ImportedMonth {
  ranks: ImportedRank[];
  serps: Map<UtcDay, ImportedSerp>;
  /** Ids of the listings in the results, by the store's ids. */
  idOf: ReadonlyMap<string, number>;
}

/**
 * Publishes the imported positions and results of a market in a month, in one transaction. A day
 * that this instance checked, or has a gap for, stays as it is.
 */
export async function publishMarketMonth(
  services: CheckServices,
  at: MonthOfMarket,
): Promise<void> {
  const serps = await inSystem(services, (tx) => listSerpsToPublish(tx, at.workspaceId, at));
  const days = groupSerps(parseFacts<'serp'>(serps.map(({ items }) => items)));
  const idOf = await internDays(services, at, days);
  await inSystem(services, async (tx) => {
    const known = await lockPublicMonth(tx, at);
    const ranks = await listRanksToPublish(tx, at.workspaceId, at);
    const today = utcDayOf(services.clock.now());
    await writeMonth(tx, at, known, { ranks, serps: days, idOf, today });
    await endMonth(tx, at.workspaceId, at);
  });
}

/** Cards with it are replaced by every other reading. */
const unknownDay = '2000-01-01';

/** In transactions of their own, so that no other writer of listings waits. */
async function internDays(
  services: CheckServices,
  { marketId, month }: MonthOfMarket,
  days: ReadonlyMap<UtcDay, ImportedSerp>,
): Promise<ReadonlyMap<string, number>> {
  const { store, country } = (await findMarketName(services.systemDb, marketId))!;
  const items = [...days.values()].flat();
  const [top, deeper] = [true, false].map((isTop) =>
    items.filter(({ position }) => position <= strongest === isTop),
  ) as [ImportedSerp, ImportedSerp];
  const ids = new Map<string, number>();
  for (const [part, day] of [[top, unknownDay] as const, [deeper, month] as const]) {
    const results = new Map(part.map((item) => [item.storeAppId, toResult(item)] as const));
    const { systemDb, listingCache } = services;
    const reading = { country, day };
    const listingIds =
      results.size === 0
        ? []
        : await internResults(systemDb, listingCache, store, [...results.values()], reading);
    for (const [index, storeAppId] of [...results.keys()].entries())
      ids.set(storeAppId, listingIds[index]!);
  }
  // Each day is compared with what the days before it have written.
  for (const ofDay of Map.groupBy(listRatings(deeper, ids), ({ day }) => day).values())
    await insertListingRatings(services.systemDb, country, ofDay);
  return ids;
}

/** Without ratings: the cache of listings would take those of a past day for the newest ones. */
function toResult({ storeAppId, name, developer, iconUrl }: Fact<'serp'>) {
  const ratings = { rating: null, ratingCount: null };
  const card = { storeAppId, developer, iconUrl, ...ratings, bundleId: null, unread: [] };
  return { storeAppId, card: name === null ? null : { ...card, name } };
}

/**
 * What the country showed of results below the first ten, on the days on which it differs. The
 * ratings of the first ten are stored with their results.
 */
function listRatings(
  deeper: readonly Fact<'serp'>[],
  idOf: ReadonlyMap<string, number>,
): RatingsOfDay[] {
  const known = new Map<number, Ratings>();
  const byDay = deeper.toSorted((a, b) => (a.date < b.date ? -1 : 1));
  return byDay.flatMap((result) => {
    const [listingId, ratings] = [idOf.get(result.storeAppId)!, cleanRatings(result)];
    if (!areOtherRatings(known.get(listingId), ratings)) return [];
    known.set(listingId, ratings);
    return [{ listingId, day: result.date, ...ratings }];
  });
}

async function writeMonth(
  tx: Tx,
  at: MonthOfMarket,
  known: PublicMonth,
  imported: ImportedMonth & { today: UtcDay },
): Promise<void> {
  const { ranks, serps, today } = imported;
  const series = await listSeriesOfStore(tx, known.store);
  const competitors = await listCompetitorsInMarket(tx, at.workspaceId, at.marketId);
  const listingIds = [...ranks, ...competitors].map(({ listingId }) => listingId);
  const plan = new MonthPlan(known, await listPackedRanks(tx, { ...at, listingIds }));
  for (const [date, ofDay] of Map.groupBy(ranks, (rank) => rank.date)) {
    const provider = findProvider(series, date);
    if (provider !== null) plan.addDay(date, ofDay, { today, provider });
  }
  for (const { date, depth, provider } of plan.checks) {
    const serp = serps.get(date);
    if (serp?.[0]!.provider !== provider || known.serps.includes(date)) continue;
    const packed = packSerp({ ...at, store: known.store }, serp, imported.idOf);
    await insertPastSerp(tx, packed);
    const ids = unpackIds(packed.ids);
    for (const { listingId, trackingPeriods } of competitors) {
      const position = findRank(packed, ids, listingId);
      const isTracked = (trackedDepthOn(parseTrackingPeriods(trackingPeriods), date) ?? 0) > 0;
      if (isTracked && position !== undefined) plan.addRank(listingId, date, { position, depth });
    }
  }
  if (plan.checks.length > 0)
    await saveMonth(tx, { ...at, days: plan.days, ranks: plan.listRanks() });
}
