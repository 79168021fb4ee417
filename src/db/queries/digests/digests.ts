import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { appSpans, isVisibleChange } from '../followed-spans/followed-spans.ts';
import { followedListings } from '../listings/followed-listings.ts';
import { nameIn } from '../listings/listing-names.ts';

export interface DigestAppRow {
  appId: number;
  listingId: number;
  store: StoreName;
  name: string;
  rating: number | null;
  metadataChanges: number;
  openActions: number;
}

/**
 * The live apps with the most keywords, with the results of a week: changed snapshots and the last
 * rating. Facts from days on which a storefront was not followed are not counted.
 */
export async function listDigestApps(
  tx: Tx,
  workspaceId: number,
  week: { from: Date; until: Date; to: string; limit: number },
): Promise<{ apps: DigestAppRow[]; total: number }> {
  const { rows } = await sql<Row<'list-digest-apps', DigestAppRow & { total: number }, 'store'>>`
    with biggest as (
      select a.id, a.listing_id, a.primary_country, ${appSpans} as spans, a.display_name,
        count(*) over ()::int as total,
        (select count(*) from keywords k where k.workspace_id = ${workspaceId} and k.app_id = a.id
          and k.archived_at is null) as keywords
      from apps a where a.workspace_id = ${workspaceId} and a.archived_at is null
        and a.created_at < ${week.until}
      order by keywords desc, a.id limit ${week.limit}
    ), followed as (select * from ${followedListings(workspaceId, { scope: 'own' })} as f)
    select b.id as "appId", b.listing_id as "listingId", l.store,
      coalesce(b.display_name, ${nameIn(sql`b.primary_country`)}, l.store_app_id) as name, b.total,
      (select round(d.rating::numeric, 5)::float8 from listing_days d
       where d.listing_id = b.listing_id and d.country = b.primary_country
         and d.on_date <= ${week.to}::date and b.spans @> d.read_at
       order by d.on_date desc limit 1) as rating,
      (select count(distinct c.snapshot_id)::int from followed f
        join changes c on c.listing_id = f.listing_id and c.country = f.country
        and ${isVisibleChange()}
       where f.app_id = b.id and c.detected_at >= ${week.from} and c.detected_at < ${week.until})
         as "metadataChanges",
      (select count(*)::int from actions x where x.workspace_id = ${workspaceId} and x.app_id = b.id
        and x.status = 'open') as "openActions"
    from biggest b join listings l on l.id = b.listing_id
    order by b.keywords desc, b.id`.execute(tx);
  return { apps: rows.map(({ total: _total, ...app }) => app), total: rows[0]?.total ?? 0 };
}

/** The number of events of each type in a period. Digests are not counted. */
export async function countEventsByType(
  tx: Tx,
  workspaceId: number,
  span: { from: Date; until: Date },
): Promise<Record<string, number>> {
  const { rows } = await sql<Row<'count-events-by-type'>>`
    select type, count(*)::int as count from events
    where workspace_id = ${workspaceId} and type <> 'digest.weekly' and occurred_at >= ${span.from}
      and occurred_at < ${span.until}
    group by type order by type`.execute(tx);
  return Object.fromEntries(rows.map((row) => [row.type, row.count]));
}

export interface DigestWorkspace {
  id: number;
  createdAt: Date;
  /** True without a plan: nothing is checked. */
  dailyRunPaused: boolean;
  settings: unknown;
  lastDigestWeek: string | null;
  /** Digests of earlier times are not sent any more. */
  digestsFrom: Date | null;
}

/**
 * Workspaces whose digest has to be considered by now, with the day and hour of their settings.
 * They stay locked until the transaction ends, and locked ones are left out.
 */
export async function lockWorkspacesForDigest(
  tx: Tx,
  now: Date,
  limit: number,
): Promise<DigestWorkspace[]> {
  const { rows: locked } = await sql<Row<'lock-workspaces-for-digest'>>`
    select id from workspaces where digest_at <= ${now} and state <> 'suspended'
    order by digest_at, id limit ${limit} for no key update skip locked`.execute(tx);
  if (locked.length === 0) return [];
  // Read after the lock: a day or hour that was saved before it counts.
  const { rows } = await sql<Row<'list-digest-workspaces', DigestWorkspace>>`
    select w.id, w.created_at as "createdAt", w.daily_run_paused as "dailyRunPaused", s.settings,
      t.week as "lastDigestWeek", w.digests_from as "digestsFrom"
    from workspaces w left join settings s on s.workspace_id = w.id
      left join sent_digests t on t.workspace_id = w.id
    where w.id = any(${locked.map(({ id }) => id)}::int[])
    order by w.digest_at, w.id`.execute(tx);
  return rows;
}

/** The instants from which the digests of workspaces have to be considered again. */
export async function scheduleDigests(
  tx: Tx,
  next: readonly { id: number; at: Date }[],
): Promise<void> {
  await sql`
    update workspaces w set digest_at = n.at
    from unnest(${next.map(({ id }) => id)}::int[], ${next.map(({ at }) => at)}::timestamptz[])
      as n(id, at)
    where w.id = n.id`.execute(tx);
}

/**
 * Considers digests at once whose next time is more than a week from now: a clock that was ahead
 * has set it.
 */
export async function rescheduleLaterDigests(db: Db, now: Date, limit: number): Promise<void> {
  await sql`/* reschedule-later-digests */
    update workspaces set digest_at = '-infinity' where id in (select id from workspaces
      where digest_at > ${now}::timestamptz + interval '8 days' and state <> 'suspended'
      order by digest_at desc limit ${limit} for no key update skip locked)`.execute(db);
}

/** Skips the digests that came due before `now`. */
export async function skipDigestsBefore(tx: Tx, workspaceId: number, now: Date): Promise<void> {
  await sql`
    update workspaces set digests_from = ${now} where id = ${workspaceId}`.execute(tx);
}

/**
 * False when the digest of that week or of a later one that is over was already sent. The others
 * were sent by a clock that was ahead.
 */
export async function markDigestSent(
  tx: Tx,
  workspaceId: number,
  { week, thisWeek }: { week: string; thisWeek: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into sent_digests as t (workspace_id, week) values (${workspaceId}, ${week}::date)
    on conflict (workspace_id) do update set week = excluded.week
      where t.week < excluded.week or t.week >= ${thisWeek}::date
    returning workspace_id`.execute(tx);
  return rows.length > 0;
}
