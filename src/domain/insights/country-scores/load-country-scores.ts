import type { z } from 'zod';
import type { countryScores } from '#contract/country-scores.ts';
import type { AppRow } from '#db/queries/apps/apps.ts';
import {
  listCountryScoreRows,
  type CountryScoreRow,
} from '#db/queries/country-scores/country-scores.ts';
import { listKeywordsToRate, type ScoredKeywordRow } from '#db/queries/scores/keyword-scores.ts';
import type { Tx } from '#db/database.ts';
import type { Ctx } from '#domain/base/context.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { loadPublished } from '#domain/tracking/popularity/load-published.ts';
import { readOwnWords } from '../scores/keyword-scores.ts';
import { scoreOpportunity } from '../scores/opportunity.ts';
import { trafficBasisOf } from '../scores/provenance.ts';

type Operation = (typeof countryScores)['GET /apps/{id}/country-scores'];
/** Without the words of its phrase, which only a shown page needs. */
export type CountryScore = Omit<z.input<Operation['responses'][200]>['items'][number], 'words'>;
type Figures = Omit<CountryScore, 'opportunity'>;

/**
 * The phrases that were requested in countries for an app, on a device, in the order of their first
 * request, with its opportunity computed now. Null means any phrase or country.
 */
export async function loadCountryScores(
  tx: Tx,
  ctx: Ctx,
  app: AppRow,
  { device, phrase, country }: { device: string; phrase: string | null; country: string | null },
): Promise<CountryScore[]> {
  const rows = await listCountryScoreRows(tx, ctx.workspaceId, {
    appId: app.id,
    device,
    phrase: phrase === null ? null : normalisePhrase(phrase),
    country,
  });
  const all = { appId: app.id, device, country, keywordIds: null };
  const keywords = rows.length === 0 ? [] : await listKeywordsToRate(tx, ctx.workspaceId, all);
  const keyOf = (name: { phrase: string; country: string }) => `${name.country} ${name.phrase}`;
  const keywordOf = new Map(keywords.map((keyword) => [keyOf(keyword), keyword]));
  const requested = new Set(rows.map(keyOf));
  const named = keywords.filter((keyword) => requested.has(keyOf(keyword)));
  const scores = await ctx.keywordScores.readProvenance(tx, named);
  const published = await loadPublished(
    tx,
    named.map(({ marketId, latestOn, isLatestImported }) => ({
      marketId,
      hasResults: latestOn !== null && !isLatestImported,
    })),
  );
  const { listingId } = app;
  const wordsIn = await readOwnWords(
    tx,
    [...new Set(rows.map((row) => row.country))].map((code) => ({ listingId, country: code })),
  );
  return rows.map((row) => {
    const keyword = keywordOf.get(keyOf(row));
    const figures = keyword
      ? ofKeyword(row, keyword, {
          score: scores.get(keyword.id),
          published: published.get(keyword.marketId),
        })
      : ofRow(row);
    const { traffic, trafficBasis, difficulty, position, depth } = figures;
    const isRated = traffic !== null && difficulty !== null && depth !== null;
    const own = wordsIn({ listingId, country: row.country });
    const basis = trafficBasis ?? 'estimate';
    const input = isRated && {
      phrase: row.phrase,
      traffic,
      trafficBasis: basis,
      difficulty,
      position,
      depth,
    };
    return { ...figures, opportunity: input ? scoreOpportunity(input, own).opportunity : null };
  });
}

const nameOf = ({ phrase, country, device, requestedAt }: CountryScoreRow) => ({
  phrase,
  country,
  device,
  requestedAt: requestedAt.toISOString(),
});

/** The certainty as it is stored. */
type Certainty = Pick<CountryScore, 'ranges' | 'published' | 'trafficBasis'> & {
  confidences: NonNullable<CountryScore['confidences']>;
};

function ofRow(row: CountryScoreRow): Figures {
  const certainty = row.certainty as Certainty | null;
  return {
    ...nameOf(row),
    state: stateOf(row),
    keywordId: null,
    jobId: row.openJobId,
    scoredAt: row.scoredAt?.toISOString() ?? null,
    position: row.position,
    depth: row.depth,
    traffic: row.traffic,
    difficulty: row.difficulty,
    ranges: certainty?.ranges ?? { traffic: null, difficulty: null },
    confidences: certainty?.confidences ?? null,
    trafficBasis: row.traffic === null ? null : (certainty?.trafficBasis ?? 'estimate'),
    published: certainty?.published ?? null,
    failure: row.failedAt && {
      reason: row.failure as NonNullable<CountryScore['failure']>['reason'],
      at: row.failedAt.toISOString(),
    },
  };
}

function stateOf({ openJobId, failedAt, scoredAt }: CountryScoreRow): CountryScore['state'] {
  if (openJobId !== null) return 'waiting';
  if (failedAt) return 'failed';
  return scoredAt ? 'scored' : 'not_scored';
}

type KeywordScore =
  Awaited<ReturnType<Ctx['keywordScores']['readProvenance']>> extends Map<number, infer Score>
    ? Score
    : never;

/**
 * The figures that tracking has; while it has none, those that were requested before it was
 * tracked.
 */
function ofKeyword(
  row: CountryScoreRow,
  keyword: ScoredKeywordRow,
  known: { score: KeywordScore | undefined; published: CountryScore['published'] | undefined },
): Figures {
  const { score } = known;
  const before = ofRow(row);
  const isChecked = keyword.latestOn !== null && keyword.latestDepth !== null;
  return {
    ...before,
    state: 'tracked',
    jobId: null,
    keywordId: keyword.id,
    ...(isChecked && { position: keyword.latestPosition, depth: keyword.latestDepth }),
    ...(score && {
      scoredAt: score.scoredAt,
      traffic: score.traffic,
      difficulty: score.difficulty,
      ranges: {
        traffic: score.provenance.ranges?.traffic ?? null,
        difficulty: score.provenance.ranges?.difficulty ?? null,
      },
      confidences: score.provenance.confidences,
      trafficBasis: score.traffic === null ? null : trafficBasisOf(score.provenance.evidence),
      published: known.published ?? null,
    }),
    failure: null,
  };
}
