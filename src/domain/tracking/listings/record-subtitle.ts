import type { Tx } from '#db/database.ts';
import { lockListing } from '#db/queries/listings/listings.ts';
import {
  findNewestSnapshot,
  insertSnapshot,
  updateSnapshotFields,
} from '#db/queries/snapshots/snapshots.ts';
import { startOfDayMs, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { recordChanges } from './record-changes.ts';
import { cleanLine } from './clean-listing.ts';
import { hashContent } from './listing-content.ts';
import { readFields, writeFields } from './listing-snapshot.ts';

/**
 * Records the subtitle, which only the listing's page shows, in a snapshot of its own when it
 * changed. The first page's subtitle is no change and is added to the current snapshot. A listing
 * without a reading in the country has no snapshot yet, so the next day's page does it. Serialized
 * with `recordListing`.
 */
export async function recordSubtitle(
  tx: Tx,
  reading: {
    listingId: number;
    country: string;
    subtitle: string | null;
    previousOn: UtcDay | null;
    now: Date;
  },
): Promise<void> {
  const { listingId, country, previousOn, now } = reading;
  await lockListing(tx, listingId);
  const known = await findNewestSnapshot(tx, listingId, country);
  if (!known) return;
  const before = readFields(known.fields);
  const subtitle = cleanLine(reading.subtitle, 500);
  if (subtitle === (before.subtitle ?? null)) return;
  const fields = { ...before, subtitle };
  const content = { contentHash: hashContent(fields), fields: writeFields(fields) };
  if (previousOn === null) {
    await updateSnapshotFields(tx, { id: known.id, ...content });
    return;
  }
  const snapshotId = await insertSnapshot(tx, {
    listingId,
    country,
    language: known.language,
    takenAt: now,
    ...content,
  });
  // The previous page's time of day is not stored; it was not before its day began.
  const previousAt =
    utcDayOf(known.takenAt) === previousOn ? known.takenAt : new Date(startOfDayMs(previousOn));
  const [then, after] = [
    { id: known.id, language: known.language, fields: before },
    { language: known.language, fields },
  ];
  await recordChanges(tx, {
    listingId,
    country,
    snapshotId,
    before: then,
    after,
    previousAt,
    now,
    reported: ['subtitle'],
  });
}
