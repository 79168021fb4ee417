import type { z } from 'zod';
import type { storeListing } from '#contract/store.ts';
import { listTrackedIds } from '#db/queries/apps/apps.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid } from '#domain/base/errors.ts';
import { cleanFields, cleanNumbers } from '../listings/clean-listing.ts';
import { toPrice } from '../listings/listing-content.ts';
import { suggestPhrases } from '../listings/suggest-phrases.ts';
import type { StoreName } from '#domain/base/ports.ts';
import { readListing } from './fetch-listing.ts';
import { resolveStoreApp, type StoreAppQuery } from './resolve-store-app.ts';

export type StoreListingRecord = z.input<typeof storeListing>;

export interface LookUpInput {
  store?: StoreName | undefined;
  id?: string | undefined;
  url?: string | undefined;
  country?: string | undefined;
}

/**
 * Fetches a listing now; nothing is stored. Throws invalid_request, store_app_not_found or
 * StoreError.
 */
export async function lookUpApp(
  ctx: Ctx,
  input: LookUpInput,
  signal: AbortSignal,
): Promise<StoreListingRecord> {
  const address = resolveStoreApp(ctx.stores, readQuestion(input), 'id');
  const { store, storeAppId } = address;
  const country = input.country ?? address.country ?? 'us';
  const { listing } = await readListing(ctx, { store, storeAppId, country }, signal);
  const tracked = await inTenant(ctx, (tx) =>
    listTrackedIds(tx, ctx.workspaceId, store, [storeAppId]),
  );
  const fields = cleanFields(listing);
  const numbers = cleanNumbers(listing);
  return {
    store,
    storeAppId,
    name: fields.name,
    developer: fields.developer,
    iconUrl: fields.iconUrl,
    rating: numbers.rating,
    ratingCount: numbers.ratingCount,
    tracked: tracked.get(storeAppId) ?? null,
    storeUrl: ctx.stores[store].pageUrl(storeAppId, country),
    country,
    bundleId: fields.bundleId,
    subtitle: fields.subtitle,
    summary: fields.summary,
    description: fields.description,
    category: fields.category,
    price: toPrice(fields.priceMicros),
    currency: fields.currency,
    version: fields.version,
    installs: numbers.installs,
    phrases: suggestPhrases(fields),
  };
}

function readQuestion({ store, id, url }: LookUpInput): StoreAppQuery {
  if (url !== undefined && id === undefined && store === undefined) return { url };
  if (url === undefined && id !== undefined && store !== undefined)
    return { store, storeAppId: id };
  throw invalid('url', 'either url, or store and id');
}
