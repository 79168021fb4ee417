import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
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

/** The saved rules and settings of some workspaces; those without any are omitted. */
export async function listAlertSettings(
  systemTx: Tx,
  workspaceIds: readonly number[],
): Promise<{ workspaceId: number; rules: unknown; settings: unknown }[]> {
  const { rows } = await sql<Row<'list-alert-settings'>>`/* list-alert-settings */
    select w.id as "workspaceId", r.rules, s.settings
    from unnest(${[...workspaceIds]}::int[]) as w(id)
    left join alert_rules r on r.workspace_id = w.id
    left join settings s on s.workspace_id = w.id`.execute(systemTx);
  return rows.map((row) => ({ ...row, workspaceId: row.workspaceId! }));
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
  workspaceId: number;
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

const alertKeywords = sql`
  select k.id, k.workspace_id as "workspaceId", k.app_id as "appId",
    a.listing_id as "listingId", k.market_id as "marketId", l.store, k.country, k.device, k.phrase,
    k.tracking_periods as "trackingPeriods", k.tags || a.tags as tags, s.traffic,
    s.observed_on as "observedOn"
  from keywords k
  join apps a on a.id = k.app_id and a.archived_at is null
  join listings l on l.id = a.listing_id
  left join market_scores s on s.market_id = k.market_id`;

/** The live keywords of a workspace's live apps, including paused ones, ordered by id. */
export async function listAlertKeywords(tx: Tx, workspaceId: number): Promise<AlertKeywordRow[]> {
  const { rows } = await sql<
    Row<'list-alert-keywords', AlertKeywordRow, 'store'>
  >`/* list-alert-keywords */ ${alertKeywords}
    where k.workspace_id = ${workspaceId} and k.archived_at is null order by k.id`.execute(tx);
  return rows;
}

/**
 * The same keywords of every workspace in some markets. Suspended workspaces are omitted because
 * they get no events.
 */
export async function listMarketAlertKeywords(
  systemTx: Tx,
  marketIds: readonly number[],
): Promise<AlertKeywordRow[]> {
  const { rows } = await sql<
    Row<'list-market-alert-keywords', AlertKeywordRow, 'store'>
  >`/* list-market-alert-keywords */ ${alertKeywords}
    join workspaces w on w.id = k.workspace_id and w.state <> 'suspended'
    where k.market_id = any(${[...marketIds]}::int[]) and k.archived_at is null
    order by k.id`.execute(systemTx);
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

/** Checked markets of a day that were not evaluated for alerts yet. */
export interface PendingEvaluations {
  date: string;
  marketIds: number[];
  /** The version of each row: it changes with another check. */
  versions: string[];
}

/**
 * The market-days of the oldest day with pending evaluations. A day on which the store fails its
 * probe waits until it passes, for at most two days, and so does a check that may still be
 * retracted at `now`.
 */
export async function listPendingEvaluations(
  systemDb: Db,
  input: { today: string; now: Date; limit: number },
): Promise<PendingEvaluations | null> {
  await sql`/* drop-degraded-evaluations */
    delete from pending_evaluations u using markets m, series_probes c
    where m.id = u.market_id and c.store = m.store and c.date = u.on_date and c.state = 'degraded'
      and u.on_date < ${input.today}::date - 1`.execute(systemDb);
  const { rows } = await sql<Row<'pending-evaluations'>>`/* pending-evaluations */
    select u.on_date as date, u.market_id as "marketId", u.xmin::text as version
    from pending_evaluations u join markets m on m.id = u.market_id
    where (u.evaluate_at is null or u.evaluate_at <= ${input.now})
      and not exists (select from series_probes c where c.store = m.store and c.date = u.on_date
        and c.state = 'degraded')
    order by u.on_date, u.market_id limit ${input.limit}`.execute(systemDb);
  const ofFirst = rows.filter((row) => row.date === rows[0]!.date);
  if (ofFirst.length === 0) return null;
  return {
    date: ofFirst[0]!.date,
    marketIds: ofFirst.map((row) => row.marketId),
    versions: ofFirst.map((row) => row.version),
  };
}

/** Those with another check since then stay pending. */
export async function deletePendingEvaluations(
  systemDb: Db,
  { date, marketIds, versions }: PendingEvaluations,
): Promise<void> {
  await sql`/* delete-pending-evaluations */
    delete from pending_evaluations u
    using unnest(${marketIds}::int[], ${versions}::text[]) as evaluated(market_id, version)
    where u.on_date = ${date}::date and u.market_id = evaluated.market_id
      and u.xmin::text = evaluated.version`.execute(systemDb);
}
