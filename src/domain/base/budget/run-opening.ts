export const msPerDay = 86_400_000;

/** Reserve for repeated requests. */
const margin = 1.05;

/**
 * Milliseconds after midnight UTC at which a run opens: at DAILY_RUN_AT, or earlier when its work
 * would not be done by the next midnight. Requests after that belong to the next day.
 */
export function openingMs(dailyRunAtMinutes: number, neededMs: number): number {
  return Math.max(0, Math.min(dailyRunAtMinutes * 60_000, msPerDay - neededMs * margin));
}
