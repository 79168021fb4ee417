/**
 * Knows the database's clock from here. Each query brackets it between the moments it was sent and answered;
 * the overlap of the brackets is narrower than any round trip, so a busy pool does not look like a late sender.
 */
export interface PaceClock {
  /** `serverUs` was read by the database between `sentMs` and `answeredMs` of performance.now(). */
  observe(serverUs: number, sentMs: number, answeredMs: number): void;
  /** Milliseconds until the server's clock has certainly reached the instant; negative once it has. */
  untilSafeMs(instantUs: number): number;
  /** Milliseconds by which the instant may have passed at most. */
  latenessMs(instantUs: number): number;
}

/** Two good clocks drift apart by less than this much of the time passed. */
const driftRatio = 0.0002;

export function createPaceClock(nowMs: () => number = () => performance.now()): PaceClock {
  let lowest = -Infinity;
  let highest = Infinity;
  let observedAtMs = 0;

  return {
    observe(serverUs, sentMs, answeredMs) {
      const low = serverUs / 1000 - answeredMs;
      const high = serverUs / 1000 - sentMs;
      const drift = (answeredMs - observedAtMs) * driftRatio;
      observedAtMs = answeredMs;
      lowest = Math.max(lowest - drift, low);
      highest = Math.min(highest + drift, high);
      // Brackets that do not overlap: one of the clocks was set. Only the newest counts then.
      if (lowest > highest) [lowest, highest] = [low, high];
    },
    untilSafeMs: (instantUs) => instantUs / 1000 - (nowMs() + lowest),
    latenessMs: (instantUs) => nowMs() + highest - instantUs / 1000,
  };
}
