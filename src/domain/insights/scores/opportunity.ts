import type { TrafficBasis } from './evidence.ts';
import { opportunityFormula } from './formulas.ts';
import { shareOfWords, toWords, type Words } from './title-match.ts';
import { clamp, toScore } from './weighted-score.ts';

const rules = opportunityFormula.normalisations;

/** A listing's texts split into words, to compare a thousand phrases quickly. */
export interface OwnWords {
  name: Words;
  subtitle: Words;
  description: Words;
}

export interface OpportunityInput {
  phrase: string;
  traffic: number;
  trafficBasis: TrafficBasis;
  difficulty: number;
  /** 1-based, or null: checked and not found within `depth`. */
  position: number | null;
  depth: number;
}

export interface Opportunity {
  opportunity: number;
  components: {
    traffic: number;
    trafficBasis: TrafficBasis;
    difficulty: number;
    position: number | null;
    depth: number;
    headroom: number;
    relevance: number;
  };
  explanation: string;
}

/**
 * The opportunity of a phrase for an app, 0–100: volume × (1 − (difficulty/100)²) × headroom ×
 * relevance. Pure; never stored.
 */
export function scoreOpportunity(input: OpportunityInput, own: OwnWords): Opportunity {
  const headroom = headroomOf(input.position);
  const relevance = relevanceOf(toWords(input.phrase), input.position, own);
  const reachable = 1 - (input.difficulty / 100) ** 2;
  const opportunity = toScore((input.traffic / 100) * reachable * headroom * relevance);
  const { phrase: _, ...shown } = input;
  const components = { ...shown, headroom: toScore(headroom), relevance: toScore(relevance) };
  return {
    opportunity,
    components,
    explanation: explain(input, { opportunity, reachable, headroom, relevance }),
  };
}

/** The share of clicks that the app does not get yet; all of them when it is not found. */
function headroomOf(position: number | null): number {
  return position === null ? 1 : clamp(1 - position ** -rules.clickDecay);
}

/** Relevance by the listing's texts or by the store's ranking, whichever is higher. */
function relevanceOf(phrase: Words, position: number | null, own: OwnWords): number {
  const relevance = Math.max(
    relevanceOfShare(rules.relevanceName * shareOfWords(phrase, own.name)),
    relevanceOfShare(rules.relevanceSubtitle * shareOfWords(phrase, own.subtitle)),
    rankedRelevance(position),
  );
  // A description is long, and rarely gives more than the others.
  if (relevance >= relevanceOfShare(rules.relevanceDescription)) return relevance;
  const described = rules.relevanceDescription * shareOfWords(phrase, own.description);
  return Math.max(relevance, relevanceOfShare(described));
}

const relevanceOfShare = (share: number): number =>
  rules.relevanceFloor + (1 - rules.relevanceFloor) * share;

function rankedRelevance(position: number | null): number {
  if (position === null) return 0;
  return position <= 10
    ? rules.relevanceTop10
    : position <= 50
      ? rules.relevanceTop50
      : rules.relevanceRanked;
}

const basisTexts: Readonly<Record<TrafficBasis, string>> = {
  published: ' (published by the store)',
  bound: ' (the most that is possible without being listed by the store)',
  estimate: ' (estimated)',
};

function explain(
  input: OpportunityInput,
  made: { opportunity: number; reachable: number; headroom: number; relevance: number },
): string {
  const percent = (share: number) => `${toScore(share)} %`;
  const position =
    input.position === null
      ? `not found in the first ${input.depth}`
      : `at position ${input.position}`;
  const { traffic, trafficBasis, difficulty } = input;
  return (
    `Traffic ${traffic}${basisTexts[trafficBasis]}, of which difficulty ${difficulty} leaves ` +
    `${percent(made.reachable)} within reach; ${position}, so ${percent(made.headroom)} can ` +
    `still be gained; the relevance of the listing is ${percent(made.relevance)}. Opportunity ` +
    `${made.opportunity} of 100.`
  );
}
