import jstat from 'jstat';

/** A response of a market with a usual length. */
export interface Comparison {
  /** It was far shorter than usual. */
  isShort: boolean;
  /** The egress endpoint of the request. */
  endpoint: string;
  atMs: number;
}

export interface FoundAnomaly {
  compared: number;
  short: number;
  /** When the first of the short responses came. */
  sinceMs: number;
  /** The endpoint through which alone responses are short; null when the whole store's are. */
  endpoint: string | null;
}

/** More short responses than this share are rare on honest days; a single market may shrink. */
const usualShare = 0.05;
/** So improbable that it happens by chance once in years. */
const maxProbability = 2e-4;
const minShort = 3;
/** Whole responses through other endpoints that blame a single one. */
const minOthers = 3;

/**
 * An anomaly among the latest responses: more of them are short than honest days make likely. When
 * those through other endpoints are whole, the endpoint of the short ones is named; with several
 * `endpoints` responses through others decide. Pure.
 */
export function findAnomaly(
  comparisons: readonly Comparison[],
  endpoints: number,
): FoundAnomaly | null {
  const short = comparisons.filter(({ isShort }) => isShort);
  if (!isImprobable(short.length, comparisons.length)) return null;
  const found = { compared: comparisons.length, short: short.length, sinceMs: short[0]!.atMs };
  const shortEndpoints = new Set(short.map(({ endpoint }) => endpoint));
  if (endpoints === 1 || shortEndpoints.size > 1) return { ...found, endpoint: null };
  const [endpoint] = shortEndpoints;
  const others = comparisons.filter((comparison) => comparison.endpoint !== endpoint);
  return others.length < minOthers ? null : { ...found, endpoint: endpoint! };
}

function isImprobable(short: number, compared: number): boolean {
  return (
    short >= minShort && 1 - jstat.binomial.cdf(short - 1, compared, usualShare) < maxProbability
  );
}
