import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface SealMarkRow {
  /** The four bytes that tell the key. */
  mark: Buffer;
  secrets: number;
}

/** With which keys the secrets of all webhooks are sealed (system role). */
export async function listSealMarks(db: Db): Promise<SealMarkRow[]> {
  const { rows } = await sql<SealMarkRow>`
    select substring(secret from 2 for 4) as mark, count(*)::int as secrets from webhooks group by mark`.execute(
    db,
  );
  return rows;
}
