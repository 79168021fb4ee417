import { sql } from 'kysely';
import { inTransaction, type Db } from '#db/database.ts';

/** Sorted in 64 kB of memory they need about 200 kB of disk. */
const sortedNumbers = 10_000;

/**
 * Writes a temporary file, which needs new space on the disk, and commits a record of the
 * write-ahead log. No table changes. Throws when either fails.
 */
export async function probeWrites(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`/* limit-probe-memory */ select set_config('work_mem', '64kB', true)`.execute(tx);
    await sql`/* probe-writes */
      select pg_logical_emit_message(true, 'toprung', '') is not null as logged, count(*) as sorted
      from (select number from generate_series(1, ${sortedNumbers}::int) number
        order by number desc) sorted`.execute(tx);
  });
}
