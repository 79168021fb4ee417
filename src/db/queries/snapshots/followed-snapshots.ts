import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { followedListings, type FollowedFilter } from '../listings/followed-listings.ts';

/** A snapshot as a workspace that follows the listing may see it. */
export interface TrackedSnapshot {
  id: number;
  appId: number;
  competitorId: number | null;
  listingId: number;
  country: string;
  language: string | null;
  /** The instant of its first reading, or of the beginning of tracking, whichever is later. */
  takenAt: Date;
  /** The instant of the next snapshot. */
  supersededAt: Date | null;
  since: Date;
  name: string | null;
  version: string | null;
  /** Fields whose change was detected with it, as far as the workspace may see the change. */
  changed: string[];
}

export interface SnapshotFilter extends FollowedFilter {
  ids?: number[] | undefined;
  country?: string | undefined;
  language?: string | undefined;
  /** Still current at this instant. */
  from?: Date | undefined;
  /** Taken before this instant. */
  until?: Date | undefined;
}

/** Newest first. */
export async function listFollowedSnapshots(
  tx: Tx,
  workspaceId: number,
  filter: SnapshotFilter,
  page: { after: { at: Date; id: number } | null; limit: number },
): Promise<TrackedSnapshot[]> {
  const { at = null, id = null } = page.after ?? {};
  const { rows } = await sql<Row<'list-followed-snapshots', TrackedSnapshot, 'since'>>`
    select s.id::float8 as id, s.app_id as "appId", s.competitor_id as "competitorId",
      s.listing_id as "listingId", s.country, s.language, s.shown_at as "takenAt",
      s.next_at as "supersededAt", s.since, s.fields->>'name' as name,
        s.fields->>'version' as version,
      array(select c.field from changes c where c.snapshot_id = s.id and c.previous_at >= s.since
        order by c.id) as changed
    from ${followedSnapshots(workspaceId, filter)} as s
    where ${at}::timestamptz is null or (s.shown_at, s.id) < (${at}::timestamptz, ${id}::bigint)
    order by s.shown_at desc, s.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countFollowedSnapshots(
  tx: Tx,
  workspaceId: number,
  filter: SnapshotFilter,
): Promise<number> {
  const { rows } = await sql<
    Row<'count-followed-snapshots'>
  >`select count(*)::int as count from ${followedSnapshots(workspaceId, filter)} as s`.execute(tx);
  return rows[0]!.count;
}

/**
 * The snapshot that was current when tracking began counts once a later reading has confirmed it: a
 * daily one, or the one before a change.
 */
export function followedSnapshots(
  workspaceId: number,
  filter: SnapshotFilter,
): RawBuilder<unknown> {
  const { ids = null, country = null, language = null, from = null, until = null } = filter;
  return sql`(
    select f.app_id, f.competitor_id, f.since, t.*, greatest(t.taken_at, f.since) as shown_at
    from ${followedListings(workspaceId, filter)} as f
    join lateral (
      select s.*, next.id as next_id, next.taken_at as next_at
      from snapshots s left join lateral (
        select n.id, n.taken_at from snapshots n
          where n.listing_id = s.listing_id and n.country = s.country and n.id > s.id order by n.id
          limit 1
      ) next on true
      where s.listing_id = f.listing_id and s.country = f.country
        and (${ids}::bigint[] is null or s.id = any(${ids}))
    ) t on true
    where (
        t.taken_at >= f.since
        or exists (
          select from listing_days d
          where d.listing_id = t.listing_id and d.country = t.country and d.read_at >= f.since
            and (t.next_at is null or d.read_at < t.next_at)
        )
        or exists (select from changes c where c.snapshot_id = t.next_id
          and c.previous_at >= f.since)
      )
      and (${country}::text is null or t.country = ${country})
        and (${language}::text is null or lower(t.language) = lower(${language}))
      and (${from}::timestamptz is null or t.next_at is null or t.next_at >= ${from})
      and (${until}::timestamptz is null or greatest(t.taken_at, f.since) < ${until})
  )`;
}
