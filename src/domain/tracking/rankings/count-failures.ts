import { addFailure, clearFailures } from '#db/queries/runs/store-probes.ts';
import type { Services } from '#domain/base/context.ts';
import { isProviderFailure } from '#domain/base/plan-store-retry.ts';
import { StoreError, type StoreName } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';

/**
 * A provider is probed again after so many failed checks in a row. At the third refusal in a row
 * its host cools down for half an hour, so the probe comes before it.
 */
export const failuresBeforeProbe = 2;

interface Searched {
  store: StoreName;
  provider: string;
  day: UtcDay;
  /** Its failures in a row when the search began. */
  failures: number;
}

/** Counts the failed searches of a provider in a row, for all processes together. */
export async function countFailures<Result>(
  { systemDb }: Services,
  { store, provider, day: date, failures }: Searched,
  search: () => Promise<Result>,
): Promise<Result> {
  try {
    const response = await search();
    if (failures > 0) await clearFailures(systemDb, { store, provider, date });
    return response;
  } catch (error) {
    if (error instanceof StoreError && isProviderFailure(error))
      await addFailure(systemDb, { store, provider, date, max: failuresBeforeProbe });
    throw error;
  }
}
