import type { UtcDay } from '#lib/dates.ts';
import type { FieldReading } from './field-reading.ts';
import type { FieldSource, FieldWatch } from './field-watch.ts';
import { formatLostMarker, parseLostMarker } from './lost-marker.ts';

/** A reading and the marker that the last reading of the same listing left in its schedule. */
export interface Compared {
  reading: FieldReading;
  lastMarker: string | null;
}

export interface ConfirmedReading {
  /** Fields whose absence is no fact: their known values stay. */
  untrusted: string[];
  /** For the schedule; null when no value waits for its confirmation. */
  marker: string | null;
}

/**
 * Counts readings of a listing's facts and decides which absent values are facts. A value that was
 * there before is lost when a reading of a later day lacks it too; until then it may be the first
 * sign of a drift. While a field drifts, nothing is lost.
 */
export function confirmLost(
  watch: FieldWatch,
  at: FieldSource & { day: UtcDay },
  compared: readonly Compared[],
): ConfirmedReading[] {
  watch.add(
    at,
    compared.map(({ reading }) => reading),
  );
  const drifting = watch.listDrifting(at);
  return compared.map(({ reading: { missing, lost }, lastMarker }) => {
    const before = parseLostMarker(lastMarker);
    const confirmed = before !== null && before.on < at.day ? before.fields : [];
    const fields = lost.filter((field) => !drifting.includes(field) && !confirmed.includes(field));
    return {
      untrusted: [...missing.filter((field) => drifting.includes(field)), ...fields],
      marker: formatLostMarker({ on: at.day, fields }),
    };
  });
}
