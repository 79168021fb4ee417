import { isUtcDay, type UtcDay } from '#lib/dates.ts';

/** The values that the last reading lost, kept in the schedule until the next reading. */
export interface LostValues {
  on: UtcDay;
  fields: string[];
}

const prefix = 'lost';

/** As the marker of a row of the schedule: `lost 2026-05-13 subtitle version`. */
export function formatLostMarker({ on, fields }: LostValues): string | null {
  return fields.length === 0 ? null : [prefix, on, ...fields].join(' ');
}

/** Null for a row without a marker, or with one that says something else. */
export function parseLostMarker(marker: string | null): LostValues | null {
  const [word, on, ...fields] = marker?.split(' ') ?? [];
  return word === prefix && on !== undefined && isUtcDay(on) ? { on, fields } : null;
}
