import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db } from '#db/database.ts';

/** Sends no request of a store through an endpoint for a while, whichever host it asks. */
export async function coolEndpoint(
  db: Db,
  input: { store: StoreName; endpoint: string; marker: string; cooldownSeconds: number },
): Promise<void> {
  await sql`/* cool-endpoint */
    update pacing set last_marker = ${input.marker}, cooldown_until = greatest(cooldown_until,
      clock_timestamp() + ${input.cooldownSeconds}::int * interval '1 second')
    where store = ${input.store} and endpoint = ${input.endpoint}`.execute(db);
}
