import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface KeyFingerprintRow {
  /** Four bytes that identify the key. */
  mark: Buffer;
  secrets: number;
}

/** The keys that encrypt secrets of webhooks and of the popularity sync (system role). */
export async function listKeyFingerprints(db: Db): Promise<KeyFingerprintRow[]> {
  const { rows } = await sql<Row<'list-key-fingerprints', KeyFingerprintRow>>`
    select mark, count(*)::int as secrets from (
        select substring(secret from 2 for 4) as mark from webhooks
        union all select substring(private_key from 2 for 4) from popularity_sync
      ) s group by mark`.execute(db);
  return rows;
}
