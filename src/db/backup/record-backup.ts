import { withBackupClient } from './backup-client.ts';

export interface BackupByCommand {
  startedAt: Date;
  path: string;
  bytes: number;
  rows: number;
  databaseBytes: number;
  seconds: number;
}

const undefinedTable = '42P01';

/** Reports a good backup by command to the instance, unless its version is older than that. */
export async function recordBackup(url: string, made: BackupByCommand): Promise<void> {
  await withBackupClient(url, async (client) => {
    await client
      .query(
        `insert into backups (state, started_at, finished_at, path, bytes, rows, database_bytes,
           seconds) values ('succeeded', $1, now(), $2, $3, $4, $5, $6)`,
        [made.startedAt, made.path, made.bytes, made.rows, made.databaseBytes, made.seconds],
      )
      .catch((error: { code?: string }) => {
        if (error.code !== undefinedTable) throw error;
      });
  });
}
