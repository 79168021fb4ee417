import type { Tx } from '#db/database.ts';
import { upsertListingNames } from '#db/queries/listings/listing-names.ts';
import { upsertListing } from '#db/queries/listings/listings.ts';
import { refreshStoreTaskDemand } from '#db/queries/rankings/markets.ts';
import {
  findNewestListingDay,
  findNewestSnapshot,
  insertSnapshot,
  upsertListingDay,
} from '#db/queries/snapshots/snapshots.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { recordChanges } from './record-changes.ts';
import type { AppListing, StoreName } from '#domain/base/ports.ts';
import {
  cleanCard,
  cleanFields,
  cleanNumbers,
  type ListingFields,
  type ListingNumbers,
} from './clean-listing.ts';
import { keepUnread } from './keep-unread.ts';
import { isOther, listAbsentNumbers, listLostTexts } from './list-lost.ts';
import { diffListings, hashCard, hashContent, type FieldChange } from './listing-content.ts';
import {
  readFields,
  toListingSnapshot,
  writeFields,
  type ListingSnapshot,
} from './listing-snapshot.ts';

export interface RecordedListing {
  listingId: number;
  snapshot: ListingSnapshot;
  /** The listing before this reading; null the first time. */
  previous: ListingSnapshot | null;
  /** Empty the first time, because there is nothing to compare with. */
  changes: FieldChange[];
  /** Texts that were there before, are absent now, and were kept. */
  keptTexts: string[];
  /** Fields of this reading that say nothing about the listing. */
  unread: string[];
}

/**
 * Caches of the stores respond for hours with a listing from before its update. An update that is
 * taken back for longer is a change.
 */
const cachedForMs = 48 * 3_600_000;

/**
 * Records one reading of a listing in a country: the card, the day's numbers, and the texts when
 * they changed. Recording the same reading twice changes only `read_at`. Locks the listing's row
 * until the transaction ends, so several in one transaction must be sorted by storeAppId. `day` is
 * the run's, today's by default. A field that could not be read keeps its known value and is no
 * change; a number keeps that of the same day. With `keepsLost` the same is true of absent values,
 * whose loss only the daily readings can confirm, and for two days of a reading from before the
 * newest update.
 */
export async function recordListing(
  tx: Tx,
  reading: {
    store: StoreName;
    listing: AppListing;
    country: string;
    language: string | null;
    now: Date;
    day?: UtcDay;
    keepsLost?: boolean;
  },
): Promise<RecordedListing> {
  const { store, listing, country, language, now, keepsLost = false } = reading;
  const onDate = reading.day ?? utcDayOf(now);
  const absent = keepsLost ? listAbsentNumbers(cleanNumbers(listing)) : [];
  const card = { ...cleanCard(listing), unread: [...listing.unread, ...absent] };
  const shown = { day: onDate, country };
  const listingId = await upsertListing(tx, store, { ...card, hash: hashCard(card) }, shown);
  await upsertListingNames(tx, shown, [{ listingId, name: card.name }]);

  const known = await findNewestSnapshot(tx, listingId, country);
  const knownDay = await findNewestListingDay(tx, listingId, country);
  const before = known ? readFields(known.fields) : null;
  const texts = cleanFields(listing);
  const isOutdated =
    known !== undefined &&
    before !== null &&
    isEarlier(texts, before) &&
    now.getTime() - known.takenAt.getTime() < cachedForMs;
  const read = isOutdated ? before : texts;
  const keptTexts = keepsLost && before ? listLostTexts(before, read) : [];
  const outdated = isOutdated ? ['rating', 'ratingCount', 'installs'] : [];
  const unread = [...card.unread, ...keptTexts, ...outdated];
  // A lookup has no subtitle. The listing's page has one (recordSubtitle).
  const subtitle = read.subtitle ?? before?.subtitle ?? null;
  const fields = keepTexts({ ...read, subtitle }, before, unread);
  const earlier = knownDay?.onDate === onDate ? numbersOf(knownDay) : null;
  const numbers = keepUnread(cleanNumbers(listing), earlier, unread);
  const contentHash = hashContent(fields);
  const isSame = known !== undefined && known.contentHash.equals(contentHash);
  const kept = isSame
    ? known
    : {
        id: await insertSnapshot(tx, {
          listingId,
          country,
          language,
          takenAt: now,
          contentHash,
          fields: writeFields(fields),
        }),
        country,
        language,
      };
  if (!isSame && known && before) {
    const [then, after] = [
      { id: known.id, language: known.language, fields: before },
      { language, fields },
    ];
    await recordChanges(tx, {
      listingId,
      country,
      snapshotId: kept.id,
      before: then,
      after,
      previousAt: knownDay?.readAt ?? known.takenAt,
      now,
      unread,
    });
  }
  if (!isSame && (before === null || decidesOtherCharts(before, fields)))
    await refreshStoreTaskDemand(tx, listingId);
  await upsertListingDay(tx, {
    listingId,
    country,
    onDate,
    ...numbers,
    priceMicros: read.priceMicros,
    readAt: now,
  });

  const previous = known ? toListingSnapshot(known, knownDay) : null;
  const snapshot = {
    id: kept.id,
    country: kept.country,
    language: kept.language,
    takenAt: now,
    fields: isSame && previous ? previous.fields : fields,
    ...numbers,
  };
  const changes = previous ? diffReadings(previous, { snapshot, unread }) : [];
  return { listingId, snapshot, previous, changes, keptTexts, unread };
}

/** The differences of a reading from an earlier one. */
export function diffReadings(
  previous: ListingSnapshot,
  { snapshot, unread }: Pick<RecordedListing, 'snapshot' | 'unread'>,
): FieldChange[] {
  const known = numbersOf(previous);
  return diffListings(
    { ...previous.fields, ...known },
    { ...snapshot.fields, ...keepUnread(numbersOf(snapshot), known, unread) },
  );
}

/** The listing as it was before the update that is known. */
function isEarlier({ updatedAt }: ListingFields, known: ListingFields): boolean {
  if (updatedAt === null || known.updatedAt === null) return false;
  return Date.parse(updatedAt) < Date.parse(known.updatedAt);
}

/** Release notes of an earlier version are no notes of the new one, so these are unknown. */
function keepTexts(
  read: ListingFields,
  before: ListingFields | null,
  unread: readonly string[],
): ListingFields {
  const fields = keepUnread(read, before, unread);
  const isOtherVersion = before !== null && isOther(before.version, fields.version);
  return isOtherVersion && unread.includes('releaseNotes')
    ? { ...fields, releaseNotes: null }
    : fields;
}

function numbersOf({ rating, ratingCount, installs }: ListingNumbers): ListingNumbers {
  return { rating, ratingCount, installs };
}

/** True when a change of category or price decides which other charts are read. */
function decidesOtherCharts(before: ListingFields, after: ListingFields): boolean {
  const isFree = ({ priceMicros }: ListingFields) => !((priceMicros ?? 0) > 0);
  return (
    before.categoryId !== after.categoryId ||
    before.inAppPurchases !== after.inAppPurchases ||
    isFree(before) !== isFree(after)
  );
}
