export const msPerDay = 86_400_000;

/** Some of a day goes into what is asked twice. */
const margin = 1.05;

/**
 * Milliseconds after midnight UTC at which a run opens: at DAILY_RUN_AT, or earlier where its work would not be done by the next
 * midnight. What is asked after it belongs to another day.
 */
export function openingMs(dailyRunAtMinutes: number, neededMs: number): number {
  return Math.max(0, Math.min(dailyRunAtMinutes * 60_000, msPerDay - neededMs * margin));
}
