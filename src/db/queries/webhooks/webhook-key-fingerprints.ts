import { sql } from 'kysely';
import type { Db } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface KeyFingerprintRow {
  /** Four bytes that identify the key. */
  mark: Buffer;
  secrets: number;
}

/** The keys with which the secrets of all webhooks are encrypted (system role). */
export async function listKeyFingerprints(db: Db): Promise<KeyFingerprintRow[]> {
  const { rows } = await sql<Row<'list-key-fingerprints', KeyFingerprintRow>>`
    select substring(secret from 2 for 4) as mark, count(*)::int as secrets from webhooks
      group by mark`.execute(db);
  return rows;
}
