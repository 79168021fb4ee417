import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { appSpans, storefrontsOfApp } from '../followed-spans/followed-spans.ts';

/** A span of time in which a workspace follows a storefront of an app. */
export interface FollowedSpan {
  /** The end of the span before; null for the first one. */
  after: Date | null;
  /** Midnight of the day on which it began: what was read on that day is shown at once. */
  since: Date;
  /** Nothing that was read from here on belongs to it. Null: it lasts. */
  until: Date | null;
  /** The storefront was read in it, or in one of the next spans. */
  isRead: boolean;
  /**
   * Reviews that others had read before `since` are shown down to this instant, because a first
   * reading would not have found older ones. Null: all of them.
   */
  shownFrom: Date | null;
}

/** A storefront of an app as its workspace follows it. */
export interface FollowedFeed {
  country: string;
  /** The instant of the workspace's last reading; null without one. */
  syncedAt: Date | null;
  knownFrom: Date | null;
  exceededAt: Date | null;
  /** Oldest first; none for a country whose only keyword was paused at once. */
  spans: FollowedSpan[];
  /** The exact instants of the spans, as the database writes them. */
  range: string;
  /** Its reviews are those of other countries, too. */
  isShared: boolean;
}

type FollowedFeedRow = Omit<FollowedFeed, 'spans' | 'isShared'> &
  Omit<FollowedSpan, 'since'> & { since: Date | null };

/**
 * The app's own country and those of its keywords. Readings from while this workspace did not
 * follow the country are not shown. `window` is the number of reviews that a first reading finds;
 * `isShared` is that of all the store's feeds.
 */
export async function listFollowedFeeds(
  tx: Tx,
  workspaceId: number,
  input: { appId: number; window: number; isShared: boolean },
): Promise<FollowedFeed[]> {
  const { rows } = await sql<
    Row<'followed-review-feeds', FollowedFeedRow, 'range'>
  >`/* followed-review-feeds */
    with followed as (
      select a.id as app_id, a.listing_id, f.country, range_agg(f.spans) * ${appSpans} as spans
      from apps a cross join lateral (${storefrontsOfApp(workspaceId)}) f
      where a.workspace_id = ${workspaceId} and a.id = ${input.appId}
      group by a.id, a.listing_id, f.country
    ), span as (
      select f.*, s.after, s.began, s.until, b.since, c.synced_at, c.known_from, c.exceeded_at,
        -- A later one than the newest reading is of an import, which read nothing.
        case when e.evaluated_until <= c.synced_at then e.evaluated_until end as evaluated_until,
        c.synced_at >= b.since and (c.synced_at < s.until
          -- A span that lasted over a midnight had a run of its own.
          or s.until > date_trunc('day', s.began, 'UTC') + interval '1 day') as is_read
      from followed f
      left join lateral (
        select lower(r) as began, upper(r) as until,
          lag(upper(r), 1, '-infinity') over (order by r) as after
        from unnest(f.spans) as r
      ) s on true
      cross join lateral (
        select greatest(date_trunc('day', s.began, 'UTC'), s.after) as since
      ) b
      left join review_coverage c on c.listing_id = f.listing_id and c.country = f.country
      left join evaluated_feeds e on e.app_id = f.app_id and e.country = f.country
    ), read as (
      select span.*, min(since) filter (where is_read) over (partition by country order by since
        rows between current row and unbounded following) as read_since
      from span
    )
    select s.country, s.spans::text as range, nullif(s.after, '-infinity') as after, s.since,
      nullif(s.until, 'infinity') as until, s.read_since is not null as "isRead",
      oldest.dated_at as "shownFrom", s.known_from as "knownFrom",
      -- The newest reading may be of others; that of the workspace was the last one evaluated.
      coalesce(max(${ownInstant(sql`s.synced_at`)}) over country,
        max(${ownInstant(sql`s.evaluated_until`)}) over country) as "syncedAt",
      max(${ownInstant(sql`s.exceeded_at`)}) over country as "exceededAt"
    from read s
    left join lateral (
      select r.dated_at from reviews r
      where r.listing_id = s.listing_id and r.country = s.country and r.first_seen_at < s.read_since
      order by r.dated_at desc, r.id desc offset ${input.window - 1} limit 1
    ) oldest on s.read_since is not null
    window country as (partition by s.country)
    order by s.country, s.since`.execute(tx);
  return [...Map.groupBy(rows, (row) => row.country).values()].map((ofCountry) =>
    toFeed(ofCountry, input.isShared),
  );
}

/** An instant of a span `s`, not before it began; null outside of it. */
const ownInstant = (at: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when ${at} >= s.since and ${at} < s.until then greatest(${at}, s.began) end`;

function toFeed(rows: FollowedFeedRow[], isShared: boolean): FollowedFeed {
  const { country, syncedAt, knownFrom, exceededAt, range } = rows[0]!;
  const spans = rows.flatMap(({ after, since, until, isRead, shownFrom }) =>
    since === null ? [] : [{ after, since, until, isRead, shownFrom }],
  );
  return { country, syncedAt, knownFrom, exceededAt, range, spans, isShared };
}

/** The end of the last span with a reading. Later edits are not shown. Null: it lasts. */
export const shownUntilOf = ({ spans }: FollowedFeed): Date | null =>
  (spans.findLast((span) => span.isRead) ?? spans.at(-1))?.until ?? null;
