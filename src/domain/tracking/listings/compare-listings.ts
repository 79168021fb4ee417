import {
  listKnownListings,
  listKnownTexts,
  type KnownListing,
} from '#db/queries/listings/listing-days.ts';
import type { Services } from '#domain/base/context.ts';
import type { AppListing, StoreName } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';
import { confirmLost, type LostValues } from '../drift/confirm-lost.ts';
import { compareReading, type FieldReading } from '../drift/field-reading.ts';
import type { FieldWatch } from '../drift/field-watch.ts';
import { cleanFields, cleanNumbers } from './clean-listing.ts';
import { isOther } from './list-lost.ts';
import { contentFields, hashContent } from './listing-content.ts';

/** A reading of the daily run, with its row of the schedule. */
export interface DailyReading extends LostValues {
  listingId: number;
  listing: AppListing;
}

/** With the lost values that the next reading may confirm. */
export interface ComparedListing extends LostValues {
  listingId: number;
  /** Its absent fields that are no facts are among the unread ones. */
  listing: AppListing;
  /** Every text equals the newest snapshot, and everything counts. */
  isUnchanged: boolean;
}

interface At {
  store: StoreName;
  country: string;
  day: UtcDay;
}

/** A lookup has no subtitle; the listing's page has one. */
const watchedFields = [
  ...contentFields.filter((field) => field !== 'subtitle'),
  'rating',
  'ratingCount',
  'installs',
];

/**
 * Compares readings with what is known of the listings in the country, and decides which of their
 * absent values are facts. All readings of a response are counted before any of them is stored.
 */
export async function compareListings(
  services: Services & { fieldWatch: FieldWatch },
  { store, country, day }: At,
  readings: readonly DailyReading[],
): Promise<ComparedListing[]> {
  const { systemDb, fieldWatch } = services;
  const ids = readings.map(({ listingId }) => listingId);
  const known = await listKnownListings(systemDb, ids, { country, day });
  const read = readings.map((reading) => ({
    ...reading,
    isSame: hasSameTexts(reading.listing, known.get(reading.listingId)),
  }));
  const changed = read.filter(({ listingId, isSame }) => !isSame && known.has(listingId));
  const texts =
    changed.length === 0
      ? new Map()
      : await listKnownTexts(
          systemDb,
          changed.map(({ listingId }) => listingId),
          country,
        );
  const confirmed = confirmLost(
    fieldWatch,
    { store, source: 'listing', day },
    read.map(({ listingId, listing, lostOn, lostFields }) => ({
      reading: compareListing(listing, known.get(listingId), texts.get(listingId)),
      lostOn,
      lostFields,
    })),
  );
  return read.map(({ listingId, listing, isSame }, index) => {
    const { untrusted, ...lost } = confirmed[index]!;
    const isOfOther = isOther(texts.get(listingId)?.version ?? null, listing.version);
    // Absent notes of a new version may be the first sign of a drift, and no change anyway.
    const unknown = isOfOther && listing.releaseNotes === null ? ['releaseNotes'] : [];
    const unread = [...new Set([...listing.unread, ...untrusted, ...unknown])];
    return {
      listingId,
      listing: {
        ...listing,
        // A lost count may be a zero.
        ratingCount: untrusted.includes('ratingCount') ? null : listing.ratingCount,
        unread,
      },
      ...lost,
      isUnchanged: isSame && unread.length === 0,
    };
  });
}

function hasSameTexts(listing: AppListing, known: KnownListing | undefined): boolean {
  if (known === undefined) return false;
  const fields = cleanFields(listing);
  // As in recordListing.
  const subtitle = fields.subtitle ?? known.subtitle;
  return known.contentHash.equals(hashContent({ ...fields, subtitle }));
}

/** Texts that equal the known ones have lost nothing, so theirs are not asked for. */
function compareListing(
  listing: AppListing,
  known: KnownListing | undefined,
  texts: { fields: string[]; version: string | null } | undefined,
): FieldReading {
  const read = { ...cleanFields(listing), ...cleanNumbers(listing) };
  const fields = new Set(texts?.fields);
  // Release notes go with their version.
  if (texts !== undefined && isOther(texts.version, read.version)) fields.delete('releaseNotes');
  if (known?.hasRating) fields.add('rating');
  if (known?.hasRatingCount) fields.add('ratingCount');
  if (known?.hasInstalls) fields.add('installs');
  return compareReading(listing.storeAppId, watchedFields, read, fields);
}
