import type { Tx } from '#db/database.ts';
import { findLastSeenFields, insertChanges } from '#db/queries/changes/changes.ts';
import { findChanges, listUnseen, type Reading, type ReadingDetails } from './find-changes.ts';

/**
 * Records the changes of a new snapshot in its transaction. `before` is the previous snapshot and
 * `previousAt` its last confirmation. For fields that this reading lacks, the last one that had
 * them counts.
 */
export async function recordChanges(
  tx: Tx,
  change: {
    listingId: number;
    country: string;
    snapshotId: number;
    before: Reading & { id: number };
    after: Reading;
    previousAt: Date;
    now: Date;
  } & ReadingDetails,
): Promise<void> {
  const { listingId, country, before, after } = change;
  const unseen = listUnseen(before.fields, after.fields).filter(
    (field) => field !== 'releaseNotes',
  );
  const lastSeen =
    unseen.length === 0
      ? {}
      : await findLastSeenFields(
          tx,
          { listingId, country, language: before.language, beforeId: before.id },
          unseen,
        );
  const known = { language: before.language, fields: { ...before.fields, ...lastSeen } };
  const changes = findChanges(known, after, change);
  if (changes.length === 0) return;
  await insertChanges(tx, {
    listingId,
    country,
    language: after.language,
    version: after.fields.version,
    detectedAt: change.now,
    previousAt: change.previousAt,
    snapshotId: change.snapshotId,
    changes,
  });
}
