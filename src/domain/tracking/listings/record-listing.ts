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
}

/**
 * Records one reading of a listing in a country: the card, the day's numbers, and the texts when
 * they changed. Recording the same reading twice changes only `read_at`. Locks the listing's row
 * until the transaction ends, so several in one transaction must be sorted by storeAppId. `day` is
 * the run's, today's by default. A field that could not be read keeps its known value and is no
 * change; a number keeps that of the same day. With `keepsLost` the same is true of absent values,
 * whose loss only the daily readings can confirm.
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
  const read = cleanFields(listing);
  const shown = { day: onDate, country };
  const listingId = await upsertListing(tx, store, { ...card, hash: hashCard(card) }, shown);
  await upsertListingNames(tx, shown, [{ listingId, name: card.name }]);

  const known = await findNewestSnapshot(tx, listingId, country);
  const knownDay = await findNewestListingDay(tx, listingId, country);
  const before = known ? readFields(known.fields) : null;
  const keptTexts = keepsLost && before ? listLostTexts(before, read) : [];
  const unread = [...card.unread, ...keptTexts];
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
  const changes = previous
    ? diffListings(
        { ...previous.fields, ...numbersOf(previous) },
        { ...snapshot.fields, ...keepUnread(numbers, numbersOf(previous), unread) },
      )
    : [];
  return { listingId, snapshot, previous, changes, keptTexts };
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
