import type { StoreName } from '#domain/base/ports.ts';
import { findAnomaly, type Comparison, type FoundAnomaly } from './find-anomaly.ts';

/** Older responses leave the window, so that the beginning of an anomaly is noticed soon. */
export const window = { size: 40, ms: 3_600_000 };
/** Whole responses as recent as this speak for the provider. */
const evidenceMs = 10 * 60_000;
const minEvidence = 5;

interface Observed {
  latest: Comparison[];
  /** Endpoints whose responses alone were short, and when. */
  blamedAt: Map<string, number>;
}

const observedBy = new WeakMap<object, Map<string, Observed>>();

/** The observations of a provider by this process; `services` is its key. */
function observedOf(services: object, store: StoreName, provider: string): Observed {
  const ofProcess = observedBy.get(services) ?? new Map<string, Observed>();
  observedBy.set(services, ofProcess);
  const key = `${store} ${provider}`;
  const observed = ofProcess.get(key) ?? { latest: [], blamedAt: new Map<string, number>() };
  ofProcess.set(key, observed);
  return observed;
}

/**
 * Adds a response of a market with a usual length. Returns an anomaly once; the window then begins
 * anew. For as long as an endpoint at fault cools down, only the others are compared: when their
 * responses are short as well, the store is at fault. Every process watches its own responses.
 */
export function observeResponse(
  services: object,
  { store, provider, endpoints }: { store: StoreName; provider: string; endpoints: number },
  comparison: Comparison,
): FoundAnomaly | null {
  const observed = observedOf(services, store, provider);
  for (const [endpoint, atMs] of observed.blamedAt)
    if (comparison.atMs - atMs > window.ms) observed.blamedAt.delete(endpoint);
  // The request was on its way when its endpoint began to cool down.
  if (observed.blamedAt.has(comparison.endpoint)) return null;
  const { latest, blamedAt } = observed;
  latest.push(comparison);
  while (latest.length > window.size || comparison.atMs - latest[0]!.atMs > window.ms)
    latest.shift();
  const found = comparison.isShort ? findAnomaly(latest, endpoints - blamedAt.size) : null;
  if (found === null) return null;
  observed.latest = [];
  if (found.endpoint === null) blamedAt.clear();
  else blamedAt.set(found.endpoint, comparison.atMs);
  return found;
}

/** True when the latest responses, all of the last minutes, were whole. */
export function isRecentlyWhole(
  services: object,
  { store, provider, nowMs }: { store: StoreName; provider: string; nowMs: number },
): boolean {
  const recent = observedOf(services, store, provider).latest.filter(
    ({ atMs }) => nowMs - atMs <= evidenceMs,
  );
  return (
    recent.length >= minEvidence && recent.slice(-minEvidence).every(({ isShort }) => !isShort)
  );
}
