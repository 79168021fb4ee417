import type { z } from 'zod';
import type { admin } from '#contract/admin.ts';
import { findNewestFieldDay, listFieldDays } from '#db/queries/drift/field-days.ts';
import { listDriftDays } from '#db/queries/drift/field-drifts.ts';
import type { Ctx } from '#domain/base/context.ts';
import { isSameField, lostShareOf, splitSource } from '#domain/tracking/drift/describe-drifts.ts';
import type { UtcDay } from '#lib/dates.ts';

export type FieldList = z.input<(typeof admin)['GET /admin/fields']['responses'][200]>;

/**
 * How often each field of the stores' responses had a value on a day, over all processes; on the
 * newest day with counts if none is named.
 */
export async function listFields(
  { systemDb }: Ctx,
  query: { date?: UtcDay | undefined },
): Promise<FieldList> {
  const date = query.date ?? (await findNewestFieldDay(systemDb));
  const ofDay = date === null ? [] : [date];
  const [days, drifts] = await Promise.all([
    listFieldDays(systemDb, ofDay),
    listDriftDays(systemDb, ofDay),
  ]);
  const items = days.map((day): FieldList['items'][number] => {
    const { onDate, store, source, field, read, missing, lost } = day;
    const drift = drifts.findLast((one) => isSameField(one, day));
    return {
      date: onDate,
      store,
      ...splitSource(source),
      field,
      read,
      missing,
      lost,
      lostShare: lostShareOf(day),
      drift: drift
        ? {
            beganAt: drift.beganAt.toISOString(),
            endedAt: drift.endedAt?.toISOString() ?? null,
          }
        : null,
    };
  });
  return { items, nextCursor: null, total: items.length };
}
