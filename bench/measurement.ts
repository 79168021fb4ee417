export interface Measurement {
  name: string;
  scale: string;
  measured: number;
  unit: string;
  /** The limit, a minimum if `isLeast`; null for a figure without a goal. */
  goal: number | null;
  isLeast?: true;
}

/** Milliseconds of each of `times` runs, sorted; a few warm-up runs are not counted. */
export async function timeRuns(times: number, run: () => Promise<unknown>): Promise<number[]> {
  for (let warm = 0; warm < 8; warm += 1) await run();
  const taken: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const start = performance.now();
    await run();
    taken.push(performance.now() - start);
  }
  return taken.toSorted((a, b) => a - b);
}

/** The value that a share of the sorted ones does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
