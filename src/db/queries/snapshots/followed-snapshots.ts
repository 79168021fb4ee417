import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isVisibleChange } from '../followed-spans/followed-spans.ts';
import { followedListings, type FollowedFilter } from '../listings/followed-listings.ts';
import type { ListingDay } from './snapshots.ts';

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
  /** The instant of the next snapshot, once the workspace had a reading of it. */
  supersededAt: Date | null;
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
  const { rows } = await sql<Row<'list-followed-snapshots', TrackedSnapshot, 'takenAt'>>`
    select s.id::float8 as id, s.app_id as "appId", s.competitor_id as "competitorId",
      s.listing_id as "listingId", s.country, s.language, s.shown_at as "takenAt",
      s.shown_until as "supersededAt", s.fields->>'name' as name, s.fields->>'version' as version,
      array(select c.field from changes c where c.snapshot_id = s.id
        and ${isVisibleChange(sql`s.spans`)} order by c.id) as changed
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

/** The numbers of the day from which on a workspace sees a snapshot, if it had it read then. */
export async function findSnapshotDay(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<Pick<ListingDay, 'rating' | 'ratingCount' | 'installs'> | undefined> {
  const { rows } = await sql<Row<'find-snapshot-day'>>`
    select d.rating, d.rating_count as "ratingCount", d.installs
    from ${followedSnapshots(workspaceId, { ids: [id], withArchived: true })} as s
    join listing_days d on d.listing_id = s.listing_id and d.country = s.country
      and d.on_date = (s.shown_at at time zone 'UTC')::date and s.spans @> d.read_at`.execute(tx);
  return rows[0];
}

/**
 * A snapshot from outside of the spans, such as the one that was current when tracking began,
 * counts once a reading within them has confirmed it: a daily one, or the one before a change. The
 * next snapshot ends it for the workspace in the same way.
 */
export function followedSnapshots(
  workspaceId: number,
  filter: SnapshotFilter,
): RawBuilder<unknown> {
  const { ids = null, country = null, language = null, from = null, until = null } = filter;
  return sql`(
    select f.app_id, f.competitor_id, f.spans, t.*, shown.*
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
    cross join lateral (
      select next_followed(f.spans, t.taken_at) as shown_at,
        case when f.spans @> t.next_at then t.next_at
          else (select min(d.read_at) ${ownReadingsFrom(sql`t.next_at`)}) end as shown_until
    ) shown
    where (
        f.spans @> t.taken_at
        or exists (select ${ownReadingsFrom(sql`t.taken_at`)}
          and (t.next_at is null or d.read_at < t.next_at))
        or exists (select from changes c where c.snapshot_id = t.next_id
          and f.spans @> c.previous_at)
      )
      and (${country}::text is null or t.country = ${country})
        and (${language}::text is null or lower(t.language) = lower(${language}))
      and (${from}::timestamptz is null or shown.shown_until is null
        or shown.shown_until >= ${from})
      and (${until}::timestamptz is null or shown.shown_at < ${until})
  )`;
}

/** The daily readings of the workspace from an instant on. */
const ownReadingsFrom = (instant: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  from listing_days d
  where d.listing_id = t.listing_id and d.country = t.country and d.read_at >= ${instant}
    and f.spans @> d.read_at`;
