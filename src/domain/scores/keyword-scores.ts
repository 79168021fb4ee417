import type { Tx } from '../../db/database.ts';
import {
  listMarketScores,
  listOwnTexts,
  type MarketScore,
  type OwnText,
} from '../../db/queries/keyword-scores.ts';
import { readTerms, termDepthOn } from '../rankings/terms.ts';
import { scoreOpportunity, type Opportunity, type OwnWords } from './opportunity.ts';
import { toWords } from './title-match.ts';

/** As much of a keyword as its scores need. */
export interface RatedKeyword {
  id: number;
  phrase: string;
  country: string;
  marketId: number;
  listingId: number;
  terms: unknown;
  latestOn: string | null;
  latestPosition: number | null;
  latestDepth: number | null;
}

export interface KeywordScores {
  traffic: number | null;
  difficulty: number | null;
  /** Null without both scores, and where the app was never looked for: nothing is guessed. */
  opportunity: Opportunity | null;
}

/**
 * The newest scores of keywords by id, and what there is to win, computed now. Two statements, whatever the number.
 */
export async function readKeywordScores(
  tx: Tx,
  keywords: readonly RatedKeyword[],
): Promise<Map<number, KeywordScores>> {
  if (keywords.length === 0) return new Map();
  const scores = new Map(
    (await listMarketScores(tx, [...new Set(keywords.map((keyword) => keyword.marketId))])).map(
      (score) => [score.marketId, score],
    ),
  );
  const visible = keywords.flatMap((keyword) => {
    const score = scores.get(keyword.marketId);
    return score && isVisible(keyword.terms, score) ? [{ keyword, score }] : [];
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
        opportunity: rate(keyword, score, ownWords),
      },
    ]),
  );
}

/** A score made from evidence of a day on which the workspace did not follow the market is not told. */
export function isVisible(
  terms: unknown,
  { observedOn }: Pick<MarketScore, 'observedOn'>,
): boolean {
  return (termDepthOn(readTerms(terms), observedOn) ?? 0) > 0;
}

function rate(
  keyword: RatedKeyword,
  { traffic, difficulty }: MarketScore,
  ownWords: (keyword: RatedKeyword) => OwnWords,
): Opportunity | null {
  if (
    traffic === null ||
    difficulty === null ||
    keyword.latestOn === null ||
    keyword.latestDepth === null
  )
    return null;
  const { phrase, latestPosition: position, latestDepth: depth } = keyword;
  return scoreOpportunity({ phrase, traffic, difficulty, position, depth }, ownWords(keyword));
}

/** A listing's words in the keyword's country; where it was not read there, in another; the card's name before any reading. */
async function readOwnWords(
  tx: Tx,
  keywords: readonly RatedKeyword[],
): Promise<(keyword: RatedKeyword) => OwnWords> {
  if (keywords.length === 0) return () => toOwnWords(undefined);
  const texts = await listOwnTexts(tx, [...new Set(keywords.map((keyword) => keyword.listingId))]);
  const known = new Map<string, OwnWords>();
  return ({ listingId, country }) => {
    const key = `${listingId} ${country}`;
    const own = known.get(key) ?? toOwnWords(pickText(texts, listingId, country));
    known.set(key, own);
    return own;
  };
}

function pickText(
  texts: readonly OwnText[],
  listingId: number,
  country: string,
): OwnText | undefined {
  const own = texts.filter((text) => text.listingId === listingId);
  return own.find((text) => text.country === country) ?? own[0];
}

function toOwnWords(text: OwnText | undefined): OwnWords {
  return {
    name: toWords(text?.name ?? ''),
    subtitle: toWords(text?.subtitle ?? ''),
    description: toWords(text?.description ?? ''),
  };
}
