import { sql } from 'kysely';
import type { Db } from '../database.ts';

/**
 * How many days lie between two readings of a feed, page or chart, and of a market's hints. A day on which one is not read
 * has no answer and no gap: nobody asked. New chores begin with the product's own, so this is said again every day.
 */
export async function setChoreDays(db: Db, days: { hints: number; others: number }): Promise<void> {
  await sql`/* set-chore-days */
    update chores c set every_days = wanted.days
    from (select id, case kind when 'hints' then ${days.hints}::int else ${days.others}::int end as days from chores) wanted
    where wanted.id = c.id and c.every_days <> wanted.days`.execute(db);
}
