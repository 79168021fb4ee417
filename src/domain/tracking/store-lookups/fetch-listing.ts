import type { Ctx } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { StoreError, type AppListing, type StoreName } from '#domain/base/ports.ts';

/**
 * Fetches one listing from the store now. Throws store_app_not_found, or StoreError when there was
 * no usable response.
 */
export async function readListing(
  ctx: Pick<Ctx, 'stores' | 'workspaceId'>,
  target: { store: StoreName; storeAppId: string; country: string },
  signal: AbortSignal,
): Promise<{ listing: AppListing; language: string | null }> {
  const { store, storeAppId, country } = target;
  try {
    const response = await ctx.stores[store].listings(
      { storeAppIds: [storeAppId], country },
      { signal, lane: 'interactive', workspaceId: ctx.workspaceId },
    );
    const listing = response.found.find((found) => found.storeAppId === storeAppId);
    if (listing) return { listing, language: response.language };
  } catch (error) {
    if (!(error instanceof StoreError) || error.failure !== 'not_offered') throw error;
  }
  throw new AppError(
    'store_app_not_found',
    `The store does not offer ${storeAppId} in "${country}".`,
  );
}
