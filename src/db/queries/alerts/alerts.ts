import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export async function findAlertRules(
  tx: Tx,
  workspaceId: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<{ rules: unknown; savedAt: Date } | undefined> {
  const { rows } = await sql<Row<'find-alert-rules'>>`
    select rules, saved_at as "savedAt" from alert_rules
      where workspace_id = ${workspaceId} ${lock ? sql`for no key update` : sql``}`.execute(tx);
  return rows[0];
}

export async function upsertAlertRules(
  tx: Tx,
  workspaceId: number,
  document: { rules: string; savedAt: Date },
): Promise<void> {
  await sql`
    insert into alert_rules (workspace_id, rules, saved_at)
      values (${workspaceId}, ${document.rules}::jsonb, ${document.savedAt})
    on conflict (workspace_id) do update
      set rules = excluded.rules, saved_at = excluded.saved_at`.execute(tx);
}

/** The given apps that belong to this workspace. */
export async function listOwnAppIds(
  tx: Tx,
  workspaceId: number,
  appIds: number[],
): Promise<number[]> {
  const { rows } = await sql<Row<'list-own-app-ids'>>`
    select id from apps where workspace_id = ${workspaceId} and id = any(${appIds}::int[])`.execute(
    tx,
  );
  return rows.map((row) => row.id);
}

/** A tracked keyword with the facts that alert rules need. */
export interface AlertKeywordRow {
  id: number;
  appId: number;
  listingId: number;
  marketId: number;
  store: StoreName;
  country: string;
  device: string;
  phrase: string;
  trackingPeriods: unknown;
  /** The tags of the keyword and of its app. */
  tags: string[];
  traffic: number | null;
  /**
   * The oldest day of the score's evidence. The caller decides by it whether the score may be
   * shown.
   */
  observedOn: string | null;
}

/**
 * The live keywords of a workspace's live apps, including paused ones, ordered by id: all of them,
 * or those in `marketIds`.
 */
export async function listAlertKeywords(
  tx: Tx,
  workspaceId: number,
  marketIds: number[] | null,
): Promise<AlertKeywordRow[]> {
  const isInMarkets = marketIds === null ? sql`` : sql`and k.market_id = any(${marketIds}::int[])`;
  const { rows } = await sql<Row<'list-alert-keywords', AlertKeywordRow, 'store'>>`
    select k.id, k.app_id as "appId", a.listing_id as "listingId", k.market_id as "marketId",
      l.store, k.country, k.device, k.phrase, k.tracking_periods as "trackingPeriods",
      k.tags || a.tags as tags, s.traffic, s.observed_on as "observedOn"
    from keywords k
    join apps a on a.id = k.app_id
    join listings l on l.id = a.listing_id
    left join market_scores s on s.market_id = k.market_id
    where k.workspace_id = ${workspaceId} ${isInMarkets} and k.archived_at is null
      and a.archived_at is null
    order by k.id`.execute(tx);
  return rows;
}

/**
 * Days on which a store never passed its probe. Results of such days are not compared with others.
 */
export async function listDegradedDays(
  tx: Tx,
  range: { from: string; to: string },
): Promise<{ store: StoreName; date: string }[]> {
  const { rows } = await sql<
    Row<'list-degraded-days', { store: StoreName; date: string }, 'store' | 'date'>
  >`
    select store, date from series_probes
    where state = 'degraded'
      and date between ${range.from}::date and ${range.to}::date`.execute(tx);
  return rows;
}

/**
 * Locks the market-days of the oldest day with pending evaluations until the transaction ends. A
 * day on which the store fails its probe waits until it passes, for at most two days. Concurrent
 * callers get other rows.
 */
export async function takePendingEvaluations(
  tx: Tx,
  input: { today: string; limit: number },
): Promise<{ date: string; marketIds: number[] } | null> {
  await sql`
    delete from pending_evaluations u using markets m, series_probes c
    where m.id = u.market_id and c.store = m.store and c.date = u.on_date and c.state = 'degraded'
      and u.on_date < ${input.today}::date - 1`.execute(tx);
  const { rows } = await sql<Row<'pending-evaluations'>>`
    select u.on_date as date, u.market_id as "marketId"
    from pending_evaluations u join markets m on m.id = u.market_id
    where not exists (select from series_probes c where c.store = m.store and c.date = u.on_date
      and c.state = 'degraded')
    order by u.on_date, u.market_id limit ${input.limit} for update of u skip locked`.execute(tx);
  const [first] = rows;
  return first
    ? {
        date: first.date,
        marketIds: rows.filter((row) => row.date === first.date).map((row) => row.marketId),
      }
    : null;
}

export async function deletePendingEvaluations(
  tx: Tx,
  evaluated: { date: string; marketIds: number[] },
): Promise<void> {
  await sql`
    delete from pending_evaluations where on_date = ${evaluated.date}::date
      and market_id = any(${evaluated.marketIds}::int[])`.execute(tx);
}

/**
 * Workspaces with a live keyword in one of the markets. Suspended workspaces are omitted because
 * they get no events.
 */
export async function listMarketWorkspaces(tx: Tx, marketIds: number[]): Promise<number[]> {
  const { rows } = await sql<Row<'list-market-workspaces'>>`
    select distinct w.id from keywords k join apps a on a.id = k.app_id
      join workspaces w on w.id = k.workspace_id
    where k.market_id = any(${marketIds}::int[]) and k.archived_at is null and a.archived_at is null
      and w.state <> 'suspended'
    order by w.id`.execute(tx);
  return rows.map((row) => row.id);
}
