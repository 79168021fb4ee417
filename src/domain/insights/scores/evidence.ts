import type { z } from 'zod';
import type { scoreProvenance } from '#contract/scores.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { Words } from './title-match.ts';

export type Provenance = z.output<typeof scoreProvenance>;
export type Confidence = Provenance['confidence'];
export type EvidenceItem = Provenance['evidence'][number];

/** An app in the first positions. */
export interface TopApp {
  title: Words;
  developer: Words;
  /** 0–5; null where the store shows none. */
  rating: number | null;
  ratingCount: number | null;
  releasedOn: UtcDay | null;
  /** Its best position in any chart of the country; null: in none, or unknown. */
  chartPosition: number | null;
}

export interface SerpEvidence {
  date: UtcDay;
  resultCount: number;
  /** The first results, at most ten. */
  top: TopApp[];
  /** Positions that count: more than `top` has when the store said that there are no others. */
  positions: number;
}

export interface HintEvidence {
  date: UtcDay;
  /** The queried prefix, and the position of the phrase among its hints; null: not offered. */
  offered: [prefix: string, position: number | null][];
}

/** All known facts of a market on a day. Scores depend on nothing else. */
export interface MarketEvidence {
  store: StoreName;
  country: string;
  phrase: Words;
  asOf: UtcDay;
  serp: SerpEvidence | null;
  hints: HintEvidence | null;
  /** False: no chart of the country is known. */
  chartsKnown: boolean;
}

/** A score with its evidence; null without evidence. */
export interface Scored {
  score: number | null;
  evidence: EvidenceItem[];
  missing: string[];
  confidence: Confidence;
}
