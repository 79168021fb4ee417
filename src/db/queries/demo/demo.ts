import { sql } from 'kysely';
import type { Db } from '#db/database.ts';

/**
 * Sets how many days lie between two readings of a feed, page or chart, and of a market's hints.
 * Days without a reading have no gap, because nothing was due. New store tasks start with the
 * default interval, so the demo sets it every day.
 */
export async function setStoreTaskDays(
  db: Db,
  days: { hints: number; others: number },
): Promise<void> {
  await sql`/* set-store-task-days */
    update store_tasks c set interval_days = requested.days
    from (select id, case kind when 'hints' then ${days.hints}::int else ${days.others}::int end
      as days from store_tasks) requested
    where requested.id = c.id and c.interval_days <> requested.days`.execute(db);
}
