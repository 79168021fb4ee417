import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import type { FollowedApp } from './keywords.ts';
import type { MarketName } from '../rankings/markets.ts';

/**
 * The state of requested keywords before they are added, in the requested order. The query uses
 * CTEs, so that no plan reads the workspace once per name.
 */
export interface RequestedState {
  marketId: number | null;
  keywordId: number | null;
  archived: boolean;
  paused: boolean;
  trackingPeriods: unknown;
  /** This workspace has seen a result of the archived keyword's market. */
  seen: boolean;
  /** Today's daily rank of the app in the market: 0 none, 1–200 the position, 255 not found. */
  dailyRank: number;
  /** The depth to which that daily rank was examined; 0 without one. */
  latestRankDepth: number;
  /**
   * The market's day: positions examined and seconds since midnight; 0 and 0 when it was not
   * searched today.
   */
  dayDepth: number;
  daySeconds: number;
  /** Another keyword of this workspace has today's result of this market. */
  hasOwnResult: boolean;
  /** The day has its outcome: a result or a gap. */
  isDayComplete: boolean;
}

export async function listRequestedStates(
  tx: Tx,
  workspaceId: number,
  input: { app: FollowedApp; names: MarketName[]; day: string; month: string; dayIndex: number },
): Promise<RequestedState[]> {
  const { rows } = await sql<
    Row<'list-requested-states', RequestedState, 'hasOwnResult'>
  >`/* list-requested-states */
    with requested as materialized (
      select n.ordinal, m.id as market_id
      from unnest(${input.names.map((name) => name.country)}::text[],
        ${input.names.map((name) => name.device)}::text[],
        ${input.names.map((name) => name.phrase)}::text[])
        with ordinality as n(country, device, phrase, ordinal)
      left join markets m on m.store = ${input.app.store} and m.country = n.country
        and m.device = n.device and m.phrase = n.phrase
    ), mine as materialized (
      select k.* from keywords k
      where k.workspace_id = ${workspaceId} and k.app_id = ${input.app.id}
        and k.market_id in (select market_id from requested)
    ), answered as materialized (
      select distinct k.market_id from keywords k
      where k.workspace_id = ${workspaceId} and k.market_id in (select market_id
        from requested) and k.archived_at is null and k.latest_on = ${input.day}
    )
    select n.market_id as "marketId", k.id as "keywordId", k.archived_at is not null as archived,
      coalesce(k.paused, false) as paused, k.tracking_periods as "trackingPeriods",
      coalesce(k.latest_at >= k.created_at, false) as seen,
      coalesce(get_byte(r.daily_ranks, ${input.dayIndex}::int), 0) as "dailyRank",
      coalesce(get_byte(r.depths, ${input.dayIndex}::int), 0) as "latestRankDepth",
      coalesce(get_byte(d.days, ${input.dayIndex * 4}::int), 0) as "dayDepth",
      coalesce((get_byte(d.days, ${input.dayIndex * 4 + 1}::int) << 16) + (get_byte(d.days,
        ${input.dayIndex * 4 + 2}::int) << 8)
        + get_byte(d.days, ${input.dayIndex * 4 + 3}::int), 0) as "daySeconds",
      n.market_id in (select market_id from answered) as "hasOwnResult",
      coalesce(s.completed_on >= ${input.day}::date, false) as "isDayComplete"
    from requested n
    left join market_schedule s on s.market_id = n.market_id
    left join mine k on k.market_id = n.market_id
    left join rank_months r on r.listing_id = ${input.app.listingId} and r.month = ${input.month}
      and r.market_id = n.market_id
    left join market_months d on d.market_id = n.market_id and d.month = ${input.month}
    order by n.ordinal`.execute(tx);
  return rows;
}

export interface NewKeyword {
  marketId: number;
  depth: number;
  tags: string[];
  paused: boolean;
  trackingPeriods: unknown;
  latestOn: string | null;
  latestPosition: number | null;
  latestDepth: number | null;
  latestAt: string | null;
}

/**
 * Tracks an app in markets. An archived keyword is restored with its history; it keeps its creation
 * time if this workspace has seen a result since, so that only its own results ever count as
 * learned. Returns ids by market.
 */
export async function upsertKeywords(
  tx: Tx,
  workspaceId: number,
  input: { appId: number; keywords: NewKeyword[]; now: Date },
): Promise<Map<number, number>> {
  const { rows } = await sql<Row<'upsert-keywords'>>`
    insert into keywords as k (workspace_id, app_id, market_id, country, device, phrase, depth,
      tags, paused, tracking_periods, created_at, latest_on, latest_position, latest_depth,
      latest_at, best_position, best_on)
    select ${workspaceId}, ${input.appId}, n."marketId", m.country, m.device, m.phrase, n.depth,
      n.tags, n.paused, n."trackingPeriods", ${input.now},
      n."latestOn", n."latestPosition", n."latestDepth", n."latestAt", n."latestPosition",
        case when n."latestPosition" is not null then n."latestOn" end
    from jsonb_to_recordset(${JSON.stringify(input.keywords)}::jsonb)
      as n("marketId" int, depth smallint, tags text[], paused boolean, "trackingPeriods" jsonb,
      "latestOn" date, "latestPosition" smallint, "latestDepth" smallint,
      "latestAt" timestamptz)
      join markets m on m.id = n."marketId"
    order by n."marketId"
    on conflict (app_id, market_id) do update set
      archived_at = null, purge_at = null, paused = excluded.paused, held = false,
      depth = excluded.depth, tracking_periods = excluded.tracking_periods,
      tags = case when cardinality(excluded.tags) > 0 then excluded.tags else k.tags end,
      created_at = case when k.latest_at >= k.created_at then k.created_at else excluded.created_at
        end,
      latest_on = coalesce(excluded.latest_on, k.latest_on),
      latest_position = case when excluded.latest_on is null then k.latest_position
        else excluded.latest_position end,
      latest_depth = coalesce(excluded.latest_depth, k.latest_depth),
      latest_at = coalesce(excluded.latest_at, k.latest_at),
      best_on = case when excluded.best_position < coalesce(k.best_position, 201)
        then excluded.best_on else k.best_on end,
      best_position = least(k.best_position, excluded.best_position)
    where k.archived_at is not null
    returning k.id, k.market_id as "marketId"`.execute(tx);
  return new Map(rows.map((row) => [row.marketId, row.id]));
}

/** A keyword with the fields that a change needs, locked until the transaction ends. */
export interface ChangeableKeyword {
  id: number;
  marketId: number;
  listingId: number;
  depth: number;
  paused: boolean;
  held: boolean;
  tags: string[];
  trackingPeriods: unknown;
  latestOn: string | null;
  /** Its app is archived, so that nothing checks it. */
  appArchived: boolean;
}

/**
 * Locks the markets before the keywords' own rows, for a change of depth and of several keywords.
 * The daily check uses the same order, and none among the keywords.
 */
export async function lockMarketsOf(tx: Tx, workspaceId: number, ids: number[]): Promise<void> {
  await sql`
    select from market_schedule where market_id in (select market_id from keywords
      where workspace_id = ${workspaceId} and id = any(${ids}))
    order by market_id for update`.execute(tx);
}

/** Locks the schedule rows of every market that an app tracks, in a fixed order. */
export async function lockMarketsOfApp(tx: Tx, workspaceId: number, appId: number): Promise<void> {
  await sql`
    select from market_schedule where market_id in (select market_id from keywords
      where workspace_id = ${workspaceId} and app_id = ${appId})
    order by market_id for update`.execute(tx);
}

export async function lockKeywords(
  tx: Tx,
  workspaceId: number,
  input: { ids: number[]; appId: number | null },
): Promise<ChangeableKeyword[]> {
  const { rows } = await sql<Row<'lock-keywords', ChangeableKeyword>>`
    select k.id, k.market_id as "marketId", a.listing_id as "listingId", k.depth, k.paused, k.held,
      k.tags, k.tracking_periods as "trackingPeriods", k.latest_on as "latestOn",
      a.archived_at is not null as "appArchived"
    from keywords k join apps a on a.id = k.app_id
    where k.workspace_id = ${workspaceId} and k.id = any(${input.ids}) and k.archived_at is null
      and (${input.appId}::int is null or k.app_id = ${input.appId})
    order by k.id for no key update of k`.execute(tx);
  return rows;
}

export interface KeywordUpdate {
  id: number;
  depth: number;
  paused: boolean;
  tags: string[];
  trackingPeriods: unknown;
}

/**
 * Writes changed keywords. `favorite` and `note` apply to all of them; undefined leaves them
 * unchanged.
 */
export async function updateKeywords(
  tx: Tx,
  workspaceId: number,
  changes: KeywordUpdate[],
  alike: { favorite?: boolean | undefined; note?: string | null | undefined },
): Promise<void> {
  await sql`
    update keywords k set depth = n.depth, paused = n.paused, tags = n.tags,
      tracking_periods = n."trackingPeriods",
      favorite = coalesce(${alike.favorite ?? null}::boolean, k.favorite),
      note = case when ${alike.note !== undefined}::boolean then ${alike.note ?? null}::text
        else k.note end
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as n(id int, depth smallint, paused boolean, tags text[], "trackingPeriods" jsonb)
    where k.workspace_id = ${workspaceId} and k.id = n.id`.execute(tx);
}

/**
 * Archives the keywords. Their rows, and the history that these make visible, are deleted at
 * `purgeAt`.
 */
export async function archiveKeywords(
  tx: Tx,
  workspaceId: number,
  input: { keywords: { id: number; trackingPeriods: unknown }[]; now: Date; purgeAt: Date },
): Promise<void> {
  await sql`
    update keywords k set archived_at = ${input.now}, purge_at = ${input.purgeAt},
      tracking_periods = n."trackingPeriods"
    from jsonb_to_recordset(${JSON.stringify(input.keywords)}::jsonb)
      as n(id int, "trackingPeriods" jsonb)
    where k.workspace_id = ${workspaceId} and k.id = n.id`.execute(tx);
}
