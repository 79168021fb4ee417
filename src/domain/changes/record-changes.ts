import type { ChangedField } from '../../contract/changes.ts';
import type { Tx } from '../../db/database.ts';
import { findLastSeenFields, insertChanges } from '../../db/queries/changes.ts';
import { findChanges, listUnseen, type Reading } from './find-changes.ts';

/**
 * Writes what a new snapshot changed, in the transaction that writes it. `before` is the snapshot that stood until now and
 * `previousAt` the last reading that found it so; for what that reading did not tell, the one that last did counts.
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
    told?: readonly ChangedField[];
  },
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
  const changes = findChanges(known, after, change.told);
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
