import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { dayIndexInMonth, monthOf } from '#lib/dates.ts';
import { resolveStored, storedColumns, type KeptSerp, type StoredSerp } from './kept-serps.ts';
import { keyOf, listPackedSpots, mergeDays } from './packed-serps.ts';
import { packSerpMonth, unpackSerpMonth, type MonthOfProvider } from './serp-month.ts';

export interface PackedMarkets {
  /** Continue after it; null when no market is left. */
  lastMarketId: number | null;
  /** The number of days that were packed. */
  days: number;
}

/**
 * Moves the results from before `before`, which begins a month, of the next `limit` markets from
 * rows of a day to rows of a month. What is packed is unpacked and compared before its rows are
 * deleted. Results whose chain has lost its beginning stay. The next results of these markets are
 * no difference from packed ones, also where a clock that was ahead has closed the month early.
 */
export async function packMonths(
  tx: Tx,
  at: { before: string; afterMarketId: number; limit: number },
): Promise<PackedMarkets> {
  const markets = await sql<Row<'markets-to-pack'>>`/* markets-to-pack */
    select distinct market_id as id from serps
    where on_date < ${at.before}::date and market_id > ${at.afterMarketId}
    order by 1 limit ${at.limit}`.execute(tx);
  const marketIds = markets.rows.map(({ id }) => id);
  if (marketIds.length === 0) return { lastMarketId: null, days: 0 };
  await endChains(tx, marketIds, at.before);
  const { rows } = await sql<Row<'serps-to-pack', StoredSerp, 'ended'>>`/* serps-to-pack */
    select ${storedColumns} from serps p
    where p.market_id = any(${marketIds}::int[]) and p.on_date < ${at.before}::date
    order by 1, 2 for update`.execute(tx);
  const serps = resolveStored(rows);
  const packed = await listPackedSpots(tx, await listOtherDays(tx, serps));
  const months = Map.groupBy(mergeDays(packed, serps), monthKeyOf);
  await savePacked(tx, [...months.values()].map(toRow));
  await sql`/* delete-packed-serps */
    delete from serps p using unnest(${serps.map(({ marketId }) => marketId)}::int[],
      ${serps.map(({ date }) => date)}::date[]) as n(market_id, on_date)
    where p.market_id = n.market_id and p.on_date = n.on_date`.execute(tx);
  return { lastMarketId: marketIds.at(-1)!, days: serps.length };
}

/** First, so that a check that is stored meanwhile finds another version of its last results. */
async function endChains(tx: Tx, marketIds: number[], before: string): Promise<void> {
  await sql`/* end-packed-chains */
    update last_serps l set whole_on = date_trunc('month', l.on_date)::date - 1
    from (select market_id from last_serps
      where market_id = any(${marketIds}::int[]) and on_date < ${before}::date
        and whole_on >= date_trunc('month', on_date)::date
      order by market_id for update) as n
    where l.market_id = n.market_id`.execute(tx);
}

const monthKeyOf = ({ marketId, date, provider }: KeptSerp): string =>
  `${marketId} ${monthOf(date)} ${provider}`;

/** The days that are packed already, of the months and markets of some results. */
async function listOtherDays(tx: Tx, serps: readonly KeptSerp[]): Promise<Spot[]> {
  const { rows } = await sql<Row<'packed-days', Spot>>`/* packed-days */
    select distinct m.market_id as "marketId", m.month + d.index as date
    from unnest(${serps.map(({ marketId }) => marketId)}::int[],
      ${serps.map(({ date }) => monthOf(date))}::date[]) as n(market_id, month)
    join serp_months m on m.market_id = n.market_id and m.month = n.month
    cross join generate_series(0, 30) as d(index)
    where m.days & (1 << d.index) <> 0`.execute(tx);
  return rows;
}

type Spot = { marketId: number; date: string };

/** Throws when the results would not be read back exactly. */
function toRow(serps: readonly KeptSerp[]) {
  const { marketId, date, provider } = serps[0]!;
  const of: MonthOfProvider = { marketId, month: monthOf(date), provider };
  const results = packSerpMonth(serps);
  if (!isDeepStrictEqual(unpackSerpMonth(of, results), serps))
    throw new Error(`results would be lost by packing ${keyOf(serps[0]!)} of ${provider}`);
  const short = serps.filter((serp) => serp.ended === 'exhausted' && serp.resultCount < serp.depth);
  return {
    market_id: marketId,
    month: of.month,
    provider,
    days: toBits(serps),
    last_on: serps.at(-1)!.date,
    last_result_count: serps.at(-1)!.resultCount,
    short_days: toBits(short),
    short_counts: short.length === 0 ? null : short.map(({ resultCount }) => resultCount),
    results: `\\x${results.toString('hex')}`,
  };
}

const toBits = (serps: readonly KeptSerp[]): number =>
  serps.reduce((bits, { date }) => bits | (1 << dayIndexInMonth(date)), 0);

async function savePacked(tx: Tx, rows: readonly object[]): Promise<void> {
  await sql`/* save-packed-serps */
    insert into serp_months (market_id, month, provider, days, last_on, last_result_count,
      short_days, short_counts, results)
    select g.market_id, g.month, g.provider, g.days, g.last_on, g.last_result_count, g.short_days,
      g.short_counts, g.results
    from json_to_recordset(${JSON.stringify(rows)}::json) as g(market_id int, month date,
      provider text, days int, last_on date, last_result_count smallint, short_days int,
      short_counts smallint[], results bytea)
    order by g.market_id, g.month
    on conflict (market_id, month, provider) do update set days = excluded.days,
      last_on = excluded.last_on, last_result_count = excluded.last_result_count,
      short_days = excluded.short_days, short_counts = excluded.short_counts,
      results = excluded.results`.execute(tx);
}
