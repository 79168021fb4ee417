import type { z } from 'zod';
import { fieldSources, type FieldSourceName } from '#contract/choices.ts';
import type { fieldDrift } from '#contract/drift.ts';
import type { FieldDay } from '#db/queries/drift/field-days.ts';
import type { FieldDrift, SourceFieldRow } from '#db/queries/drift/field-drifts.ts';

export type DriftRecord = z.input<typeof fieldDrift>;

/** The parts of a stored source: `search/web` is a search by `web`. */
export function splitSource(of: string): { source: FieldSourceName; provider: string | null } {
  const [name, provider = null] = of.split('/');
  const source = fieldSources.find((known) => known === name);
  if (source === undefined) throw new Error(`unknown source of fields "${of}"`);
  return { source, provider };
}

/** Null on a day on which no value was expected. */
export function lostShareOf(day: Pick<FieldDay, 'read' | 'lost'> | undefined): number | null {
  if (day === undefined || day.read + day.lost === 0) return null;
  return Math.round((day.lost / (day.read + day.lost)) * 10_000) / 10_000;
}

export const isSameField = (one: SourceFieldRow, other: SourceFieldRow): boolean =>
  one.store === other.store && one.source === other.source && one.field === other.field;

/** Drifts of a day with that day's counts. */
export function describeDrifts(
  drifts: readonly FieldDrift[],
  days: readonly FieldDay[],
): DriftRecord[] {
  return drifts.map((drift) => ({
    ...splitSource(drift.source),
    field: drift.field,
    beganAt: drift.beganAt.toISOString(),
    endedAt: drift.endedAt?.toISOString() ?? null,
    lostShare: lostShareOf(days.find((day) => isSameField(day, drift))),
  }));
}
