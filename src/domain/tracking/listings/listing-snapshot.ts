import type { z } from 'zod';
import type { snapshot as snapshotShape } from '#contract/apps.ts';
import type { ListingDay, SnapshotRow } from '#db/queries/snapshots/snapshots.ts';
import type { ListingFields, ListingNumbers } from './clean-listing.ts';
import { toPrice } from './listing-content.ts';

/** The latest reading of a listing in a country: its texts with that reading's numbers. */
export interface ListingSnapshot extends ListingNumbers {
  /** A hash of the stored texts. */
  id: number;
  country: string;
  language: string | null;
  takenAt: Date;
  fields: ListingFields;
}

/**
 * As text for the jsonb column; big integers as digits, because the driver's parser would round
 * them.
 */
export function writeFields(fields: ListingFields): string {
  return JSON.stringify({
    ...fields,
    sizeBytes: fields.sizeBytes === null ? null : String(fields.sizeBytes),
  });
}

export function toListingSnapshot(row: SnapshotRow, day: ListingDay | undefined): ListingSnapshot {
  return {
    id: row.id,
    country: row.country,
    language: row.language,
    takenAt: day?.readAt ?? row.takenAt,
    fields: readFields(row.fields),
    rating: day?.rating ?? null,
    ratingCount: day?.ratingCount ?? null,
    installs: day?.installs ?? null,
  };
}

/** Only `writeFields` fills the column. */
export function readFields(stored: unknown): ListingFields {
  const fields = stored as Omit<ListingFields, 'sizeBytes'> & { sizeBytes: string | null };
  return { ...fields, sizeBytes: fields.sizeBytes === null ? null : BigInt(fields.sizeBytes) };
}

export function presentSnapshot({
  fields,
  ...reading
}: ListingSnapshot): z.input<typeof snapshotShape> {
  return {
    id: reading.id,
    country: reading.country,
    language: reading.language,
    takenAt: reading.takenAt.toISOString(),
    name: fields.name,
    subtitle: fields.subtitle,
    summary: fields.summary,
    description: fields.description,
    developer: fields.developer,
    iconUrl: fields.iconUrl,
    category: fields.category,
    price: toPrice(fields.priceMicros),
    currency: fields.currency,
    version: fields.version,
    releaseNotes: fields.releaseNotes,
    releasedAt: fields.releasedAt,
    updatedAt: fields.updatedAt,
    contentRating: fields.contentRating,
    sizeBytes: fields.sizeBytes,
    minimumOsVersion: fields.minimumOsVersion,
    languages: fields.languages,
    screenshotUrls: fields.screenshotUrls,
    inAppPurchases: fields.inAppPurchases,
    rating: reading.rating,
    ratingCount: reading.ratingCount,
    installs: reading.installs,
  };
}
