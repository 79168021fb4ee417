import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import { endPublication, itemsOf } from './facts-to-publish.ts';

/**
 * Statements that publish imported facts about listings. A fact that this instance has read itself
 * is never changed.
 */
type Publish = (tx: Tx, workspaceId: number, ids: readonly string[]) => Promise<void>;

const instant = (name: string) => sql`(g.item->>${sql.lit(name)})::timestamptz`;

const hasSnapshot = sql`exists (select from snapshots s where s.listing_id = g.listing_id
  and s.country = g.item->>'country' and s.taken_at = ${instant('takenAt')}
  and s.fields = g.item->'fields')`;

/**
 * Snapshots are in the order of their ids, so one that is older than a reading of this instance is
 * not published. The same one of two apps, with the later beginning of one, becomes one.
 */
export async function publishSnapshots(
  tx: Tx,
  workspaceId: number,
  ids: readonly string[],
  hashes: readonly { id: number; contentHash: Buffer }[],
): Promise<void> {
  await sql`/* publish-snapshots */
    with given as (
      select distinct on ((g.item->>'id')::bigint) (g.item->>'id')::bigint as id, g.listing_id,
        g.item->>'country' as country, g.item->>'language' as language,
        ${instant('takenAt')} as taken_at, h.content_hash, g.item->'fields' as fields
      from ${itemsOf(workspaceId, ids)} as g
      join unnest(${hashes.map(({ id }) => id)}::bigint[],
        ${hashes.map(({ contentHash }) => contentHash)}::bytea[]) as h(id, content_hash)
        on h.id = (g.item->>'id')::bigint
      order by (g.item->>'id')::bigint, ${instant('takenAt')}
    )
    insert into snapshots as s (id, listing_id, country, language, taken_at, content_hash, fields)
    overriding system value
    select n.* from given n
    where not exists (select from snapshots o where o.listing_id = n.listing_id
      and o.country = n.country
      and (o.taken_at = n.taken_at and o.content_hash = n.content_hash and o.id <> n.id
        or o.taken_at > n.taken_at and o.id < n.id or o.taken_at < n.taken_at and o.id > n.id))
    order by n.id
    on conflict (id) do update set taken_at = least(s.taken_at, excluded.taken_at)`.execute(tx);
  await endPublication(
    tx,
    workspaceId,
    ids,
    sql`${hasSnapshot} or exists (select from snapshots s where s.id = (g.item->>'id')::bigint)`,
  );
}

/** They were reported where they were read, so no alert is derived from them. */
export const publishChanges: Publish = async (tx, workspaceId, ids) => {
  const isKnown = sql`exists (select from changes c where c.listing_id = g.listing_id
    and c.country = g.item->>'country' and c.field = g.item->>'field'
    and c.detected_at = ${instant('detectedAt')})`;
  await sql`/* publish-changes */
    insert into changes (id, listing_id, country, language, field, before, after, version,
      detected_at, previous_at, snapshot_id, evaluated)
    overriding system value
    select (g.item->>'id')::bigint, g.listing_id, g.item->>'country', g.item->>'locale',
      g.item->>'field', g.item->'before', g.item->'after', g.item->>'version',
      ${instant('detectedAt')}, ${instant('previousAt')}, s.id, true
    from ${itemsOf(workspaceId, ids)} as g
    join lateral (select s.id from snapshots s where s.listing_id = g.listing_id
      and s.country = g.item->>'country' and s.taken_at <= ${instant('detectedAt')}
      order by s.id = (g.item->>'snapshotId')::bigint desc, s.id desc limit 1) s on true
    where not ${isKnown}
    order by 1 on conflict (id) do nothing`.execute(tx);
  await endPublication(tx, workspaceId, ids, isKnown);
};

/**
 * Reviews of a file raise no alert: feeds that were never evaluated count as evaluated. An
 * evaluation goes back a day before the last one.
 */
export async function markFeedsOfItemsEvaluated(
  tx: Tx,
  workspaceId: number,
  { ids, now }: { ids: readonly string[]; now: Date },
): Promise<void> {
  await sql`/* mark-published-feeds */
    insert into evaluated_feeds (workspace_id, app_id, country, evaluated_until)
    select distinct a.workspace_id, a.id, g.item->>'country', ${now}::timestamptz + interval '1 day'
    from ${itemsOf(workspaceId, ids)} as g join apps a on a.listing_id = g.listing_id
    order by 2, 3 on conflict (app_id, country) do nothing`.execute(tx);
}

/**
 * A file does not say when a review from before the app was tracked was first seen: at the latest
 * when tracking began.
 */
export const publishReviews: Publish = async (tx, workspaceId, ids) => {
  await sql`/* publish-reviews */
    insert into reviews (id, listing_id, country, store_review_id, author, rating, title, body,
      version, language, reviewed_at, first_seen_at, edited_at, reply, reply_at)
    overriding system value
    select (g.item->>'id')::bigint, g.listing_id, g.item->>'country', g.item->>'storeReviewId',
      g.item->>'author', (g.item->>'rating')::smallint, g.item->>'title', g.item->>'body',
      g.item->>'version', g.item->>'language', ${instant('reviewedAt')},
      coalesce(${instant('firstSeenAt')}, began.at, a.created_at), ${instant('editedAt')},
      g.item->'reply'->>'text', (g.item->'reply'->>'at')::timestamptz
    from ${itemsOf(workspaceId, ids)} as g join apps a on a.id = g.app_id
    cross join lateral (select least(
      case when a.primary_country = g.item->>'country' then a.created_at end,
      min(k.created_at)) as at from keywords k where k.workspace_id = ${workspaceId}
        and k.app_id = a.id and k.country = g.item->>'country') as began
    order by g.listing_id, 3, (g.item->>'storeReviewId') collate "C"
    on conflict do nothing`.execute(tx);
  await endPublication(
    tx,
    workspaceId,
    ids,
    sql`exists (select from reviews r where r.listing_id = g.listing_id
      and r.country = g.item->>'country' and r.store_review_id = g.item->>'storeReviewId')`,
  );
};

/** A day has a lookup's numbers, those of the listing's page, or both. */
export const publishListingDays: Publish = async (tx, workspaceId, ids) => {
  const given = sql`(select distinct on (g.listing_id, g.item->>'country', g.item->>'date')
    g.listing_id, g.item->>'country' as country, (g.item->>'date')::date as on_date,
    (g.item->>'rating')::real as rating, (g.item->>'ratingCount')::int as rating_count,
    (g.item->>'installs')::bigint as installs,
    round((g.item->>'price')::numeric * 1e6)::bigint as price_micros,
    ${instant('readAt')} as read_at,
    (g.item->'page'->>'rating')::real as page_rating,
    (g.item->'page'->>'ratingCount')::int as page_rating_count,
    jsonb_typeof(g.item->'page') = 'object' as has_page,
    case when jsonb_typeof(g.item->'histogram') = 'array' then array(
      select star::int from jsonb_array_elements_text(g.item->'histogram') as star) end
      as histogram
    from ${itemsOf(workspaceId, ids)} as g
    order by g.listing_id, g.item->>'country', g.item->>'date')`;
  await sql`/* publish-listing-days */
    insert into listing_days (listing_id, country, on_date, rating, rating_count, installs,
      price_micros, read_at)
    select listing_id, country, on_date, rating, rating_count, installs, price_micros, read_at
    from ${given} as n where read_at is not null
    on conflict (listing_id, country, on_date) do nothing`.execute(tx);
  await sql`/* publish-rating-days */
    insert into rating_days (listing_id, country, on_date, rating, rating_count, histogram)
    select listing_id, country, on_date, case when has_page then page_rating else rating end,
      case when has_page then page_rating_count else rating_count end, histogram
    from ${given} as n where has_page or histogram is not null or read_at is null
    on conflict (listing_id, country, on_date) do nothing`.execute(tx);
  await endPublication(tx, workspaceId, ids, sql`true`);
};
