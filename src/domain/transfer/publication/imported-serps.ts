import type { Fact } from '#contract/imported-facts.ts';
import type { KeptSerp } from '#db/queries/serp-chains/kept-serps.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { packIds, packStrengths, strengthOfFact } from '#domain/tracking/rankings/pack-serp.ts';
import { countKnown } from '#domain/tracking/serps/stored-serp.ts';

export type ImportedSerp = Fact<'serp'>[];

/**
 * The results of each day, best position first. Where several keywords have them, those to the
 * largest depth count; a list with a missing position is left out.
 */
export function groupSerps(items: readonly Fact<'serp'>[]): Map<UtcDay, ImportedSerp> {
  const days = new Map<UtcDay, ImportedSerp>();
  const keyOf = ({ keywordId, date }: Fact<'serp'>) => `${keywordId} ${date}`;
  for (const list of Map.groupBy(items, keyOf).values()) {
    const serp = list.toSorted((a, b) => a.position - b.position);
    const isWhole = serp.every(({ position }, index) => position === index + 1);
    const { date, depth } = serp[0]!;
    if (isWhole && depth > (days.get(date)?.[0]!.depth ?? 0)) days.set(date, serp);
  }
  return days;
}

/** The results as this instance stores its own. `idOf` knows the listing of each. */
export function packSerp(
  { marketId, store }: { marketId: number; store: StoreName },
  serp: ImportedSerp,
  idOf: ReadonlyMap<string, number>,
): KeptSerp {
  const { date, depth, resultCount, provider, language } = serp[0]!;
  return {
    marketId,
    date,
    depth,
    resultCount,
    ended: endOf(serp),
    provider,
    language: language ?? null,
    ids: packIds(serp.map(({ storeAppId }) => idOf.get(storeAppId)!)),
    strengths: packStrengths(serp.map((result) => strengthOfFact(store, result))),
    ads: adsOf(serp),
  };
}

/** The position of a listing in the results; undefined where they are too short to say. */
export function findRank(
  { depth, resultCount, ended, ids }: KeptSerp,
  listingIds: readonly number[],
  listingId: number,
): number | null | undefined {
  const at = listingIds.indexOf(listingId);
  if (at !== -1) return at + 1;
  const kept = ids.length / 4;
  const isExhausted = ended === 'exhausted';
  return countKnown({ depth, resultCount, isExhausted, kept }, depth) >= depth ? null : undefined;
}

/** Files of earlier versions do not say why results end. */
function endOf([first]: ImportedSerp): KeptSerp['ended'] {
  const { ended, resultCount, depth } = first!;
  return ended ?? (resultCount >= depth ? 'depth' : 'exhausted');
}

/** For each ad the position of the result that follows it. */
function adsOf(serp: ImportedSerp): number[] | null {
  if (serp[0]!.adsBefore === null) return null;
  return serp.flatMap(({ position, adsBefore }) =>
    Array.from({ length: adsBefore ?? 0 }, () => position),
  );
}
