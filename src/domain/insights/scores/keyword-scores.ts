import { LRUCache } from 'lru-cache';
import type { Tx } from '#db/database.ts';
import {
  listMarketScores,
  listOwnTexts,
  type MarketScore,
  type OwnText,
} from '#db/queries/scores/keyword-scores.ts';
import type { KeywordScores, ScoredKeyword } from '#domain/base/ports/keyword-score-reader.ts';
import {
  parseTrackingPeriods,
  trackedDepthOn,
} from '#domain/tracking/rankings/tracking-periods.ts';
import { scoreOpportunity, type Opportunity, type OwnWords } from './opportunity.ts';
import { toWords, type Words } from './title-match.ts';

interface RatedScores extends KeywordScores {
  /** Null without both scores, and when the app was never checked, because nothing is guessed. */
  opportunity: Opportunity | null;
}

/**
 * The latest scores of keywords by id, with the opportunity computed now. Two statements for any
 * number.
 */
export async function readKeywordScores(
  tx: Tx,
  keywords: readonly ScoredKeyword[],
): Promise<Map<number, RatedScores>> {
  if (keywords.length === 0) return new Map();
  const scores = new Map(
    (await listMarketScores(tx, [...new Set(keywords.map((keyword) => keyword.marketId))])).map(
      (score) => [score.marketId, score],
    ),
  );
  const visible = keywords.flatMap((keyword) => {
    const score = scores.get(keyword.marketId);
    return score && isVisible(keyword.trackingPeriods, score) ? [{ keyword, score }] : [];
  });
  const ownWords = await readOwnWords(
    tx,
    visible.map(({ keyword }) => keyword),
  );
  return new Map(
    visible.map(({ keyword, score }) => [
      keyword.id,
      {
        traffic: score.traffic,
        difficulty: score.difficulty,
        trafficRange: toStoredRange(score.trafficLow, score.trafficHigh),
        difficultyRange: toStoredRange(score.difficultyLow, score.difficultyHigh),
        opportunity: rate(keyword, score, ownWords),
      },
    ]),
  );
}

const toStoredRange = (low: number | null, high: number | null) =>
  low === null || high === null ? null : { low, high };

/** A score from evidence of a day when the workspace did not track the market is not visible. */
export function isVisible(
  trackingPeriods: unknown,
  { observedOn }: Pick<MarketScore, 'observedOn'>,
): boolean {
  return (trackedDepthOn(parseTrackingPeriods(trackingPeriods), observedOn) ?? 0) > 0;
}

function rate(
  keyword: ScoredKeyword,
  { traffic, trafficBasis, difficulty }: MarketScore,
  ownWords: (keyword: ScoredKeyword) => OwnWords,
): Opportunity | null {
  if (
    traffic === null ||
    difficulty === null ||
    keyword.latestOn === null ||
    keyword.latestDepth === null
  )
    return null;
  const { phrase, latestPosition: position, latestDepth: depth } = keyword;
  return scoreOpportunity(
    { phrase, traffic, trafficBasis: trafficBasis ?? 'estimate', difficulty, position, depth },
    ownWords(keyword),
  );
}

/** A listing's words in the keyword's country, or else in the app's primary country. */
export async function readOwnWords(
  tx: Tx,
  keywords: readonly ShownIn[],
): Promise<(keyword: ShownIn) => OwnWords> {
  if (keywords.length === 0) return () => toOwnWords(undefined);
  const keyOf = ({ listingId, country }: ShownIn) => `${listingId} ${country}`;
  const shown = new Map(keywords.map((keyword) => [keyOf(keyword), keyword]));
  const texts = await listOwnTexts(tx, [...shown.values()]);
  const words = new Map(
    [...shown].map(([key, keyword]) => [key, toOwnWords(pickText(texts, keyword))]),
  );
  return (keyword) => words.get(keyOf(keyword))!;
}

type ShownIn = Pick<ScoredKeyword, 'listingId' | 'country'>;

function pickText(texts: readonly OwnText[], { listingId, country }: ShownIn): OwnText | undefined {
  const known = texts.filter((text) => text.listingId === listingId && text.name !== null);
  return known.find((text) => text.country === country) ?? known[0];
}

/** Descriptions are long, and read again for each page of keywords. */
const descriptions = new LRUCache<string, Words>({ max: 32, memoMethod: toWords });

function toOwnWords(text: OwnText | undefined): OwnWords {
  return {
    name: toWords(text?.name ?? ''),
    subtitle: toWords(text?.subtitle ?? ''),
    description: descriptions.memo(text?.description ?? ''),
  };
}
