import { withBackupClient } from './backup-client.ts';

export interface BackupByCommand {
  startedAt: Date;
  path: string;
  bytes: number;
  rows: number;
  databaseBytes: number;
  seconds: number;
}

const undefinedNames = ['42P01', '42703'];

/** Reports a good backup by command to the instance, unless its version is older than that. */
export const recordBackup = (url: string, made: BackupByCommand): Promise<void> =>
  record(
    url,
    `insert into backups (state, started_at, finished_at, path, bytes, rows, database_bytes,
       seconds) values ('succeeded', $1, now(), $2, $3, $4, $5, $6)`,
    [made.startedAt, made.path, made.bytes, made.rows, made.databaseBytes, made.seconds],
  );

export interface UploadByCommand {
  path: string;
  url: string;
  bytes: number;
  sha256: string;
  seconds: number;
}

/** Reports the upload of a file that the instance knows. */
export const recordUpload = (
  url: string,
  { path, bytes, ...made }: UploadByCommand,
): Promise<void> =>
  record(
    url,
    `update backups set upload_state = 'succeeded', uploaded_at = now(), upload_error = null,
       upload_leased_until = null, object_url = $3, sha256 = $4, upload_seconds = $5,
       upload_attempts = upload_attempts + 1
     where state = 'succeeded' and path = $1 and bytes = $2`,
    [path, bytes, made.url, made.sha256, made.seconds],
  );

async function record(url: string, statement: string, values: unknown[]): Promise<void> {
  await withBackupClient(url, async (client) => {
    await client.query(statement, values).catch((error: { code?: string }) => {
      if (!undefinedNames.includes(error.code ?? '')) throw error;
    });
  });
}
