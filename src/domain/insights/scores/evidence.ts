import type { z } from 'zod';
import type { scoreProvenance, trafficBasis } from '#contract/scores.ts';
import type { UtcDay } from '#lib/dates.ts';
import type { StoreName } from '#domain/base/ports.ts';
import type { Words } from './title-match.ts';

export type Provenance = z.output<typeof scoreProvenance>;
export type Confidence = Provenance['confidence'];
export type EvidenceItem = Provenance['evidence'][number];
export type TrafficBasis = z.output<typeof trafficBasis>;

/** An app in the first positions. */
export interface TopApp {
  title: Words;
  developer: Words;
  /** 0–5; null where the store shows none. */
  rating: number | null;
  ratingCount: number | null;
  /** Its ratings could not be read, so that it may have some. */
  isUnread?: boolean;
  releasedOn: UtcDay | null;
  /** Its best position in any chart of the country; null: in none, or unknown. */
  chartPosition: number | null;
}

export interface SerpEvidence {
  date: UtcDay;
  resultCount: number;
  /** The first results, at most twenty. */
  top: TopApp[];
  /** Positions that count: more than `top` has when the store said that there are no others. */
  positions: number;
}

/**
 * The response to a queried prefix: the position of the phrase among the suggestions (null: not
 * offered), their number, how many continue the phrase with another word, and whether one is its
 * plural (1) or not (0). Evidence from before version 2 ends after the position.
 */
export type HintOffer = [
  prefix: string,
  position: number | null,
  shown?: number,
  continuing?: number,
  plural?: number,
];

export interface HintEvidence {
  date: UtcDay;
  offered: HintOffer[];
}

/** A number that the store itself publishes for the phrase, 0–100. */
export interface PublishedPopularity {
  popularity: number;
  genre: string | null;
  /** The week (its first day) or month (`2026-03`) of the number. */
  period: string;
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
  /** Null: the store publishes no number for the phrase, or none is stored. */
  popularity: PublishedPopularity | null;
  /** A phrase that the store does not list has at most this number; null: unknown. */
  popularityBound: number | null;
  /** The list that has the number or proves the bound; absent without either. */
  publishedList?: NonNullable<Provenance['inputs']['publishedList']>;
}

/** The limits between which a score probably is, 0–100. */
export interface ScoreRange {
  low: number;
  high: number;
}

/** A score with its evidence; null without evidence. */
export interface Scored {
  score: number | null;
  range: ScoreRange | null;
  evidence: EvidenceItem[];
  missing: string[];
  confidence: Confidence;
}

/** `estimate` is the score from the signals alone, which a published number or a bound replaces. */
export interface ScoredTraffic extends Scored {
  estimate: Pick<Scored, 'score' | 'range' | 'evidence'> | null;
}
