/** A count that is valid until it ends. */
export interface Count {
  used: number;
  endsMs: number;
}

/**
 * Evicts a tenth of `max` when it is reached: expired entries first, then the lowest counts. Many
 * small entries evict no full one.
 */
export function evictLightest(counts: Map<string, Count>, max: number, nowMs: number): void {
  if (counts.size < max) return;
  const weigh = ({ used, endsMs }: Count) => (endsMs > nowMs ? used : 0);
  const lightest = [...counts]
    .toSorted(([, a], [, b]) => weigh(a) - weigh(b))
    .slice(0, Math.ceil(max / 10));
  for (const [key] of lightest) counts.delete(key);
}
