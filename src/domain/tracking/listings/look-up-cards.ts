import type { Services } from '#domain/base/context.ts';
import {
  StoreError,
  type AppCard,
  type Cost,
  type SearchResult,
  type StoreName,
  type StoreRequestOptions,
} from '#domain/base/ports.ts';

export interface StoreMarket {
  store: StoreName;
  country: string;
  device: string;
}

export interface LookedUpCards {
  cards: Map<string, AppCard>;
  /** Apps that the store does not offer in the country. */
  missing: string[];
  cost: Cost;
}

/** The facts of apps. A failure costs the facts only. */
export async function lookUpCards(
  { stores, log }: Pick<Services, 'stores' | 'log'>,
  { store, country, device, storeAppIds }: StoreMarket & { storeAppIds: string[] },
  options: StoreRequestOptions,
): Promise<LookedUpCards> {
  const nothing = { cards: new Map<string, AppCard>(), missing: [] };
  if (storeAppIds.length === 0) return { ...nothing, cost: { requests: 0, bytes: 0, ms: 0 } };
  try {
    const { found, missing, cost } = await stores[store].listings(
      { storeAppIds, country, device },
      options,
    );
    return { cards: new Map(found.map((listing) => [listing.storeAppId, listing])), missing, cost };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    log.info({ store, marker: error.marker }, 'names of results could not be looked up');
    return { ...nothing, cost: error.cost };
  }
}

/** The cards of results, those that came by id alone looked up; null for an unknown app. */
export async function cardsOf(
  services: Pick<Services, 'stores' | 'log'>,
  market: StoreMarket,
  results: readonly SearchResult[],
  options: StoreRequestOptions,
): Promise<{ cards: (AppCard | null)[]; cost: Cost }> {
  const storeAppIds = results.flatMap(({ card, storeAppId }) =>
    card === null ? [storeAppId] : [],
  );
  const found = await lookUpCards(services, { ...market, storeAppIds }, options);
  return {
    cards: results.map(({ card, storeAppId }) => card ?? found.cards.get(storeAppId) ?? null),
    cost: found.cost,
  };
}
