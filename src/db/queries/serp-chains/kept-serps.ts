import { sql } from 'kysely';
import { readTogether, type Db, type Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { keyOf, listPackedHistory, listPackedSpots, mergeDays } from './packed-serps.ts';
import { firstDayOfChain, resolveChains } from './serp-chains.ts';
import { applyDifference } from './serp-difference.ts';

// Every reader of stored results uses this file, or serp-history.ts for ids alone: lists are stored
// as differences, those of closed months are packed, and those of the last search may be in
// last_serps alone.

export interface KeptSerp {
  marketId: number;
  date: string;
  depth: number;
  resultCount: number;
  ended: 'depth' | 'exhausted' | 'truncated';
  provider: string;
  ids: Buffer;
  strengths: Buffer;
  /** For each ad the position of the result that follows it; null where none are shown. */
  ads: number[] | null;
  language: string | null;
}

/** A row of a day: its lists may be a difference. */
export interface StoredSerp extends KeptSerp {
  wholeOn: string | null;
}

const columns = sql`
  p.market_id as "marketId", p.on_date as date, p.depth, p.result_count as "resultCount", p.ended,
  p.provider, p.ids, p.strengths, p.ads, p.language`;

/** The partition of a market's last results may have been dropped. */
const isNowhereElse = sql`not exists (
  select from serps s where s.market_id = p.market_id and s.on_date = p.on_date)`;

type Narrowed = 'ended';

export const storedColumns = sql`${columns}, p.whole_on as "wholeOn"`;

/** The rows of days as whole lists; they are by market and day. */
export const resolveStored = (rows: readonly StoredSerp[]): KeptSerp[] =>
  resolveChains(rows, (base, row) => ({ ...row, ...applyDifference(base, row) })).map(
    ({ wholeOn: _wholeOn, ...serp }) => serp,
  );

/** The results of markets on some days; days without results are omitted. By market and day. */
export async function listKeptSerps(
  db: Db | Tx,
  spots: readonly { marketId: number; date: string }[],
): Promise<KeptSerp[]> {
  if (spots.length === 0) return [];
  const { rows } = await sql<Row<'kept-serps', StoredSerp, Narrowed>>`/* kept-serps */
    with requested as (
      select * from unnest(${spots.map(({ marketId }) => marketId)}::int[],
        ${spots.map(({ date }) => date)}::date[]) as r(market_id, on_date)
    )
    select ${storedColumns}
    from requested r join serps t on t.market_id = r.market_id and t.on_date = r.on_date
    join serps p on p.market_id = t.market_id
      and p.on_date between coalesce(t.whole_on, t.on_date) and t.on_date
    union all
    select ${columns}, null
    from requested r join last_serps p on p.market_id = r.market_id and p.on_date = r.on_date
    where ${isNowhereElse}
    order by 1, 2`.execute(db);
  const requested = new Set(spots.map(keyOf));
  const kept = resolveStored(
    rows.filter((row, at) => at === 0 || keyOf(row) !== keyOf(rows[at - 1]!)),
  ).filter((row) => requested.has(keyOf(row)));
  const known = new Set(kept.map(keyOf));
  const others = spots.filter((spot) => !known.has(keyOf(spot)));
  return mergeDays(kept, await listPackedSpots(db, others));
}

/** All results of markets from `from` to `to`: by market, oldest first. */
export async function listSerpHistory(
  db: Db | Tx,
  range: { marketIds: readonly number[]; from: string; to: string },
): Promise<KeptSerp[]> {
  const [kept, packed] = await readTogether(
    db,
    () => listPlainHistory(db, range),
    () => listPackedHistory(db, range),
  );
  return mergeDays(kept, packed);
}

async function listPlainHistory(
  db: Db | Tx,
  range: { marketIds: readonly number[]; from: string; to: string },
): Promise<KeptSerp[]> {
  const { rows } = await sql<Row<'serp-history', StoredSerp, Narrowed>>`/* serp-history */
    select ${storedColumns}
    from serps p where p.market_id = any(${[...range.marketIds]}::int[])
      and p.on_date between ${firstDayOfChain(range.from)}::date and ${range.to}::date
    union all
    select ${columns}, null
    from last_serps p where p.market_id = any(${[...range.marketIds]}::int[])
      and p.on_date between ${range.from}::date and ${range.to}::date and ${isNowhereElse}
    order by 1, 2`.execute(db);
  return resolveStored(rows).filter(({ date }) => date >= range.from);
}
