import type { z } from 'zod';
import { editableOfCompetitor, type competitor as competitorShape } from '#contract/competitors.ts';
import type { ArchivedSpan } from '#db/queries/apps/apps.ts';
import type { CompetitorRow } from '#db/queries/competitors/competitors.ts';
import { etagOf } from '#domain/base/assert-unchanged.ts';
import type { AppRecord } from '#domain/tracking/apps/present-app.ts';
import type { ListingFields } from '#domain/tracking/listings/clean-listing.ts';
import { toPrice } from '#domain/tracking/listings/listing-content.ts';
import type { Stores } from '#domain/base/ports.ts';
import { parseTrackingPeriods } from '#domain/tracking/rankings/tracking-periods.ts';
import type { TrackedCompetitor } from './competitor-positions.ts';
import type { Overlap } from './verdict.ts';

export type CompetitorRecord = z.input<typeof competitorShape>;

type Facts = Pick<ListingFields, keyof ListingFields & keyof AppRecord> &
  Pick<ListingFields, 'priceMicros'>;

/** Facts of the latest reading in the app's primary country, with the card as fallback. */
export function presentCompetitor(
  row: CompetitorRow,
  stores: Stores,
  overlap: Overlap | null,
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
    etag: etagOf(row, editableOfCompetitor),
  };
}

export function nameOf(row: CompetitorRow): string {
  return (row.facts as Facts | null)?.name ?? row.name ?? row.storeAppId;
}

export function toCompetitorRef(row: CompetitorRow): TrackedCompetitor {
  return {
    id: row.id,
    listingId: row.listingId,
    trackingPeriods: parseTrackingPeriods(row.trackingPeriods),
    followedAt: row.followedAt,
    archivedSpans: row.archivedSpans as ArchivedSpan[],
  };
}
