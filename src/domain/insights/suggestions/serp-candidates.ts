import type { Tx } from '#db/database.ts';
import {
  listListingNames,
  listLatestPositions,
  listSearchedKeywords,
} from '#db/queries/suggestions/suggestions.ts';
import { addDays, maxDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { Ctx } from '#domain/base/context.ts';
import { suggestPhrases } from '#domain/tracking/listings/suggest-phrases.ts';
import { unpackIds } from '#domain/tracking/rankings/pack-serp.ts';
import {
  trackedSpans,
  parseTrackingPeriods,
  trackedDepthOn,
} from '#domain/tracking/rankings/tracking-periods.ts';
import type { Candidate } from './candidate.ts';

const maxKeywords = 200;
const maxListings = 300;
const lookbackDays = 60;
const maxNames = 3;

interface Market {
  appId: number;
  country: string;
  device: string;
}

/** A listing's positions in the latest stored results of the app's markets. */
interface ListingPositions {
  markets: Set<number>;
  best: number;
  newest: UtcDay;
}

/**
 * Phrases in the names of at least two apps among the first ten of the app's markets. Only results
 * of the last 60 days when this workspace tracked the market, to the tracked depth.
 */
export async function listSerpCandidates(
  tx: Tx,
  ctx: Ctx,
  question: Market & { ownListingId: number },
): Promise<Candidate<'serp'>[]> {
  const listingPositions = await readListingPositions(tx, ctx, question);
  listingPositions.delete(question.ownListingId);
  const strongest = [...listingPositions]
    .toSorted(([, a], [, b]) => b.markets.size - a.markets.size || a.best - b.best)
    .slice(0, maxListings);
  const listings = await listListingNames(
    tx,
    question.country,
    strongest.map(([id]) => id),
  );
  const users = new Map<string, { name: string; positions: ListingPositions }[]>();
  for (const { id, name, developer } of listings) {
    const texts = {
      name,
      developer,
      subtitle: null,
      summary: null,
      description: null,
      category: null,
    };
    for (const { phrase } of suggestPhrases(texts))
      users.set(phrase, [
        ...(users.get(phrase) ?? []),
        { name, positions: listingPositions.get(id)! },
      ]);
  }
  return [...users]
    .filter(([, apps]) => apps.length > 1)
    .map(([phrase, apps]) => toCandidate(phrase, apps));
}

async function readListingPositions(
  tx: Tx,
  ctx: Ctx,
  { appId, country, device }: Market,
): Promise<Map<number, ListingPositions>> {
  const today = utcDayOf(ctx.clock.now());
  const earliest = addDays(today, -lookbackDays);
  const where = { appId, country, device, limit: maxKeywords };
  const keywords = await listSearchedKeywords(tx, ctx.workspaceId, where);
  const followed = keywords.map(({ marketId, trackingPeriods }) => ({
    marketId,
    trackingPeriods: parseTrackingPeriods(trackingPeriods),
  }));
  const spans = followed.flatMap(({ marketId, trackingPeriods }) =>
    trackedSpans(trackingPeriods, today)
      .filter(({ to }) => to >= earliest)
      .map(({ from, to }) => ({ marketId, from: maxDay(from, earliest), to })),
  );
  const trackingPeriodsOf = new Map(
    followed.map(({ marketId, trackingPeriods }) => [marketId, trackingPeriods]),
  );
  const listingPositions = new Map<number, ListingPositions>();
  for (const { marketId, date, ids } of await listLatestPositions(tx, spans)) {
    const depth = trackedDepthOn(trackingPeriodsOf.get(marketId)!, date) ?? 0;
    for (const [index, listingId] of unpackIds(ids).slice(0, depth).entries()) {
      const known = listingPositions.get(listingId) ?? {
        markets: new Set<number>(),
        best: index + 1,
        newest: date,
      };
      known.markets.add(marketId);
      listingPositions.set(listingId, {
        markets: known.markets,
        best: Math.min(known.best, index + 1),
        newest: maxDay(known.newest, date),
      });
    }
  }
  return listingPositions;
}

function toCandidate(
  phrase: string,
  apps: { name: string; positions: ListingPositions }[],
): Candidate<'serp'> {
  const ranked = apps.toSorted((a, b) => a.positions.best - b.positions.best);
  return {
    phrase,
    weight: Math.min(92, 40 + 6 * apps.length + (10 - ranked[0]!.positions.best)),
    evidence: {
      source: 'serp',
      apps: apps.length,
      markets: new Set(apps.flatMap(({ positions }) => [...positions.markets])).size,
      bestPosition: ranked[0]!.positions.best,
      newest: apps.map(({ positions }) => positions.newest).reduce(maxDay),
      names: ranked.slice(0, maxNames).map(({ name }) => name),
    },
  };
}
