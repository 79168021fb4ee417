import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isReplaced } from './own-ranks.ts';

export interface ImportedDailyRank {
  keywordId: number;
  date: string;
  position: number | null;
  depth: number;
  /** Seconds from midnight to the check; null: the source has no time. */
  seconds: number | null;
  /** Null: the source does not say. */
  provider: string | null;
}

/** Imported daily ranks of the given keywords for these listings. */
export async function listImportedDailyRanks(
  tx: Tx,
  range: { keywordIds: number[]; listingIds: number[]; from: string; to: string },
): Promise<(ImportedDailyRank & { listingId: number })[]> {
  const { rows } = await sql<
    Row<'imported-daily-ranks', ImportedDailyRank & { listingId: number }>
  >`/* imported-daily-ranks */
    select c.keyword_id as "keywordId", c.listing_id as "listingId", c.on_date as date, c.position,
      c.depth, c.provider,
      extract(epoch from c.checked_at - c.on_date::timestamp at time zone 'UTC')::int as seconds
    from imported_daily_ranks c
    where c.keyword_id = any(${range.keywordIds}::int[])
      and c.listing_id = any(${range.listingIds}::int[])
      and c.on_date between ${range.from}::date and ${range.to}::date`.execute(tx);
  return rows;
}

export interface NewImportedRank {
  keywordId: number;
  date: string;
  position: number | null;
  depth: number;
  checkedAt: string | null;
  provider: string | null;
}

type AddedRank = Omit<NewImportedRank, 'checkedAt'> & { checkedAt: Date | null };

const recordsetOf = (ranks: readonly (NewImportedRank | AddedRank)[]): RawBuilder<unknown> => sql`
  jsonb_to_recordset(${JSON.stringify(ranks)}::jsonb) as n("keywordId" int, date date,
    position smallint, depth smallint, "checkedAt" timestamptz, provider text)`;

/**
 * Inserts new imported daily ranks, and returns those that were added. Ranks imported earlier are
 * kept.
 */
export async function insertImportedDailyRanks(
  tx: Tx,
  workspaceId: number,
  { ranks, toPublish }: { ranks: NewImportedRank[]; toPublish: boolean },
): Promise<AddedRank[]> {
  const { rows } = await sql<Row<'insert-imported-daily-ranks'>>`
    insert into imported_daily_ranks (workspace_id, keyword_id, listing_id, on_date, position,
      depth, checked_at, provider, to_publish)
    select ${workspaceId}, k.id, a.listing_id, n.date, n.position, n.depth, n."checkedAt",
      n.provider, ${toPublish}::boolean
    from ${recordsetOf(ranks)}
      join keywords k on k.workspace_id = ${workspaceId} and k.id = n."keywordId"
      join apps a on a.id = k.app_id
    order by k.id, n.date
    on conflict (keyword_id, on_date) do nothing
    returning keyword_id as "keywordId", on_date as date, position, depth,
      checked_at as "checkedAt", provider`.execute(tx);
  return rows;
}

/**
 * Updates the newest and the best rank of keywords with ranks that were just inserted. It locks
 * keywords in any order, so the caller locks their markets first, unless nobody else sees them.
 * The ranks are not read again: an app may have millions, and without statistics of them the
 * planner would read all ranks of the workspace for each keyword.
 * The newest imported rank is from before the keyword was tracked here, so it does not mean that
 * this workspace has seen a result, unless it counts as seen: the ranks become public facts.
 * A best position is one of the current provider's, or one whose provider is unknown, of a day
 * without a rank of this instance.
 * Each is read once, however the planner estimates keywords that were just written: as a nested
 * loop it took minutes.
 */
export async function applyNewDailyRanks(
  tx: Tx,
  workspaceId: number,
  ranks: readonly AddedRank[],
  { today, countsAsSeen }: { today: string; countsAsSeen: boolean },
): Promise<void> {
  const source = sql`(
    select n."keywordId" as keyword_id, a.listing_id, n.date as on_date, n.position, n.depth,
      n."checkedAt" as checked_at, n.provider
    from ${recordsetOf(ranks)}
      join keywords o on o.workspace_id = ${workspaceId} and o.id = n."keywordId"
      join apps a on a.id = o.app_id)`;
  const ids = [...new Set(ranks.map(({ keywordId }) => keywordId))];
  await sql`
    with newest as materialized (
      select distinct on (c.keyword_id) c.keyword_id, c.on_date, c.position, c.depth,
        coalesce(c.checked_at, c.on_date::timestamp at time zone 'UTC') as at
      from keywords k join ${source} c on c.keyword_id = k.id
      where k.workspace_id = ${workspaceId} and k.id = any(${ids}::int[])
        and (${countsAsSeen}::boolean or c.on_date < (k.created_at at time zone 'UTC')::date)
      order by c.keyword_id, c.on_date desc
    )
    update keywords k set latest_on = n.on_date, latest_position = n.position,
      latest_depth = n.depth, latest_at = n.at
    from newest n where k.workspace_id = ${workspaceId} and k.id = n.keyword_id
      and (k.latest_on is null or k.latest_on < n.on_date)`.execute(tx);
  await sql`
    with best as materialized (
      select distinct on (c.keyword_id) c.keyword_id, c.position, c.on_date from keywords k
        join ${source} c on c.keyword_id = k.id
        join apps a on a.id = k.app_id join listings l on l.id = a.listing_id
      where k.workspace_id = ${workspaceId} and k.id = any(${ids}::int[])
        and c.on_date < ${today}::date
        and c.position is not null
        and coalesce(c.provider = position_provider(l.store, ${today}::date), true)
        and (k.best_position is null
          or (c.position, c.on_date) < (k.best_position, k.best_on))
        and not ${isReplaced}
      order by c.keyword_id, c.position, c.on_date
    )
    update keywords k set best_position = b.position, best_on = b.on_date
    from best b where k.workspace_id = ${workspaceId} and k.id = b.keyword_id
      and (k.best_position is null
        or (b.position, b.on_date) < (k.best_position, k.best_on))`.execute(tx);
}
