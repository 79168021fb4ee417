import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { addDays } from '#lib/dates.ts';
import { deleteLastRanks } from '../rankings/last-ranks.ts';
import { hasPackedDay } from '../serp-chains/packed-serps.ts';

/** The months in which an import may publish positions or results of a market, oldest first. */
export async function listMonthsToPublish(
  tx: Tx,
  workspaceId: number,
  marketId: number,
): Promise<string[]> {
  const { rows } = await sql<Row<'months-to-publish'>>`/* months-to-publish */
    select distinct date_trunc('month', days.on_date::timestamp)::date as month
    from keywords k cross join lateral (
      select r.on_date from imported_daily_ranks r where r.keyword_id = k.id and r.to_publish
      union all
      select f.on_date from imported_facts f
        where f.keyword_id = k.id and f.kind = 'serp' and f.to_publish
    ) as days
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId}
    order by 1`.execute(tx);
  return rows.map(({ month }) => month);
}

export interface ImportedRank {
  keywordId: number;
  listingId: number;
  date: string;
  position: number | null;
  depth: number;
  provider: string | null;
  /** From the day's midnight to the check; null: the file does not say. */
  seconds: number | null;
}

interface MonthOfMarket {
  marketId: number;
  /** Its first day. */
  month: string;
}

export async function listRanksToPublish(
  tx: Tx,
  workspaceId: number,
  { marketId, month }: MonthOfMarket,
): Promise<ImportedRank[]> {
  const { rows } = await sql<Row<'ranks-to-publish', ImportedRank>>`/* ranks-to-publish */
    select r.keyword_id as "keywordId", r.listing_id as "listingId", r.on_date as date,
      r.position, r.depth, r.provider,
      extract(epoch from r.checked_at - r.on_date::timestamp at time zone 'UTC')::int as seconds
    from keywords k join imported_daily_ranks r on r.keyword_id = k.id
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId} and r.to_publish
      and r.on_date >= ${month}::date and r.on_date < ${month}::date + interval '1 month'
    order by r.on_date, r.keyword_id`.execute(tx);
  return rows;
}

/** Rows with results of a keyword and a day, which may be in several. */
export async function listSerpsToPublish(
  tx: Tx,
  workspaceId: number,
  { marketId, month }: MonthOfMarket,
): Promise<{ id: string; keywordId: number; date: string; items: string }[]> {
  const { rows } = await sql<Row<'serps-to-publish'>>`/* serps-to-publish */
    select f.id::text as id, k.id as "keywordId", f.on_date as date, f.items::text as items
    from keywords k join imported_facts f on f.keyword_id = k.id
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId} and f.kind = 'serp'
      and f.to_publish
      and f.on_date >= ${month}::date and f.on_date < ${month}::date + interval '1 month'
    order by f.on_date, k.id, f.id`.execute(tx);
  return rows;
}

export interface PublicMonth {
  store: StoreName;
  country: string;
  /** As packed by the daily rank codec; null: no day of the month was checked. */
  days: Buffer | null;
  /** Days without a check, with a reason. */
  gaps: string[];
  /** Days with stored results. */
  serps: string[];
}

/** Reads what this instance knows of a month. No check of the market is written until the end. */
export async function lockPublicMonth(
  tx: Tx,
  { marketId, month }: MonthOfMarket,
): Promise<PublicMonth> {
  await sql`/* lock-market-schedule */
    select from market_schedule where market_id = ${marketId} for update`.execute(tx);
  const isInMonth = sql`market_id = m.id and on_date >= ${month}::date
    and on_date < ${month}::date + interval '1 month'`;
  const { rows } = await sql<Row<'public-month', PublicMonth, 'store'>>`/* public-month */
    select m.store, m.country, d.days,
      array(select on_date::text from market_gaps where ${isInMonth}) as gaps,
      array(select on_date::text from serps where ${isInMonth}
        union select (p.month + d.index)::text
        from serp_months p cross join generate_series(0, 30) as d(index)
        where p.market_id = m.id and p.month = ${month}::date and p.days & (1 << d.index) <> 0)
        as serps
    from markets m left join market_months d on d.market_id = m.id and d.month = ${month}::date
    where m.id = ${marketId}`.execute(tx);
  return rows[0]!;
}

/** The providers of a store's positions, oldest first. */
export async function listSeriesOfStore(
  tx: Tx,
  store: StoreName,
): Promise<{ fromDay: string; provider: string }[]> {
  const { rows } = await sql<Row<'series-of-store'>>`/* series-of-store */
    select from_day as "fromDay", provider from position_series where store = ${store}
    order by from_day`.execute(tx);
  return rows;
}

export interface PackedRanks {
  listingId: number;
  dailyRanks: Buffer;
  depths: Buffer;
}

export async function listPackedRanks(
  tx: Tx,
  { marketId, month, listingIds }: MonthOfMarket & { listingIds: readonly number[] },
): Promise<PackedRanks[]> {
  const { rows } = await sql<Row<'packed-ranks', PackedRanks>>`/* packed-ranks */
    select listing_id as "listingId", daily_ranks as "dailyRanks", depths from rank_months
    where market_id = ${marketId} and month = ${month}::date
      and listing_id = any(${[...listingIds]}::int[])`.execute(tx);
  return rows;
}

/** The competitors of the workspace's apps that track a market. */
export async function listCompetitorsInMarket(
  tx: Tx,
  workspaceId: number,
  marketId: number,
): Promise<{ listingId: number; trackingPeriods: unknown }[]> {
  const { rows } = await sql<Row<'competitors-in-market'>>`/* competitors-in-market */
    select c.listing_id as "listingId", c.tracking_periods as "trackingPeriods"
    from keywords k join competitors c on c.workspace_id = ${workspaceId} and c.app_id = k.app_id
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId}
      and k.archived_at is null and c.archived_at is null`.execute(tx);
  return rows;
}

/** Writes a month of a market with the ranks of listings in it. */
export async function saveMonth(
  tx: Tx,
  { marketId, month, days, ranks }: MonthOfMarket & { days: Buffer; ranks: PackedRanks[] },
): Promise<void> {
  await sql`/* save-market-month */
    insert into market_months (market_id, month, days)
    values (${marketId}, ${month}::date, ${days}::bytea)
    on conflict (market_id, month) do update set days = excluded.days`.execute(tx);
  await sql`/* save-rank-months */
    insert into rank_months (listing_id, month, market_id, daily_ranks, depths)
    select r.listing_id, ${month}::date, ${marketId}::int, r.daily_ranks, r.depths
    from unnest(${ranks.map(({ listingId }) => listingId)}::int[],
      ${ranks.map(({ dailyRanks }) => dailyRanks)}::bytea[],
      ${ranks.map(({ depths }) => depths)}::bytea[]) as r(listing_id, daily_ranks, depths)
    order by r.listing_id
    on conflict (listing_id, month, market_id) do update
      set daily_ranks = excluded.daily_ranks, depths = excluded.depths`.execute(tx);
  await deleteLastRanks(tx, { marketIds: [marketId], from: month, to: addDays(month, 30) });
}

/**
 * Ends the publication of a month: ranks and results that are public facts by now are deleted, and
 * the others stay evidence of the workspace.
 */
export async function endMonth(
  tx: Tx,
  workspaceId: number,
  { marketId, month }: MonthOfMarket,
): Promise<void> {
  const isInMonth = (day: string) => sql`${sql.ref(day)} >= ${month}::date
    and ${sql.ref(day)} < ${month}::date + interval '1 month'`;
  await sql`/* delete-published-ranks */
    delete from imported_daily_ranks r using keywords k, rank_months m
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId} and r.keyword_id = k.id
      and r.to_publish and ${isInMonth('r.on_date')}
      and m.listing_id = r.listing_id and m.market_id = k.market_id and m.month = ${month}::date
      and get_byte(m.daily_ranks, r.on_date - ${month}::date) <> 0`.execute(tx);
  await sql`/* keep-unpublished-ranks */
    update imported_daily_ranks r set to_publish = false from keywords k
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId} and r.keyword_id = k.id
      and r.to_publish and ${isInMonth('r.on_date')}`.execute(tx);
  await sql`/* delete-published-serps */
    delete from imported_facts f using keywords k
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId} and f.keyword_id = k.id
      and f.kind = 'serp' and f.to_publish and ${isInMonth('f.on_date')}
      and (exists (select from serps s where s.market_id = k.market_id
        and s.on_date = f.on_date)
        or ${hasPackedDay(sql`k.market_id`, sql`f.on_date`)})`.execute(tx);
  await sql`/* keep-unpublished-serps */
    update imported_facts f set to_publish = false from keywords k
    where k.workspace_id = ${workspaceId} and k.market_id = ${marketId} and f.keyword_id = k.id
      and f.kind = 'serp' and f.to_publish and ${isInMonth('f.on_date')}`.execute(tx);
}
