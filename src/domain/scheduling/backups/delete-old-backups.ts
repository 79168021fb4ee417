import {
  listKilledAttempts,
  listOldBackups,
  markBackupDeleted,
  markBackupMissing,
} from '#db/queries/backups/backups.ts';
import type { Db } from '#db/database.ts';
import type { Services } from '#domain/base/context.ts';
import type { BackupMaker } from '#domain/base/ports.ts';

const dayMs = 86_400_000;
/** A host that has the file may be down so long. */
const missingForMs = 30 * dayMs;

/**
 * Deletes the files of superseded backups that this process can reach, and those of killed attempts
 * that are not repeated any more. Those on another host are left to the processes there.
 */
export async function deleteOldBackups({
  backups: maker,
  systemDb,
  clock,
  log,
}: Services): Promise<void> {
  if (maker === null) return;
  await removeKilledAttempts(maker, systemDb, clock.now());
  for (const old of await listOldBackups(systemDb, maker.keep)) {
    const now = clock.now();
    const wasThere = await maker.remove(old);
    if (wasThere) await markBackupDeleted(systemDb, old.id, now);
    const missingBefore = new Date(now.getTime() - missingForMs);
    const isGone = !wasThere && (await markBackupMissing(systemDb, old.id, { now, missingBefore }));
    if (wasThere || isGone) log.info({ path: old.path, wasThere }, 'an old backup was deleted');
  }
}

/** After a day another instant is due. A process may be killed before it records its file. */
async function removeKilledAttempts(maker: BackupMaker, db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms);
  const killed = await listKilledAttempts(db, { from: ago(missingForMs), to: ago(dayMs), now });
  for (const startedAt of killed) await maker.removeAttempt(startedAt);
}
