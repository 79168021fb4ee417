import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface AnnotationRow {
  id: number;
  appId: number;
  date: string;
  text: string;
  keywordIds: number[];
  createdAt: Date;
}

const columns = sql`
  id, app_id as "appId", on_date as date, text, keyword_ids as "keywordIds",
  created_at as "createdAt"`;

export interface AnnotationFilter {
  appId: number;
  from?: string | undefined;
  to?: string | undefined;
  /** Annotations of this keyword or of the whole app. */
  keywordId?: number | undefined;
}

function matchesFilter(
  workspaceId: number,
  { appId, from, to, keywordId }: AnnotationFilter,
): RawBuilder<unknown> {
  const conditions = [sql`workspace_id = ${workspaceId} and app_id = ${appId}`];
  if (from !== undefined) conditions.push(sql`on_date >= ${from}::date`);
  if (to !== undefined) conditions.push(sql`on_date <= ${to}::date`);
  if (keywordId !== undefined)
    conditions.push(sql`(keyword_ids = '{}' or ${keywordId}::int = any(keyword_ids))`);
  return sql.join(conditions, sql` and `);
}

/** Newest day first. */
export async function listAnnotations(
  tx: Tx,
  workspaceId: number,
  filter: AnnotationFilter,
  page: { after: { date: string; id: number } | null; limit: number },
): Promise<AnnotationRow[]> {
  const { date = null, id = null } = page.after ?? {};
  const { rows } = await sql<Row<'list-annotations', AnnotationRow>>`
    select ${columns} from annotations
    where ${matchesFilter(workspaceId, filter)}
      and (${date}::date is null or (on_date, id) < (${date}::date, ${id}::int))
    order by on_date desc, id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countAnnotations(
  tx: Tx,
  workspaceId: number,
  filter: AnnotationFilter,
): Promise<number> {
  const { rows } = await sql<Row<'count-annotations'>>`
    select count(*)::int as count from annotations
    where ${matchesFilter(workspaceId, filter)}`.execute(tx);
  return rows[0]!.count;
}

/** Locks the annotation until the transaction ends. */
export async function lockAnnotation(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<AnnotationRow | undefined> {
  const { rows } = await sql<Row<'lock-annotation', AnnotationRow>>`
    select ${columns} from annotations where workspace_id = ${workspaceId} and id = ${id}
      for update`.execute(tx);
  return rows[0];
}

export async function insertAnnotation(
  tx: Tx,
  workspaceId: number,
  row: Omit<AnnotationRow, 'id'>,
): Promise<AnnotationRow> {
  const { rows } = await sql<Row<'insert-annotation', AnnotationRow>>`
    insert into annotations (workspace_id, app_id, on_date, text, keyword_ids, created_at)
    values (${workspaceId}, ${row.appId}, ${row.date}, ${row.text}, ${row.keywordIds}::int[],
      ${row.createdAt}) returning ${columns}`.execute(tx);
  return rows[0]!;
}

export async function updateAnnotationRow(
  tx: Tx,
  workspaceId: number,
  row: Omit<AnnotationRow, 'appId' | 'createdAt'>,
): Promise<void> {
  await sql`
    update annotations set on_date = ${row.date}, text = ${row.text},
      keyword_ids = ${row.keywordIds}::int[]
    where workspace_id = ${workspaceId} and id = ${row.id}`.execute(tx);
}

export async function deleteAnnotation(tx: Tx, workspaceId: number, id: number): Promise<boolean> {
  const { rows } = await sql`
      delete from annotations where workspace_id = ${workspaceId} and id = ${id}
      returning id`.execute(tx);
  return rows.length > 0;
}

/** Counts how many of these are keywords of the app, including removed ones. */
export async function countKeywordsOfApp(
  tx: Tx,
  workspaceId: number,
  appId: number,
  keywordIds: readonly number[],
): Promise<number> {
  const { rows } = await sql<Row<'count-keywords-of-app'>>`
    select count(*)::int as count from keywords
    where workspace_id = ${workspaceId} and app_id = ${appId}
      and id = any(${[...keywordIds]}::int[])`.execute(tx);
  return rows[0]!.count;
}
