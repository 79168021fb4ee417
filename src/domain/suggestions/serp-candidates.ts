import type { Tx } from '../../db/database.ts';
import {
  listListingNames,
  listNewestPlaces,
  listSearchedKeywords,
} from '../../db/queries/suggestions.ts';
import { addDays, maxDay, utcDayOf, type UtcDay } from '../../lib/dates.ts';
import type { Ctx } from '../context.ts';
import { suggestPhrases } from '../listings/suggest-phrases.ts';
import { unpackIds } from '../rankings/pack-serp.ts';
import { followedSpans, readTerms, termDepthOn } from '../rankings/terms.ts';
import type { Candidate } from './candidate.ts';

const maxKeywords = 200;
const maxListings = 300;
const reachDays = 60;
const maxNames = 3;

/** How a listing stands in the newest kept results of the app's markets. */
interface Standing {
  markets: Set<number>;
  best: number;
  newest: UtcDay;
}

/**
 * What the names of at least two apps say that stand among the first ten of the app's own markets. Only results of days on
 * which this workspace followed the market, to the depth it followed, of the last 60 days.
 */
export async function listSerpCandidates(
  tx: Tx,
  ctx: Ctx,
  question: { appId: number; country: string; ownListingId: number },
): Promise<Candidate<'serp'>[]> {
  const standings = await readStandings(tx, ctx, question);
  standings.delete(question.ownListingId);
  const strongest = [...standings]
    .toSorted(([, a], [, b]) => b.markets.size - a.markets.size || a.best - b.best)
    .slice(0, maxListings);
  const listings = await listListingNames(
    tx,
    strongest.map(([id]) => id),
  );
  const users = new Map<string, { name: string; standing: Standing }[]>();
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
      users.set(phrase, [...(users.get(phrase) ?? []), { name, standing: standings.get(id)! }]);
  }
  return [...users]
    .filter(([, apps]) => apps.length > 1)
    .map(([phrase, apps]) => toCandidate(phrase, apps));
}

async function readStandings(
  tx: Tx,
  ctx: Ctx,
  { appId, country }: { appId: number; country: string },
): Promise<Map<number, Standing>> {
  const today = utcDayOf(ctx.clock.now());
  const earliest = addDays(today, -reachDays);
  const keywords = await listSearchedKeywords(tx, ctx.workspaceId, appId, country, maxKeywords);
  const followed = keywords.map(({ marketId, terms }) => ({ marketId, terms: readTerms(terms) }));
  const spans = followed.flatMap(({ marketId, terms }) =>
    followedSpans(terms, today)
      .filter(({ to }) => to >= earliest)
      .map(({ from, to }) => ({ marketId, from: maxDay(from, earliest), to })),
  );
  const termsOf = new Map(followed.map(({ marketId, terms }) => [marketId, terms]));
  const standings = new Map<number, Standing>();
  for (const { marketId, date, ids } of await listNewestPlaces(tx, spans)) {
    const depth = termDepthOn(termsOf.get(marketId)!, date) ?? 0;
    for (const [index, listingId] of unpackIds(ids).slice(0, depth).entries()) {
      const known = standings.get(listingId) ?? {
        markets: new Set<number>(),
        best: index + 1,
        newest: date,
      };
      known.markets.add(marketId);
      standings.set(listingId, {
        markets: known.markets,
        best: Math.min(known.best, index + 1),
        newest: maxDay(known.newest, date),
      });
    }
  }
  return standings;
}

function toCandidate(
  phrase: string,
  apps: { name: string; standing: Standing }[],
): Candidate<'serp'> {
  const ranked = apps.toSorted((a, b) => a.standing.best - b.standing.best);
  return {
    phrase,
    weight: Math.min(92, 40 + 6 * apps.length + (10 - ranked[0]!.standing.best)),
    evidence: {
      source: 'serp',
      apps: apps.length,
      markets: new Set(apps.flatMap(({ standing }) => [...standing.markets])).size,
      bestPosition: ranked[0]!.standing.best,
      newest: apps.map(({ standing }) => standing.newest).reduce(maxDay),
      names: ranked.slice(0, maxNames).map(({ name }) => name),
    },
  };
}
