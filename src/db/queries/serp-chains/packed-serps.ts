import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { monthOf } from '#lib/dates.ts';
import type { KeptSerp } from './kept-serps.ts';
import { unpackSerpMonth, type MonthOfProvider } from './serp-month.ts';

// Results of closed months. They are written by pack-months.ts, which moves them from `serps`.
// Readers of both tables read `serps` first, so that a day that moves meanwhile is not missed.

type PackedMonth = MonthOfProvider & { results: Buffer };

const columns = sql`p.market_id as "marketId", p.month, p.provider, p.results`;

/** The packed results of markets from `from` to `to`, by market and day. */
export async function listPackedHistory(
  db: Db | Tx,
  range: { marketIds: readonly number[]; from: string; to: string },
): Promise<KeptSerp[]> {
  const { rows } = await sql<Row<'packed-serp-history', PackedMonth>>`/* packed-serp-history */
    select ${columns} from serp_months p where p.market_id = any(${[...range.marketIds]}::int[])
      and p.month between ${monthOf(range.from)}::date and ${range.to}::date`.execute(db);
  return unpackMonths(rows).filter(({ date }) => date >= range.from && date <= range.to);
}

/** The packed results of markets in the months of some days, by market and day. */
export async function listPackedSpots(
  db: Db | Tx,
  spots: readonly { marketId: number; date: string }[],
): Promise<KeptSerp[]> {
  if (spots.length === 0) return [];
  const { rows } = await sql<Row<'packed-serps', PackedMonth>>`/* packed-serps */
    with requested as (
      select distinct * from unnest(${spots.map(({ marketId }) => marketId)}::int[],
        ${spots.map(({ date }) => monthOf(date))}::date[]) as r(market_id, month)
    )
    select ${columns} from requested join serp_months p using (market_id, month)`.execute(db);
  const requested = new Set(spots.map(keyOf));
  return unpackMonths(rows).filter((row) => requested.has(keyOf(row)));
}

interface MarketDay {
  marketId: number;
  date: string;
}

export const keyOf = ({ marketId, date }: MarketDay): string => `${marketId} ${date}`;

/** Two lists by market and day; of a day in both, the first one's. */
export function mergeDays<Of extends MarketDay>(first: Of[], second: readonly Of[]): Of[] {
  if (second.length === 0) return first;
  const known = new Set(first.map(keyOf));
  return [...first, ...second.filter((row) => !known.has(keyOf(row)))].toSorted(compareDays);
}

const unpackMonths = (rows: readonly PackedMonth[]): KeptSerp[] =>
  rows.flatMap((row) => unpackSerpMonth(row, row.results)).toSorted(compareDays);

const compareDays = (a: MarketDay, b: MarketDay): number =>
  a.marketId - b.marketId || (a.date < b.date ? -1 : Number(a.date > b.date));

/** True when a market has packed results of a day. */
export const hasPackedDay = (
  marketId: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`exists (
  select from serp_months m where m.market_id = ${marketId}
    and m.month = ${day} - extract(day from ${day})::int + 1
    and m.days & (1 << extract(day from ${day})::int - 1) <> 0)`;

/** The days `on_date` from `first` to `last` of which a market has packed results. */
export const packedDays = (
  marketId: RawBuilder<unknown>,
  first: RawBuilder<unknown>,
  last: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select m.month + d.index as on_date
  from serp_months m cross join generate_series(0, 30) as d(index)
  where m.market_id = ${marketId} and m.month between ${first} - 30 and ${last}
    and m.days & (1 << d.index) <> 0 and m.month + d.index between ${first} and ${last}`;
