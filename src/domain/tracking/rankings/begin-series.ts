import { insertSeries } from '#db/queries/rankings/position-series.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { resultLookups, storeNames } from '#domain/base/ports.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';

/**
 * Positions are those of the first configured provider. Another one than before begins with the
 * next day, because checks of today may be done; without checks so far it begins at once. Each
 * start calls it.
 */
export async function beginSeries(services: Services): Promise<void> {
  const { settings, clock, log } = services;
  const tomorrow = addDays(utcDayOf(clock.now()), 1);
  for (const store of storeNames) {
    const provider = settings.searchProviders[store][0]!;
    const fromDay = await inSystem(services, (tx) =>
      insertSeries(tx, {
        store,
        provider,
        tomorrow,
        resultLookups: resultLookups(store, provider),
      }),
    );
    if (fromDay !== null)
      log.warn({ store, provider, fromDay }, 'positions are those of another search provider');
  }
}
