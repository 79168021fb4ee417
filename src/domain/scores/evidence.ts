import type { z } from 'zod';
import type { scoreProvenance } from '../../contract/scores.ts';
import type { UtcDay } from '../../lib/dates.ts';
import type { StoreName } from '../ports.ts';
import type { Words } from './title-match.ts';

export type Provenance = z.output<typeof scoreProvenance>;
export type Confidence = Provenance['confidence'];
export type EvidenceItem = Provenance['evidence'][number];

/** An app among the first places. */
export interface TopApp {
  title: Words;
  developer: Words;
  /** 0–5; null where the store shows none. */
  rating: number | null;
  ratingCount: number | null;
  releasedOn: UtcDay | null;
  /** Its best place in any chart of the country; null: in none, or none is known. */
  chartPlace: number | null;
}

export interface SerpEvidence {
  date: UtcDay;
  resultCount: number;
  /** The first places, at most ten. */
  top: TopApp[];
  /** Places that count: more than `top` holds when the store said that nobody else is there. */
  places: number;
}

export interface HintEvidence {
  date: UtcDay;
  /** What was asked, and in which place the phrase was offered; null: it was not. */
  offered: [prefix: string, place: number | null][];
}

/** All that is known of a market on a day; what scores are made from and nothing else. */
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

/** A score with all that it was made from; null where there was nothing to make it from. */
export interface Scored {
  score: number | null;
  evidence: EvidenceItem[];
  missing: string[];
  confidence: Confidence;
}
