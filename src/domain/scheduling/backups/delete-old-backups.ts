import {
  listOldBackups,
  markBackupDeleted,
  markBackupMissing,
} from '#db/queries/backups/backups.ts';
import type { Services } from '#domain/base/context.ts';

/** A host that has the file may be down so long. */
const missingForMs = 30 * 86_400_000;

/**
 * Deletes the files of superseded backups that this process can reach. Those on another host are
 * left to the processes there.
 */
export async function deleteOldBackups({
  backups: maker,
  systemDb,
  clock,
  log,
}: Services): Promise<void> {
  if (maker === null) return;
  for (const old of await listOldBackups(systemDb, maker.keep)) {
    const now = clock.now();
    const wasThere = await maker.remove(old);
    if (wasThere) await markBackupDeleted(systemDb, old.id, now);
    const missingBefore = new Date(now.getTime() - missingForMs);
    const isGone = !wasThere && (await markBackupMissing(systemDb, old.id, { now, missingBefore }));
    if (wasThere || isGone) log.info({ path: old.path, wasThere }, 'an old backup was deleted');
  }
}
