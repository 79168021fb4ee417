import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface NewImportedFacts {
  /** Null: the keyword's. */
  appId: number | null;
  /** Null for facts about listings. */
  keywordId: number | null;
  kind: string;
  date: string;
  /** The items as a JSON array with exact numbers. */
  items: string;
  /** They become public facts. */
  toPublish: boolean;
}

export async function insertImportedFacts(
  tx: Tx,
  workspaceId: number,
  facts: NewImportedFacts,
): Promise<void> {
  const { appId, keywordId, kind, date, items, toPublish } = facts;
  await sql`/* insert-imported-facts */
    insert into imported_facts (workspace_id, app_id, keyword_id, kind, on_date, items, to_publish)
    values (${workspaceId}, coalesce(${appId}::int, (select app_id from keywords
      where workspace_id = ${workspaceId} and id = ${keywordId})), ${keywordId}, ${kind}, ${date},
      ${items}::jsonb, ${toPublish}::boolean)`.execute(tx);
}

/** Fresh ids of imported facts; no fact of this instance has one of them. */
export async function takeFactIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<Row<'take-fact-ids'>>`
    select nextval('imported_fact_ids')::float8 as id from generate_series(1, ${count})`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

export interface ImportedFactFilter {
  kind: string;
  appId?: number | undefined;
  keywordId?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Rows with one of these items. */
  itemIds?: readonly number[] | undefined;
}

/**
 * Ids in the order of those of this instance, for facts that become public: what it reads later has
 * higher ones.
 */
export async function takePublicIds(
  tx: Tx,
  table: 'reviews' | 'changes' | 'snapshots',
  count: number,
): Promise<number[]> {
  const { rows } = await sql<Row<'take-public-ids', { id: number }, 'id'>>`/* take-public-ids */
    select nextval(pg_get_serial_sequence(${table}::text, 'id'))::float8 as id
    from generate_series(1, ${count})`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The rows of a kind: by keyword, newest day first. */
export async function listImportedFactRows(
  tx: Tx,
  workspaceId: number,
  filter: ImportedFactFilter,
): Promise<{ id: bigint; keywordId: number | null; date: string }[]> {
  const { rows } = await sql<Row<'list-imported-fact-rows'>>`
    select id, keyword_id as "keywordId", on_date as date from imported_facts
    where ${matches(workspaceId, filter)}
    order by keyword_id, on_date desc, id`.execute(tx);
  return rows;
}

/** The items of some rows as JSON arrays, in the order of `listImportedFactRows`. */
export async function listImportedFacts(
  tx: Tx,
  workspaceId: number,
  ids: readonly bigint[],
): Promise<string[]> {
  const { rows } = await sql<Row<'list-imported-facts'>>`/* list-imported-facts */
    select items::text as items from imported_facts
    where workspace_id = ${workspaceId} and id = any(${ids.map(String)}::bigint[])
    order by keyword_id, on_date desc, id`.execute(tx);
  return rows.map(({ items }) => items);
}

/** The newest day with imported facts of a kind. */
export async function findNewestImportedDay(
  tx: Tx,
  workspaceId: number,
  filter: ImportedFactFilter,
): Promise<string | null> {
  const { rows } = await sql<Row<'find-newest-imported-day'>>`
    select max(on_date) as date from imported_facts
    where ${matches(workspaceId, filter)}`.execute(tx);
  return rows[0]?.date ?? null;
}

interface ImportedSerpDay {
  date: string;
  depth: number;
  resultCount: number;
  kept: number;
  provider: string;
}

/** The days from `from` to `to` with imported results of a keyword, newest first. */
export async function listImportedSerpDays(
  tx: Tx,
  workspaceId: number,
  filter: { keywordId: number; from: string; to: string },
): Promise<ImportedSerpDay[]> {
  const { rows } = await sql<
    Row<'imported-serp-days', ImportedSerpDay, Exclude<keyof ImportedSerpDay, 'date'>>
  >`/* imported-serp-days */
    select on_date as date, max((items->0->>'depth')::int) as depth,
      max((items->0->>'resultCount')::int) as "resultCount",
      sum(jsonb_array_length(items))::int as kept, max(items->0->>'provider') as provider
    from imported_facts
    where ${matches(workspaceId, { kind: 'serp', ...filter })}
    group by on_date order by on_date desc`.execute(tx);
  return rows;
}

function matches(workspaceId: number, filter: ImportedFactFilter): RawBuilder<unknown> {
  const { kind, appId, keywordId, from, to, itemIds } = filter;
  const conditions = [sql`workspace_id = ${workspaceId} and kind = ${kind}`];
  if (appId !== undefined) conditions.push(sql`app_id = ${appId}`);
  if (keywordId !== undefined) conditions.push(sql`keyword_id = ${keywordId}`);
  if (from !== undefined) conditions.push(sql`on_date >= ${from}::date`);
  if (to !== undefined) conditions.push(sql`on_date <= ${to}::date`);
  if (appId === undefined && keywordId === undefined && itemIds === undefined)
    conditions.push(sql`app_id in (select id from apps where workspace_id = ${workspaceId}
      and archived_at is null)`);
  if (itemIds !== undefined)
    conditions.push(sql`exists (select from jsonb_array_elements(items) as item
      where (item->>'id')::bigint = any(${[...itemIds]}::bigint[]))`);
  return sql.join(conditions, sql` and `);
}
