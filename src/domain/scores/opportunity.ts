import { opportunityFormula } from './formulas.ts';
import { shareOfWords, toWords, type Words } from './title-match.ts';
import { clamp, toScore } from './weigh.ts';

const rules = opportunityFormula.normalisations;

/** A listing's own texts as words, so that a thousand phrases are compared with them quickly. */
export interface OwnWords {
  name: Words;
  subtitle: Words;
  description: Words;
}

export interface OpportunityInput {
  phrase: string;
  traffic: number;
  difficulty: number;
  /** 1-based, or null: checked and not found within `depth`. */
  position: number | null;
  depth: number;
}

export interface Opportunity {
  opportunity: number;
  components: {
    traffic: number;
    difficulty: number;
    position: number | null;
    depth: number;
    headroom: number;
    relevance: number;
  };
  explanation: string;
}

/** What there is to win for an app with a phrase, 0–100: volume × (1 − (difficulty/100)²) × headroom × relevance. Pure; never stored. */
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

/** The share of clicks that the app does not get yet; all of them where it is not found. */
function headroomOf(position: number | null): number {
  return position === null ? 1 : clamp(1 - position ** -rules.clickDecay);
}

/** What the listing says of the phrase, or what the store shows by ranking it: the better of the two. */
function relevanceOf(phrase: Words, position: number | null, own: OwnWords): number {
  const named = Math.max(
    rules.relevanceName * shareOfWords(phrase, own.name),
    rules.relevanceSubtitle * shareOfWords(phrase, own.subtitle),
    rules.relevanceDescription * shareOfWords(phrase, own.description),
  );
  return Math.max(
    rules.relevanceFloor + (1 - rules.relevanceFloor) * named,
    rankedRelevance(position),
  );
}

function rankedRelevance(position: number | null): number {
  if (position === null) return 0;
  return position <= 10
    ? rules.relevanceTop10
    : position <= 50
      ? rules.relevanceTop50
      : rules.relevanceRanked;
}

function explain(
  input: OpportunityInput,
  made: { opportunity: number; reachable: number; headroom: number; relevance: number },
): string {
  const percent = (share: number) => `${toScore(share)} %`;
  const place =
    input.position === null
      ? `not found in the first ${input.depth}`
      : `at position ${input.position}`;
  return (
    `Traffic ${input.traffic}, of which difficulty ${input.difficulty} leaves ${percent(made.reachable)} within reach; ` +
    `${place}, so ${percent(made.headroom)} is still to win; the listing fits by ${percent(made.relevance)}. ` +
    `Together ${made.opportunity} of 100.`
  );
}
