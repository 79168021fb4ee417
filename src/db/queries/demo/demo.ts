import { sql } from 'kysely';
import type { Db } from '#db/database.ts';

/**
 * How many days lie between two readings of a feed, page or chart, and of a market's hints. A day
 * on which one is not read has no answer and no gap: nobody asked. New store tasks begin with the
 * product's own, so this is said again every day.
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
