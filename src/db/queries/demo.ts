import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * How often feeds, pages and charts are read; hints keep their week. A day on which one is not read has no answer and no
 * gap: nobody asked. New chores begin with every day, so this is said again on each day that is to be another.
 */
export async function setChoreDays(db: Db, everyDays: number): Promise<void> {
  await sql`/* set-chore-days */
    update chores set every_days = ${everyDays} where kind <> 'hints' and every_days <> ${everyDays}`.execute(db);
}
