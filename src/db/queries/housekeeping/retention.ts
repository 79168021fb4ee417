import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/**
 * Deletes keywords archived more than 30 days ago. The history of the market is shared and stays.
 */
export async function purgeKeywords(tx: Tx, now: Date): Promise<number> {
  const { rows } = await sql`
    delete from keywords where id in (select id from keywords where purge_at <= ${now} order by id
      limit 1000) returning id`.execute(tx);
  return rows.length;
}

/** Deletes responses kept for a repeated POST after a day, and sessions that ended. */
export async function purgeShortLived(tx: Tx, now: Date): Promise<void> {
  await sql`
    delete from idempotency where created_at < ${new Date(now.getTime() - 86_400_000)}`.execute(tx);
  await sql`delete from sessions where expires_at < ${now}`.execute(tx);
}
