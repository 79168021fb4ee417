import type { z } from 'zod';
import type { app as appShape } from '#contract/apps.ts';
import type { AppCounts, AppRow } from '#db/queries/apps/apps.ts';
import type { ListingFields } from '../listings/clean-listing.ts';
import { toPrice } from '../listings/listing-content.ts';
import type { Stores } from '#domain/base/ports.ts';

export type AppRecord = z.input<typeof appShape>;

type Facts = Pick<
  ListingFields,
  | 'bundleId'
  | 'name'
  | 'developer'
  | 'iconUrl'
  | 'category'
  | 'priceMicros'
  | 'currency'
  | 'version'
  | 'releasedAt'
  | 'updatedAt'
>;

/**
 * Names and facts come from the app's primary country. The card, which any country may have
 * written, is the fallback.
 */
export function presentApp(row: AppRow, stores: Stores): AppRecord {
  const facts = row.facts as Facts | null;
  const priceMicros = facts?.priceMicros ?? null;
  return {
    id: row.id,
    store: row.store,
    storeAppId: row.storeAppId,
    bundleId: facts?.bundleId ?? row.bundleId,
    name: facts?.name ?? row.name ?? row.storeAppId,
    displayName: row.displayName,
    developer: facts ? facts.developer : row.developer,
    iconUrl: facts ? facts.iconUrl : row.iconUrl,
    storeUrl: stores[row.store].pageUrl(row.storeAppId, row.primaryCountry),
    category: facts?.category ?? null,
    price: toPrice(priceMicros),
    currency: facts?.currency ?? null,
    free: priceMicros === null ? null : priceMicros === 0,
    rating: row.rating,
    ratingCount: row.ratingCount,
    installs: row.installs,
    version: facts?.version ?? null,
    releasedAt: facts?.releasedAt ?? null,
    updatedAt: facts?.updatedAt ?? null,
    tags: row.tags,
    note: row.note,
    archived: row.archivedAt !== null,
    purgeAt: row.purgeAt?.toISOString() ?? null,
    linkedAppId: row.linkedAppId,
    primaryCountry: row.primaryCountry,
    createdAt: row.trackedSince.toISOString(),
    lastSnapshotAt: row.readAt?.toISOString() ?? null,
  };
}

export function presentCounts(counts: AppCounts | undefined): NonNullable<AppRecord['counts']> {
  return {
    keywords: counts?.keywords ?? 0,
    countries: counts?.countries ?? 0,
    ranked: counts?.ranked ?? 0,
  };
}
