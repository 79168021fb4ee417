import type { z } from 'zod';
import type { competitor as competitorShape } from '../../contract/competitors.ts';
import type { CompetitorRow } from '../../db/queries/competitors.ts';
import type { AppRecord } from '../apps/present-app.ts';
import type { ListingFields } from '../listings/clean-listing.ts';
import { toPrice } from '../listings/listing-content.ts';
import type { Stores } from '../ports.ts';
import { readTerms } from '../rankings/terms.ts';
import type { Rival } from './rival-places.ts';
import type { Overlap } from './verdict.ts';

export type CompetitorRecord = z.input<typeof competitorShape>;

type Facts = Pick<ListingFields, keyof ListingFields & keyof AppRecord> &
  Pick<ListingFields, 'priceMicros'>;

/** Facts come from the newest reading in the app's primary country; the card stands in for what it shows. */
export function presentCompetitor(
  row: CompetitorRow,
  stores: Stores,
  overlap: Overlap,
): CompetitorRecord {
  const facts = row.facts as Facts | null;
  const priceMicros = facts?.priceMicros ?? null;
  return {
    id: row.id,
    appId: row.appId,
    store: row.store,
    storeAppId: row.storeAppId,
    name: nameOf(row),
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
    relationship: row.relationship,
    note: row.note,
    trackedAppId: row.trackedAppId,
    createdAt: row.createdAt.toISOString(),
    lastSnapshotAt: row.readAt?.toISOString() ?? null,
    overlap,
  };
}

export function nameOf(row: CompetitorRow): string {
  return (row.facts as Facts | null)?.name ?? row.name ?? row.storeAppId;
}

export function toRival(row: CompetitorRow): Rival {
  return {
    id: row.id,
    listingId: row.listingId,
    terms: readTerms(row.terms),
    followedAt: row.followedAt,
  };
}
