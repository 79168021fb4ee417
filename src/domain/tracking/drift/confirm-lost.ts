import type { UtcDay } from '#lib/dates.ts';
import type { FieldReading } from './field-reading.ts';
import type { FieldSource, FieldWatch } from './field-watch.ts';

/** The values that a reading lacked although they were there before, and its day. */
export interface LostValues {
  lostOn: UtcDay | null;
  lostFields: string[];
}

/** A reading, with the lost values of the last one of the same listing. */
export interface Compared extends LostValues {
  reading: FieldReading;
}

/** With the lost values that the next reading may confirm. */
export interface ConfirmedReading extends LostValues {
  /** Fields whose absence is no fact: their known values stay. */
  untrusted: string[];
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
  return compared.map(({ reading: { missing, lost }, lostOn, lostFields }) => {
    const confirmed = lostOn !== null && lostOn < at.day ? lostFields : [];
    const fields = lost.filter((field) => !drifting.includes(field) && !confirmed.includes(field));
    return {
      untrusted: [...missing.filter((field) => drifting.includes(field)), ...fields],
      lostOn: fields.length === 0 ? null : at.day,
      lostFields: fields,
    };
  });
}
