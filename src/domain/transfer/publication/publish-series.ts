import {
  findFirstCheckedDay,
  listImportedProviders,
  replaceEarlierSeries,
} from '#db/queries/publication/position-series.ts';
import { minDay, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

interface SeriesStart {
  fromDay: UtcDay;
  provider: string;
}

/**
 * The search providers of an import become those of the store's positions on days before the first
 * check of this instance. Positions of another provider are never published.
 */
export async function publishSeries(services: Services, workspaceId: number): Promise<void> {
  await inSystem(services, async (tx) => {
    const days = await listImportedProviders(tx, workspaceId);
    const today = utcDayOf(services.clock.now());
    for (const [store, ofStore] of Map.groupBy(days, (day) => day.store)) {
      const before = minDay(today, (await findFirstCheckedDay(tx, store)) ?? today);
      const series = toSeries(ofStore.filter(({ date }) => date < before));
      await replaceEarlierSeries(tx, store, { before, series });
    }
  });
}

/** Each provider from the first of its days on; days are in order. */
function toSeries(days: readonly { date: UtcDay; provider: string }[]): SeriesStart[] {
  return days.flatMap(({ date, provider }, index) =>
    provider === days[index - 1]?.provider ? [] : [{ fromDay: date, provider }],
  );
}
