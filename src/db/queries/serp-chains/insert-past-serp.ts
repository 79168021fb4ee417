import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { beginChainsAfter } from './begin-chains.ts';
import type { KeptSerp } from './kept-serps.ts';

/** Inserts results of any day that has none. They are whole, and interrupt no chain. */
export async function insertPastSerp(tx: Tx, serp: KeptSerp): Promise<void> {
  await beginChainsAfter(tx, { marketIds: [serp.marketId], day: serp.date });
  await sql`/* continue-last-chain */
    update last_serps l set whole_on = coalesce(s.whole_on, s.on_date)
    from serps s
    where l.market_id = ${serp.marketId} and l.on_date > ${serp.date}
      and l.whole_on <= ${serp.date} and s.market_id = l.market_id
      and s.on_date = l.on_date`.execute(tx);
  const columns = sql`market_id, on_date, depth, result_count, ended, provider, language, ids,
    strengths, ads`;
  const values = sql`${serp.marketId}, ${serp.date}, ${serp.depth}, ${serp.resultCount},
    ${serp.ended}, ${serp.provider}, ${serp.language}, ${serp.ids}::bytea,
    ${serp.strengths}::bytea, ${serp.ads}::smallint[]`;
  await sql`/* insert-past-serp */
    insert into serps (${columns}) values (${values})
    on conflict (market_id, on_date) do nothing`.execute(tx);
  await sql`/* insert-past-last-serp */
    insert into last_serps as l (${columns}, whole_on) values (${values}, ${serp.date})
    on conflict (market_id) do update set on_date = excluded.on_date, depth = excluded.depth,
      result_count = excluded.result_count, ended = excluded.ended,
      provider = excluded.provider, language = excluded.language, ids = excluded.ids,
      strengths = excluded.strengths, ads = excluded.ads, whole_on = excluded.whole_on
    where excluded.on_date > l.on_date`.execute(tx);
}
