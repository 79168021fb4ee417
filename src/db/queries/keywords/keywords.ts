import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { importedLatestProvider } from '../rankings/own-ranks.ts';

export interface FollowedApp {
  id: number;
  listingId: number;
  store: StoreName;
  archived: boolean;
}

export async function findFollowedApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
): Promise<FollowedApp | undefined> {
  const { rows } = await sql<Row<'find-followed-app', FollowedApp, 'store'>>`/* find-followed-app */
    select a.id, a.listing_id as "listingId", l.store, a.archived_at is not null as archived
    from apps a join listings l on l.id = a.listing_id
      where a.workspace_id = ${workspaceId} and a.id = ${appId}`.execute(tx);
  return rows[0];
}

/** A keyword with all fields of its record. */
export interface KeywordRow {
  id: number;
  appId: number;
  listingId: number;
  marketId: number;
  store: StoreName;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  tags: string[];
  note: string | null;
  favorite: boolean;
  paused: boolean;
  held: boolean;
  trackingPeriods: unknown;
  createdAt: Date;
  latestOn: string | null;
  latestPosition: number | null;
  latestDepth: number | null;
  latestAt: Date | null;
  /** The latest rank is from before the keyword was tracked here. */
  isLatestImported: boolean;
  /** '' for an import that does not name it; null for a rank of this instance. */
  importedProvider: string | null;
  bestPosition: number | null;
  bestOn: string | null;
  queuedUntil: Date | null;
  urgentAt: Date | null;
  attempts: number;
  attemptsOn: string | null;
  completedOn: string | null;
  checkedOn: string | null;
}

/** Live keywords by their ids. Archived keywords and those of other workspaces are omitted. */
export async function listKeywordRows(
  tx: Tx,
  workspaceId: number,
  ids: readonly number[],
): Promise<KeywordRow[]> {
  const { rows } = await sql<Row<'list-keyword-rows', KeywordRow, 'store'>>`/* list-keyword-rows */
    select k.id, k.app_id as "appId", a.listing_id as "listingId", k.market_id as "marketId",
      l.store, k.phrase, k.country, k.device, k.depth, k.tags, k.note, k.favorite, k.paused, k.held,
      k.tracking_periods as "trackingPeriods",
      coalesce(k.tracked_since, k.created_at) as "createdAt", k.latest_on as "latestOn",
      k.latest_position as "latestPosition", k.latest_depth as "latestDepth",
      k.latest_at as "latestAt",
      coalesce(k.latest_on < (k.created_at at time zone 'UTC')::date, false) as "isLatestImported",
      ${importedLatestProvider} as "importedProvider",
      k.best_position as "bestPosition", k.best_on as "bestOn",
      s.queued_until as "queuedUntil", s.urgent_at as "urgentAt",
      coalesce(s.attempts, 0) as attempts, s.attempts_on as "attemptsOn",
      s.completed_on as "completedOn", s.checked_on as "checkedOn"
    from keywords k join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
      left join market_schedule s on s.market_id = k.market_id
    where k.workspace_id = ${workspaceId} and k.id = any(${[...ids]})
      and k.archived_at is null`.execute(tx);
  return rows;
}

export type KeywordState = 'ranked' | 'not_found' | 'not_checked' | 'paused' | 'favorite';

/** The sort values of a list, without the rest of the keyword. */
export interface KeywordKey {
  id: number;
  phrase: string;
  marketId: number;
  listingId: number;
  /** Null unless they are needed: parsing them takes longer than sorting. */
  trackingPeriods: unknown;
  latestPosition: number | null;
  /**
   * A number, because the driver takes longer to parse a thousand instants than the server to find
   * them.
   */
  createdAtMs: number;
  country: string;
  latestOn: string | null;
  latestDepth: number | null;
}

export interface KeywordFilter {
  appId: number;
  country?: string | undefined;
  device?: string | undefined;
  tag?: string | undefined;
  text?: string | undefined;
  state?: KeywordState | undefined;
}

export async function listKeywordKeys(
  tx: Tx,
  workspaceId: number,
  filter: KeywordFilter & { needsPeriods: boolean },
): Promise<KeywordKey[]> {
  const { rows } = await sql<Row<'list-keyword-keys', KeywordKey>>`/* list-keyword-keys */
    select k.id, k.phrase, k.market_id as "marketId", a.listing_id as "listingId",
      case when ${filter.needsPeriods}::boolean then k.tracking_periods end as "trackingPeriods",
      k.latest_position as "latestPosition",
      extract(epoch from coalesce(k.tracked_since, k.created_at))::float8 * 1000 as "createdAtMs",
      k.country, k.latest_on as "latestOn", k.latest_depth as "latestDepth"
    from keywords k join apps a on a.id = k.app_id
    where ${matchesFilter(workspaceId, filter)}`.execute(tx);
  return rows;
}

const orders = {
  phrase: sql`k.phrase collate "C"`,
  '-phrase': sql`k.phrase collate "C" desc`,
  position: sql`k.latest_position`,
  '-position': sql`k.latest_position desc nulls last`,
  createdAt: sql`coalesce(k.tracked_since, k.created_at)`,
  '-createdAt': sql`coalesce(k.tracked_since, k.created_at) desc`,
};
export type KeywordOrder = keyof typeof orders;

/** Live keywords among these ids, and whether they can be checked, in the order of the ids. */
export async function listKeywordsToCheck(
  tx: Tx,
  workspaceId: number,
  { appId, ids }: { appId: number; ids: number[] },
): Promise<
  { id: number; marketId: number; paused: boolean; held: boolean; latestOn: string | null }[]
> {
  const { rows } = await sql<Row<'list-keywords-to-check'>>`/* list-keywords-to-check */
    select k.id, k.market_id as "marketId", k.paused, k.held, k.latest_on as "latestOn"
    from unnest(${ids}::int[]) with ordinality as requested(id, ordinal)
    join keywords k on k.id = requested.id
    where k.workspace_id = ${workspaceId} and k.app_id = ${appId} and k.archived_at is null
    order by requested.ordinal`.execute(tx);
  return rows;
}

const idBytes = 4;

/**
 * The ids of all matching keywords in an order; those without a value are last. Packed into one
 * row, like `listLatest`.
 */
export async function listKeywordIds(
  tx: Tx,
  workspaceId: number,
  filter: KeywordFilter,
  order: KeywordOrder,
): Promise<number[]> {
  const { rows } = await sql<Row<'list-keyword-ids'>>`
    select string_agg(int4send(id), null) as ids
    from (
      select k.id from keywords k where ${matchesFilter(workspaceId, filter)}
      order by ${orders[order]}, k.id
    ) sorted`.execute(tx);
  const ids = rows[0]!.ids;
  return Array.from({ length: (ids?.length ?? 0) / idBytes }, (_, index) =>
    ids!.readInt32BE(index * idBytes),
  );
}

function matchesFilter(workspaceId: number, filter: KeywordFilter): RawBuilder<unknown> {
  const { appId } = filter;
  const [country, device] = [filter.country ?? null, filter.device ?? null];
  const [tag, text, state] = [filter.tag ?? null, filter.text ?? null, filter.state ?? null];
  return sql`
    k.workspace_id = ${workspaceId} and k.app_id = ${appId} and k.archived_at is null
      and (${country}::text is null or k.country = ${country})
      and (${device}::text is null or k.device = ${device})
      and (${tag}::text is null or ${tag} = any(k.tags))
      and (${text}::text is null or position(${text} in k.phrase) > 0)
      and case ${state}::text
        when 'ranked' then k.latest_position is not null
        when 'not_found' then k.latest_on is not null and k.latest_position is null
        when 'not_checked' then k.latest_on is null
        when 'paused' then k.paused
        when 'favorite' then k.favorite
        else true end`;
}
