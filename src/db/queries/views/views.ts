import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

export interface ViewRow {
  id: number;
  name: string;
  path: string;
  appId: number | null;
  pinned: boolean;
  createdAt: Date;
}

const columns = sql`
  v.id, v.name, v.path, v.app_id as "appId", v.pinned, v.created_at as "createdAt"`;

/** Pinned ones first, then in the order in which they were saved. */
export async function listViews(tx: Tx, workspaceId: number): Promise<ViewRow[]> {
  const { rows } = await sql<Row<'list-views', ViewRow>>`
    select ${columns} from saved_views v where v.workspace_id = ${workspaceId}
    order by v.pinned desc, v.id`.execute(tx);
  return rows;
}

/** Serializes saves of a workspace. */
export async function lockViews(tx: Tx, workspaceId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('views'), ${workspaceId}::int)`.execute(tx);
}

/** Serializes saves of a workspace, and counts the views with other paths. */
export async function countOtherViews(tx: Tx, workspaceId: number, path: string): Promise<number> {
  await lockViews(tx, workspaceId);
  const { rows } = await sql<Row<'count-other-views'>>`
    select count(*)::int as count from saved_views
    where workspace_id = ${workspaceId} and path <> ${path}`.execute(tx);
  return rows[0]!.count;
}

export interface NewView {
  name: string;
  path: string;
  appId: number | null;
  /** Undefined leaves it as it is. */
  pinned: boolean | undefined;
  createdAt: Date;
}

/** A view with the same path is replaced. */
export async function upsertView(tx: Tx, workspaceId: number, view: NewView): Promise<ViewRow> {
  const { name, path, appId, pinned = null, createdAt } = view;
  const { rows } = await sql<Row<'upsert-view', ViewRow>>`
    insert into saved_views as v (workspace_id, app_id, name, path, pinned, created_at)
    values (${workspaceId}, ${appId}, ${name}, ${path}, coalesce(${pinned}::boolean, false),
      ${createdAt})
    on conflict (workspace_id, path) do update set
      name = excluded.name, app_id = excluded.app_id,
      pinned = coalesce(${pinned}::boolean, v.pinned)
    returning ${columns}`.execute(tx);
  return rows[0]!;
}

/** Locks a view until the transaction ends. */
export async function lockView(
  tx: Tx,
  workspaceId: number,
  id: number,
): Promise<ViewRow | undefined> {
  const { rows } = await sql<Row<'lock-view', ViewRow>>`/* lock-view */
    select ${columns} from saved_views v
    where v.workspace_id = ${workspaceId} and v.id = ${id} for no key update`.execute(tx);
  return rows[0];
}

export async function updateView(
  tx: Tx,
  workspaceId: number,
  id: number,
  change: { name?: string | undefined; pinned?: boolean | undefined },
): Promise<ViewRow | undefined> {
  const { name = null, pinned = null } = change;
  const { rows } = await sql<Row<'update-view', ViewRow>>`
    update saved_views as v set name = coalesce(${name}, v.name),
      pinned = coalesce(${pinned}::boolean, v.pinned)
    where v.workspace_id = ${workspaceId} and v.id = ${id}
    returning ${columns}`.execute(tx);
  return rows[0];
}

/** Changes paths to ones that no other view has. */
export async function updateViewPaths(
  tx: Tx,
  workspaceId: number,
  views: readonly { id: number; path: string }[],
): Promise<void> {
  await sql`
    update saved_views as v set path = changed.path
    from unnest(${views.map(({ id }) => id)}::int[], ${views.map(({ path }) => path)}::text[])
      as changed(id, path)
    where v.workspace_id = ${workspaceId} and v.id = changed.id`.execute(tx);
}

export async function deleteView(tx: Tx, workspaceId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('saved_views')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
