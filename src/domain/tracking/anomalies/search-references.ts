import { listReferenceMarkets } from '#db/queries/anomalies/reference-markets.ts';
import type { Services } from '#domain/base/context.ts';
import { profileOf, type StoreName, type StoreRequestOptions } from '#domain/base/ports.ts';
import { utcDayOf } from '#lib/dates.ts';
import { isFarShorter } from './is-far-shorter.ts';
import { reportResponse } from './report-response.ts';

/**
 * `whole`: every reference market has its usual length. `short`: one has not. `unknown`: the
 * instance has too few markets to compare with.
 */
export type ReferenceOutcome = 'whole' | 'short' | 'unknown';

const minReferences = 3;

/**
 * Searches markets whose length has been stable, chosen at random so that no store can know them.
 * Stops at the first short one. Throws StoreError when the store does not respond.
 */
export async function searchReferences(
  services: Services,
  {
    store,
    provider,
    except = null,
  }: { store: StoreName; provider: string; except?: number | null },
  options: StoreRequestOptions,
): Promise<ReferenceOutcome> {
  const day = utcDayOf(services.clock.now());
  const markets = await listReferenceMarkets(services.systemDb, {
    store,
    provider,
    day,
    except,
    limit: minReferences,
  });
  if (markets.length < minReferences) return 'unknown';
  for (const { phrase, country, device, depth, usualResults } of markets) {
    const asked = Math.min(depth, profileOf(store).search.firstPage);
    const response = await services.stores[store].search(
      { provider, phrase, country, device, depth: asked },
      options,
    );
    const isShort = isFarShorter(response.items.length, { usualResults, depth: asked });
    await reportResponse(services, { store, provider, isShort }, response);
    if (isShort) return 'short';
  }
  return 'whole';
}
