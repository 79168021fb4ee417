import {
  addCells,
  findKeptAnswer,
  listDayOfMarket,
  releaseUrgent,
  showCells,
  type KeptAnswer,
  type LateListing,
} from '../../db/queries/catch-up.ts';
import type { MarketToCheck } from '../../db/queries/checks.ts';
import { dayIndexInMonth, monthOf, startOfDayMs, type UtcDay } from '../../lib/dates.ts';
import type { Services } from '../context.ts';
import { StoreError, type StoreRequestOptions } from '../ports.ts';
import { nextTry } from '../runs/next-try.ts';
import { cellByte, positionOf } from './cells.ts';
import { unpackIds } from './pack-serp.ts';
import { placesOf, type Places } from './places-of.ts';
import { examinedDepth } from './position.ts';
import { searchBelievably } from './search-believably.ts';

/**
 * A market that was searched today, and that somebody has begun to follow, or to follow deeper, since. The day's kept
 * answer says where they stand; only where it cannot tell (deeper than was kept, or than was examined) is a second
 * search spent. Cells that stand stay as they are.
 */
export async function catchUp(
  services: Services,
  market: MarketToCheck,
  day: UtcDay,
  options: StoreRequestOptions,
): Promise<'checked' | 'skipped' | 'deferred'> {
  const at = { marketId: market.id, day, month: monthOf(day), dayIndex: dayIndexInMonth(day) };
  const [listings, kept] = [
    await listDayOfMarket(services.systemDb, at),
    await findKeptAnswer(services.systemDb, at),
  ];
  const shown = listings.filter((listing) => listing.isUnanswered && hasCell(listing, kept));
  const lacking = listings.filter((listing) => !hasCell(listing, kept));
  const decided = kept && decideFrom(kept, lacking);
  try {
    if (shown.length > 0 && kept)
      await showCells(services.systemDb, {
        ...at,
        checkedAt: timeOf(day, kept),
        ...standing(shown, kept),
      });
    if (lacking.length > 0 && kept && decided)
      await addCells(services.systemDb, {
        ...at,
        depth: kept.depth,
        checkedAt: timeOf(day, kept),
        ...decided,
      });
    if (lacking.length > 0 && !decided)
      await searchAgain(services, market, { at, lacking }, options);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return tryLater(services, market, day, error);
  }
  await releaseUrgent(services.systemDb, market, { day, retryAt: null, attempts: 0, marker: null });
  return shown.length + lacking.length > 0 ? 'checked' : 'skipped';
}

/** A position is a position; "not found" must reach as deep as anybody asks, unless the store has no more to show. */
function hasCell(listing: LateListing, kept: KeptAnswer | undefined): boolean {
  const position = positionOf(listing.cell);
  if (position === undefined) return false;
  return (
    position !== null ||
    listing.depth >= listing.wanted ||
    (kept !== undefined && kept.ended !== 'depth')
  );
}

/** Where each stands by the kept places; undefined when for one of them they cannot tell. */
function decideFrom(
  kept: KeptAnswer,
  lacking: readonly (LateListing & { id: number })[],
): Places | undefined {
  const ids = unpackIds(kept.ids);
  const isWhole = kept.resultCount <= ids.length;
  const positions: (number | null)[] = [];
  for (const listing of lacking) {
    const index = ids.indexOf(listing.id);
    if (index === -1 && !(isWhole && (kept.ended !== 'depth' || kept.depth >= listing.wanted)))
      return undefined;
    positions.push(index === -1 ? null : index + 1);
  }
  return {
    listingIds: lacking.map((listing) => listing.id),
    positions,
    cells: positions.map(cellByte),
  };
}

/** An answer examined to one depth, unless a deeper search came between for some. */
function standing(
  listings: readonly LateListing[],
  kept: KeptAnswer,
): { listingIds: number[]; positions: (number | null)[]; depths: number[] } {
  return {
    listingIds: listings.map((listing) => listing.id),
    positions: listings.map((listing) => positionOf(listing.cell)!),
    depths: listings.map((listing) => listing.depth || kept.depth),
  };
}

function timeOf(day: UtcDay, kept: KeptAnswer): Date {
  return new Date(startOfDayMs(day) + kept.seconds * 1000);
}

async function searchAgain(
  services: Services,
  market: MarketToCheck,
  late: {
    at: { marketId: number; day: UtcDay; month: UtcDay; dayIndex: number };
    lacking: readonly LateListing[];
  },
  options: StoreRequestOptions,
): Promise<void> {
  const answer = await searchBelievably(services, market, options);
  const depth = examinedDepth(answer);
  if (depth === 0)
    throw new StoreError({
      store: market.store,
      failure: 'unreadable',
      marker: 'no-places',
      message: 'the answer was cut off before its first place',
    });
  await addCells(services.systemDb, {
    ...late.at,
    depth,
    checkedAt: services.clock.now(),
    ...placesOf(late.lacking, answer),
  });
}

async function tryLater(
  services: Services,
  market: MarketToCheck,
  day: UtcDay,
  error: StoreError,
): Promise<'deferred'> {
  const decision = nextTry(error, market.attempts, services.clock.now());
  const [retryAt, attempts] =
    decision.kind === 'again' ? [decision.at, decision.attempts] : [null, 0];
  await releaseUrgent(services.systemDb, market, { day, retryAt, attempts, marker: error.marker });
  return 'deferred';
}
