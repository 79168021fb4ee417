import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { isVisibleChange } from '../followed-spans/followed-spans.ts';
import { followedListings, type FollowedFilter } from '../listings/followed-listings.ts';
import { nameIn } from '../listings/listing-names.ts';

export interface NewChanges {
  listingId: number;
  country: string;
  language: string | null;
  version: string | null;
  detectedAt: Date;
  previousAt: Date;
  snapshotId: number;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** Inserted in the given order. */
export async function insertChanges(tx: Tx, row: NewChanges): Promise<void> {
  await sql`
    insert into changes (listing_id, country, language, field, before, after, version, detected_at,
      previous_at, snapshot_id)
    select ${row.listingId}, ${row.country}, ${row.language}, c.change->>'field',
      c.change->'before', c.change->'after', ${row.version},
      ${row.detectedAt}, ${row.previousAt}, ${row.snapshotId}
    from jsonb_array_elements(${JSON.stringify(row.changes)}::jsonb) with ordinality
      as c(change, number) order by c.number`.execute(tx);
}

/**
 * The last known values of fields that the newest snapshot lacks, from the newest 400 snapshots.
 */
export async function findLastSeenFields(
  tx: Tx,
  snapshot: { listingId: number; country: string; language: string | null; beforeId: number },
  fields: readonly string[],
): Promise<Record<string, unknown>> {
  const { rows } = await sql<
    Row<'find-last-seen-fields', { field: string; value: unknown }, 'field'>
  >`
    select distinct on (w.field) w.field, s.fields->w.field as value
    from (
      select id, fields from snapshots
      where listing_id = ${snapshot.listingId} and country = ${snapshot.country}
        and language is not distinct from ${snapshot.language}
        and id < ${snapshot.beforeId} order by id desc limit 400
    ) s cross join unnest(${[...fields]}::text[]) as w(field)
    where coalesce(s.fields->w.field, 'null'::jsonb) not in ('null'::jsonb, '[]'::jsonb)
    order by w.field, s.id desc`.execute(tx);
  return Object.fromEntries(rows.map((row) => [row.field, row.value]));
}

export interface ChangeRow {
  id: number;
  appId: number;
  competitorId: number | null;
  listingId: number;
  store: StoreName;
  storeAppId: string;
  name: string | null;
  country: string;
  language: string | null;
  field: string;
  before: unknown;
  after: unknown;
  version: string | null;
  detectedAt: Date;
  previousAt: Date;
  snapshotId: number;
}

export interface ChangeFilter extends FollowedFilter {
  id?: number | undefined;
  listingId?: number | undefined;
  fields?: string[] | undefined;
  country?: string | undefined;
  countries?: string[] | undefined;
  /** Detected at or after this instant. */
  from?: Date | undefined;
  /** Detected before this instant. */
  until?: Date | undefined;
}

/** A page, newest first. */
export async function listChangeRows(
  tx: Tx,
  workspaceId: number,
  filter: ChangeFilter,
  page: { after: { at: Date; id: number } | null; limit: number },
): Promise<ChangeRow[]> {
  const after =
    page.after === null
      ? sql`true`
      : sql`(c.detected_at, c.id) < (${page.after.at}::timestamptz, ${page.after.id}::bigint)`;
  const { rows } = await sql<Row<'list-change-rows', ChangeRow, 'store' | 'snapshotId'>>`
    select c.id::float8 as id, f.app_id as "appId", f.competitor_id as "competitorId",
      c.listing_id as "listingId", l.store, l.store_app_id as "storeAppId",
      ${nameIn(sql`c.country`)} as name, c.country, c.language, c.field, c.before, c.after,
      c.version, c.detected_at as "detectedAt", c.previous_at as "previousAt",
      c.snapshot_id::float8 as "snapshotId"
    from ${visibleChanges(workspaceId, filter)} join listings l on l.id = c.listing_id
    where ${matchesFilter(filter)} and ${after}
    order by c.detected_at desc, c.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countChanges(
  tx: Tx,
  workspaceId: number,
  filter: ChangeFilter,
): Promise<number> {
  const { rows } = await sql<Row<'count-changes'>>`
    select count(*)::int as count from ${visibleChanges(workspaceId, filter)}
      where ${matchesFilter(filter)}`.execute(tx);
  return rows[0]!.count;
}

/** A change without its texts, which may be long. */
export interface ChangeHead extends Omit<
  ChangeRow,
  'store' | 'storeAppId' | 'language' | 'before' | 'after' | 'version' | 'previousAt'
> {
  /** The value of fields that fit on one line. */
  line: string | null;
  previousId: number | null;
}

/** Newest first. `previousId` is the snapshot before. */
export async function listChangeHeads(
  tx: Tx,
  workspaceId: number,
  filter: ChangeFilter,
  limit: number,
): Promise<ChangeHead[]> {
  const { rows } = await sql<Row<'list-change-heads', ChangeHead, 'snapshotId'>>`
    select c.id::float8 as id, f.app_id as "appId", f.competitor_id as "competitorId",
      c.listing_id as "listingId", ${nameIn(sql`c.country`)} as name, c.country, c.field,
      case when c.field in ('name', 'subtitle', 'version') then
        left(c.after #>> '{}', 200) end as line,
      c.detected_at as "detectedAt", c.snapshot_id::float8 as "snapshotId",
      (select max(s.id)::float8 from snapshots s
        where s.listing_id = c.listing_id and s.country = c.country
        and s.id < c.snapshot_id) as "previousId"
    from ${visibleChanges(workspaceId, filter)} join listings l on l.id = c.listing_id
    where ${matchesFilter(filter)}
    order by c.detected_at desc, c.id desc limit ${limit}`.execute(tx);
  return rows;
}

function visibleChanges(workspaceId: number, filter: FollowedFilter): RawBuilder<unknown> {
  return sql`${followedListings(workspaceId, filter)} as f
    join changes c on c.listing_id = f.listing_id and c.country = f.country
      and ${isVisibleChange()}`;
}

function matchesFilter({
  id,
  listingId,
  fields,
  country,
  countries,
  from,
  until,
}: ChangeFilter): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (id !== undefined) conditions.push(sql`c.id = ${id}`);
  if (listingId !== undefined) conditions.push(sql`c.listing_id = ${listingId}`);
  if (fields !== undefined) conditions.push(sql`c.field = any(${fields}::text[])`);
  if (country !== undefined) conditions.push(sql`c.country = ${country}`);
  if (countries !== undefined) conditions.push(sql`c.country = any(${countries}::text[])`);
  if (from !== undefined) conditions.push(sql`c.detected_at >= ${from}`);
  if (until !== undefined) conditions.push(sql`c.detected_at < ${until}`);
  return sql.join(conditions, sql` and `);
}
