import type { Ctx } from '../context.ts';
import { AppError } from '../errors.ts';
import { StoreError, type AppListing, type StoreName } from '../ports.ts';

/** Asks the store for one listing now. Throws store_app_not_found, or StoreError when the store gave no usable answer. */
export async function readListing(
  ctx: Pick<Ctx, 'stores'>,
  target: { store: StoreName; storeAppId: string; country: string },
  signal: AbortSignal,
): Promise<{ listing: AppListing; language: string | null }> {
  const { store, storeAppId, country } = target;
  try {
    const answer = await ctx.stores[store].listings(
      { storeAppIds: [storeAppId], country },
      { signal, lane: 'interactive' },
    );
    const listing = answer.found.find((found) => found.storeAppId === storeAppId);
    if (listing) return { listing, language: answer.language };
  } catch (error) {
    if (!(error instanceof StoreError) || error.failure !== 'not_offered') throw error;
  }
  throw new AppError(
    'store_app_not_found',
    `The store does not offer ${storeAppId} in "${country}".`,
  );
}
