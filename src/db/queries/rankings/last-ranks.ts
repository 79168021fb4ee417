import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';

/** With fewer listings rank_months is as quick, and a check need not write another row. */
const minListings = 20;
const headBytes = 10;
const epoch = '2000-01-01';

/** The ranks of the same listings at the newest checks of some markets. */
export interface LastRanks {
  /** Four bytes each. */
  listingIds: Buffer;
  checks: LastCheck[];
}

interface LastCheck {
  marketId: number;
  date: UtcDay;
  depth: number;
  /** One byte for each listing, as in rank_months. */
  dailyRanks: Buffer;
}

/**
 * The ranks of the newest checks of markets that were made on some days. Markets are grouped by
 * their listings, because those of an app have the same ones.
 */
export async function listLastRanks(
  tx: Tx,
  input: { marketIds: readonly number[]; dates: readonly UtcDay[] },
): Promise<LastRanks[]> {
  const { rows } = await sql<
    Row<
      'last-ranks',
      { listingIds: Buffer; heads: Buffer; dailyRanks: Buffer },
      'heads' | 'dailyRanks'
    >
  >`/* last-ranks */
    select listing_ids as "listingIds",
      string_agg(int4send(market_id) || int4send(on_date - ${epoch}::date) || int2send(depth), null)
        as heads,
      string_agg(daily_ranks, null) as "dailyRanks"
    from last_ranks
    where market_id = any(${[...input.marketIds]}::int[])
      and on_date = any(${[...input.dates]}::date[])
    group by listing_ids`.execute(tx);
  return rows.map(({ listingIds, heads, dailyRanks }) => {
    const count = listingIds.length / 4;
    return {
      listingIds,
      checks: Array.from({ length: heads.length / headBytes }, (_, index) => ({
        marketId: heads.readInt32BE(index * headBytes),
        date: addDays(epoch, heads.readInt32BE(index * headBytes + 4)),
        depth: heads.readInt16BE(index * headBytes + 8),
        dailyRanks: dailyRanks.subarray(index * count, (index + 1) * count),
      })),
    };
  });
}

/** A part of a statement that has the rows `due`: keeps the ranks of a market's newest check. */
export const storeLastRanks = (day: string): RawBuilder<unknown> => sql`
  last_ranked as (
    insert into last_ranks as l (market_id, on_date, depth, listing_ids, daily_ranks)
    select due.market_id, ${day}, due.depth, packed.ids, packed.ranks
    from due cross join lateral (
      select string_agg(int4send(seen.id), null order by seen.id) as ids,
        string_agg(set_byte('\\x00'::bytea, 0, seen.rank), null order by seen.id) as ranks
      from unnest(due.listing_ids, due.daily_ranks) as seen(id, rank)
    ) as packed
    where cardinality(due.listing_ids) >= ${minListings}::int order by due.market_id
    on conflict (market_id) do update set on_date = excluded.on_date, depth = excluded.depth,
      listing_ids = excluded.listing_ids, daily_ranks = excluded.daily_ranks
  )`;

/** After ranks of some days were changed in rank_months: readers find them there. */
export async function deleteLastRanks(
  tx: Tx,
  of: { marketIds: readonly number[]; from: UtcDay; to: UtcDay },
): Promise<void> {
  await sql`/* delete-last-ranks */
    delete from last_ranks where market_id = any(${[...of.marketIds]}::int[])
      and on_date between ${of.from}::date and ${of.to}::date`.execute(tx);
}
