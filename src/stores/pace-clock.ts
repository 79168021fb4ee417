/**
 * Estimates the database's clock. Each query brackets it between the moments of sending and
 * receiving. The overlap of the brackets is narrower than any round trip, so a busy pool does not
 * look like a late sender.
 */
export interface PaceClock {
  /** The database read `serverUs` between `sentMs` and `respondedMs` of performance.now(). */
  observe(serverUs: number, sentMs: number, respondedMs: number): void;
  /** Milliseconds until the server's clock has certainly reached the instant; negative after it. */
  untilSafeMs(instantUs: number): number;
  /** The maximum number of milliseconds by which the instant may have passed. */
  latenessMs(instantUs: number): number;
}

/** Two good clocks drift apart by less than this share of the elapsed time. */
const driftRatio = 0.0002;

export function createPaceClock(nowMs: () => number = () => performance.now()): PaceClock {
  let lowest = -Infinity;
  let highest = Infinity;
  let observedAtMs = 0;

  return {
    observe(serverUs, sentMs, respondedMs) {
      const low = serverUs / 1000 - respondedMs;
      const high = serverUs / 1000 - sentMs;
      const drift = (respondedMs - observedAtMs) * driftRatio;
      observedAtMs = respondedMs;
      lowest = Math.max(lowest - drift, low);
      highest = Math.min(highest + drift, high);
      // Brackets that do not overlap mean that one of the clocks was set. Then only the newest
      // counts.
      if (lowest > highest) [lowest, highest] = [low, high];
    },
    untilSafeMs: (instantUs) => instantUs / 1000 - (nowMs() + lowest),
    latenessMs: (instantUs) => nowMs() + highest - instantUs / 1000,
  };
}
