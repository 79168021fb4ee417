import { sql } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { countrySpans, isVisibleChange } from '../followed-spans/followed-spans.ts';
import { followedListings } from '../listings/followed-listings.ts';
import { nameIn } from '../listings/listing-names.ts';

/** True for one transaction at a time, which holds the lock until it ends. */
export async function lockAlerts(
  tx: Tx,
  part: 'changes' | 'reviews' | 'digests',
): Promise<boolean> {
  const { rows } = await sql<
    Row<'lock-alerts', { isOurs: boolean }, 'isOurs'>
  >`select pg_try_advisory_xact_lock(hashtext(${`alerts ${part}`})) as "isOurs"`.execute(tx);
  return rows[0]!.isOurs;
}

/** Snapshots with changes that were not evaluated yet, oldest first. */
export async function listPendingSnapshots(
  tx: Tx,
  limit: number,
): Promise<{ snapshotId: number; listingId: number }[]> {
  const { rows } = await sql<
    Row<'list-pending-snapshots', { snapshotId: number; listingId: number }, 'snapshotId'>
  >`
    select distinct snapshot_id::float8 as "snapshotId", listing_id as "listingId"
    from changes where not evaluated order by 1 limit ${limit}`.execute(tx);
  return rows;
}

export async function markChangesEvaluated(tx: Tx, snapshotIds: number[]): Promise<void> {
  await sql`
    update changes set evaluated = true
    where snapshot_id = any(${snapshotIds}::bigint[]) and not evaluated`.execute(tx);
}

/**
 * Workspaces that follow one of the listings, as an app or as a competitor. Suspended workspaces
 * are omitted because they get no events.
 */
export async function listListingWorkspaces(tx: Tx, listingIds: number[]): Promise<number[]> {
  const { rows } = await sql<Row<'list-listing-workspaces'>>`
    select w.id from (
      select workspace_id from apps
        where listing_id = any(${listingIds}::int[]) and archived_at is null
      union
      select workspace_id from competitors
        where listing_id = any(${listingIds}::int[]) and archived_at is null
    ) followers join workspaces w on w.id = followers.workspace_id and w.state <> 'suspended'
    order by w.id`.execute(tx);
  return rows.map((row) => row.id);
}

/** The app or competitor as which a workspace follows a listing. */
export interface Follower {
  appId: number;
  competitorId: number | null;
  /** The tags of the app. */
  tags: string[];
}

export interface FollowedChangeRow {
  snapshotId: number;
  /** The workspace's own app first. */
  followers: Follower[];
  listingId: number;
  store: StoreName;
  storeAppId: string;
  name: string | null;
  developer: string | null;
  country: string;
  field: string;
  before: unknown;
  after: unknown;
  detectedAt: Date;
  previousAt: Date;
}

/**
 * Changes that a workspace may see, oldest first: those of some snapshots, or the newest `limit` of
 * those detected in a period.
 */
export async function listFollowedChanges(
  tx: Tx,
  workspaceId: number,
  filter: { snapshotIds: number[] } | { from: Date; until: Date; limit: number },
): Promise<FollowedChangeRow[]> {
  const condition =
    'snapshotIds' in filter
      ? sql`c.snapshot_id = any(${filter.snapshotIds}::bigint[])`
      : sql`c.detected_at >= ${filter.from} and c.detected_at < ${filter.until}`;
  const { rows } = await sql<
    Row<'list-followed-changes', FollowedChangeRow, 'snapshotId' | 'followers' | 'store'>
  >`
    select c.snapshot_id::float8 as "snapshotId", f.followers, c.listing_id as "listingId", l.store,
      l.store_app_id as "storeAppId", ${nameIn(sql`c.country`)} as name, l.developer, c.country,
      c.field, c.before, c.after, c.detected_at as "detectedAt", c.previous_at as "previousAt"
    from (
      select f.listing_id, f.country, f.spans,
        json_agg(json_build_object('appId', f.app_id, 'competitorId', f.competitor_id, 'tags',
        a.tags)
        order by f.competitor_id is not null, f.app_id) as followers
      from ${followedListings(workspaceId, { withAllFollowers: true })} as f
        join apps a on a.id = f.app_id
      group by f.listing_id, f.country, f.spans
    ) f
    join changes c on c.listing_id = f.listing_id and c.country = f.country
      and ${isVisibleChange()}
    join listings l on l.id = c.listing_id
    where ${condition}
    order by c.detected_at desc, c.snapshot_id desc, c.id desc
      ${'limit' in filter ? sql`limit ${filter.limit}` : sql``}`.execute(tx);
  return rows.toReversed();
}

/** A storefront of an app whose reviews were read since they were last evaluated. */
export interface PendingFeedRow {
  workspaceId: number;
  appId: number;
  country: string;
  syncedAt: Date;
  evaluatedTo: Date | null;
}

/** Storefronts whose reviews were read since the last evaluation, locked. */
export async function lockPendingStorefronts(tx: Tx, limit: number): Promise<Storefronts> {
  const { rows } = await sql<
    Row<'lock-pending-storefronts', { listingId: number; country: string }>
  >`/* lock-pending-storefronts */
    select listing_id as "listingId", country from review_coverage
    where not is_evaluated order by listing_id, country limit ${limit} for update`.execute(tx);
  return {
    listingIds: rows.map((row) => row.listingId),
    countries: rows.map((row) => row.country),
  };
}

export interface Storefronts {
  listingIds: number[];
  countries: string[];
}

const unnestStorefronts = ({ listingIds, countries }: Storefronts) =>
  sql`unnest(${listingIds}::int[], ${countries}::text[]) as p(listing_id, country)`;

/**
 * The storefronts of every workspace's apps whose newest reading, made while the app was followed
 * there, was not evaluated yet.
 */
export async function listPendingFeeds(
  tx: Tx,
  storefronts: Storefronts,
): Promise<PendingFeedRow[]> {
  const { rows } = await sql<Row<'list-pending-feeds', PendingFeedRow>>`/* list-pending-feeds */
    select a.workspace_id as "workspaceId", a.id as "appId", c.country, c.synced_at as "syncedAt",
      j.evaluated_until as "evaluatedTo"
    from ${unnestStorefronts(storefronts)}
    join review_coverage c on c.listing_id = p.listing_id and c.country = p.country
    join apps a on a.listing_id = c.listing_id and a.archived_at is null
    join workspaces w on w.id = a.workspace_id and w.state <> 'suspended'
    left join evaluated_feeds j on j.app_id = a.id and j.country = c.country
    where (j.evaluated_until is null or j.evaluated_until < c.synced_at)
      and ${countrySpans(sql`c.country`)} @> c.synced_at
    order by a.workspace_id, a.id, c.country`.execute(tx);
  return rows;
}

export async function markFeedsEvaluated(
  tx: Tx,
  feeds: PendingFeedRow[],
  storefronts: Storefronts,
): Promise<void> {
  await sql`
    insert into evaluated_feeds as j (workspace_id, app_id, country, evaluated_until)
    select * from unnest(${feeds.map((feed) => feed.workspaceId)}::int[],
      ${feeds.map((feed) => feed.appId)}::int[],
      ${feeds.map((feed) => feed.country)}::text[],
        ${feeds.map((feed) => feed.syncedAt)}::timestamptz[])
    on conflict (app_id, country) do update set evaluated_until = greatest(j.evaluated_until,
      excluded.evaluated_until)`.execute(tx);
  await sql`/* mark-storefronts-evaluated */
    update review_coverage c set is_evaluated = true from ${unnestStorefronts(storefronts)}
    where c.listing_id = p.listing_id and c.country = p.country`.execute(tx);
}
