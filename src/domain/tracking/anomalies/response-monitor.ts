import type { StoreName } from '#domain/base/ports.ts';
import { findAnomaly, type Comparison, type FoundAnomaly } from './find-anomaly.ts';

/** Older responses leave the window, so that the beginning of an anomaly is noticed soon. */
const window = { size: 40, ms: 3_600_000 };
/** Whole responses as recent as this speak for the provider. */
const evidenceMs = 10 * 60_000;
const minEvidence = 5;

const windows = new WeakMap<object, Map<string, Comparison[]>>();

/** The latest comparisons of a provider in this process; `services` is its key. */
function latestOf(services: object, store: StoreName, provider: string): Comparison[] {
  const ofProcess = windows.get(services) ?? new Map<string, Comparison[]>();
  windows.set(services, ofProcess);
  const key = `${store} ${provider}`;
  const latest = ofProcess.get(key) ?? [];
  ofProcess.set(key, latest);
  return latest;
}

/**
 * Adds a response of a market with a usual length. Returns an anomaly once; the window then begins
 * anew. Every process watches its own responses.
 */
export function observeResponse(
  services: object,
  { store, provider, endpoints }: { store: StoreName; provider: string; endpoints: number },
  comparison: Comparison,
): FoundAnomaly | null {
  const latest = latestOf(services, store, provider);
  latest.push(comparison);
  while (latest.length > window.size || comparison.atMs - latest[0]!.atMs > window.ms)
    latest.shift();
  const found = comparison.isShort ? findAnomaly(latest, endpoints) : null;
  if (found !== null) latest.length = 0;
  return found;
}

/** True when the latest responses, all of the last minutes, were whole. */
export function isRecentlyWhole(
  services: object,
  { store, provider, nowMs }: { store: StoreName; provider: string; nowMs: number },
): boolean {
  const recent = latestOf(services, store, provider).filter(
    ({ atMs }) => nowMs - atMs <= evidenceMs,
  );
  return (
    recent.length >= minEvidence && recent.slice(-minEvidence).every(({ isShort }) => !isShort)
  );
}
