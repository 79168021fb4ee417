import type { Tx } from '#db/database.ts';
import {
  findListingTexts,
  listCompetitorTexts,
  type ListingTextsRow,
} from '#db/queries/suggestions/suggestions.ts';
import type { Ctx } from '#domain/base/context.ts';
import { suggestPhrases } from '#domain/tracking/listings/suggest-phrases.ts';
import type { Candidate, StoredSource } from './candidate.ts';
import { listSerpCandidates } from './serp-candidates.ts';

const maxNames = 3;

/** Phrases from stored data, without a store request; best first, once per source. */
export async function listStoredCandidates(
  tx: Tx,
  ctx: Ctx,
  question: { appId: number; country: string; device: string; sources: readonly string[] },
): Promise<Candidate<StoredSource>[]> {
  const { appId, country, device, sources } = question;
  const own = await findListingTexts(tx, ctx.workspaceId, appId, country);
  const competitors = sources.includes('competitors')
    ? await listCompetitorTexts(tx, ctx.workspaceId, appId, country)
    : [];
  const candidates = [
    ...(own && sources.includes('listing') ? listOwnCandidates(own) : []),
    ...listCompetitorCandidates(competitors),
    ...(own && sources.includes('serp')
      ? await listSerpCandidates(tx, ctx, {
          appId,
          country,
          device,
          ownListingId: own.listingId,
        })
      : []),
  ];
  return candidates.toSorted((a, b) => b.weight - a.weight);
}

function listOwnCandidates(own: ListingTextsRow): Candidate<'listing'>[] {
  return listPhrases(own).map(({ phrase, source }, index) => ({
    phrase,
    weight: 90 - 2 * index,
    evidence: {
      source: 'listing',
      field: source,
      country: own.country,
      takenAt: own.takenAt?.toISOString() ?? null,
    },
  }));
}

/** A phrase of several competitors has a higher weight. */
function listCompetitorCandidates(
  competitors: readonly ListingTextsRow[],
): Candidate<'competitors'>[] {
  const users = new Map<string, { apps: ListingTextsRow[]; best: number }>();
  for (const app of competitors) {
    for (const [index, { phrase }] of listPhrases(app).entries()) {
      const known = users.get(phrase) ?? { apps: [], best: index };
      users.set(phrase, { apps: [...known.apps, app], best: Math.min(known.best, index) });
    }
  }
  return [...users].map(([phrase, { apps, best }]) => ({
    phrase,
    weight: Math.min(95, 58 - best + 12 * apps.length),
    evidence: {
      source: 'competitors',
      competitors: apps.length,
      apps: apps
        .slice(0, maxNames)
        .map((app) => ({ storeAppId: app.storeAppId, name: app.name ?? app.storeAppId })),
    },
  }));
}

function listPhrases(texts: ListingTextsRow) {
  return texts.name === null ? [] : suggestPhrases({ ...texts, name: texts.name });
}
