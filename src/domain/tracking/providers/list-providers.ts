import type { z } from 'zod';
import type { providers } from '#contract/providers.ts';
import { findDayProbes } from '#db/queries/runs/store-probes.ts';
import { sumComparisons } from '#db/queries/rankings/provider-comparisons.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { storeProfiles } from '#domain/base/ports.ts';
import { addDays, utcDayOf } from '#lib/dates.ts';

type StoreProviders = z.input<
  (typeof providers)['GET /providers']['responses'][200]
>['items'][number];

const sampledDays = 28;

/** The search providers of each store, and how far their orders are apart in the sample. */
export async function listProviders(ctx: Ctx): Promise<StoreProviders[]> {
  const today = utcDayOf(ctx.clock.now());
  const range = { from: addDays(today, 1 - sampledDays), to: today };
  return inTenant(ctx, async (tx) => {
    const sampled = await sumComparisons(tx, range);
    const records: StoreProviders[] = [];
    for (const { id: store, search } of storeProfiles) {
      const { seriesProvider } = await findDayProbes(tx, store, today);
      records.push({
        store,
        providers: search.providers.map(({ name, description }) => ({
          provider: name,
          description,
          isConfigured: ctx.settings.searchProviders[store].includes(name),
          isOfPositions: name === seriesProvider,
        })),
        comparisons: sampled
          .filter((row) => row.store === store)
          .map(({ store: _, ...comparison }) => comparison),
      });
    }
    return records;
  });
}
