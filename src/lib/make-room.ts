/** A count that is good until it ends. */
export interface Count {
  used: number;
  endsMs: number;
}

/** Takes a tenth of `max` away once there are so many: what is over first, then the emptiest. Many small ones push no full one out. */
export function makeRoom(counts: Map<string, Count>, max: number, nowMs: number): void {
  if (counts.size < max) return;
  const weigh = ({ used, endsMs }: Count) => (endsMs > nowMs ? used : 0);
  const lightest = [...counts]
    .toSorted(([, a], [, b]) => weigh(a) - weigh(b))
    .slice(0, Math.ceil(max / 10));
  for (const [key] of lightest) counts.delete(key);
}
