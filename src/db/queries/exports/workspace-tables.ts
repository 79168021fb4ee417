import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/**
 * A tenant's table as it is exported: its rows as they are, without what is secret, with the names
 * of what is shared.
 */
export interface ExportedTable {
  name: string;
  order: readonly string[];
  /** Columns that never leave. */
  secret?: readonly string[];
  /**
   * References of a row beyond its columns: its listing by portable names; the instant since when
   * it is tracked.
   */
  names?: readonly ('listing' | 'since')[];
}

const batch = 500;

/**
 * Rows of a workspace's table as JSON, exact numbers and all, in pieces of 500 through a cursor of
 * the transaction.
 */
export async function* readTableRows(
  tx: Tx,
  workspaceId: number,
  table: ExportedTable,
): AsyncGenerator<string[]> {
  const order = sql.join(table.order.map((column) => sql.ref(`t.${column}`)));
  await sql`
    declare exported_rows no scroll cursor for
    select ((to_jsonb(t) - ${sql.val([...(table.secret ?? []), 'workspace_id'])}::text[]) ||
      ${namesOf(table)})::text as row
    from ${sql.table(table.name)} t where t.workspace_id = ${workspaceId} order by ${order}`.execute(
    tx,
  );
  for (;;) {
    const { rows } = await sql<{
      row: string;
    }>`fetch forward ${sql.lit(batch)} from exported_rows`.execute(tx);
    if (rows.length > 0) yield rows.map(({ row }) => row);
    if (rows.length < batch) break;
  }
  await sql`close exported_rows`.execute(tx);
}

const memberOf = {
  listing: sql`jsonb_build_object('listing', (
    select jsonb_build_object('store', l.store, 'storeAppId', l.store_app_id, 'name', l.name)
      from listings l where l.id = t.listing_id))`,
  since: sql`jsonb_build_object('tracked_since', coalesce(t.tracked_since, t.created_at))`,
};

function namesOf({ names = [] }: ExportedTable): RawBuilder<unknown> {
  return sql.join([sql`'{}'::jsonb`, ...names.map((name) => memberOf[name])], sql` || `);
}

/** A transaction on one workspace's rows in which every statement sees the same instant. */
export async function inWorkspaceSnapshot<T>(
  db: Db,
  workspaceId: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      await sql`select set_config('app.workspace', ${String(workspaceId)}, true)`.execute(tx);
      return work(tx);
    });
}

export interface ExportedApp {
  id: number;
  listingId: number;
  store: StoreName;
  createdAt: Date;
}

/** The apps of a workspace, archived ones too as long as their time has not run out. */
export async function listExportedApps(
  tx: Tx,
  workspaceId: number,
  now: Date,
): Promise<ExportedApp[]> {
  const { rows } = await sql<Row<'list-exported-apps', ExportedApp, 'store'>>`
    select a.id, a.listing_id as "listingId", l.store,
      least(a.created_at, min((k.tracking_periods->0->>0)::timestamptz), min(i.on_date)::timestamptz)
      as "createdAt"
    from apps a join listings l on l.id = a.listing_id left
      join keywords k on k.workspace_id = ${workspaceId} and k.app_id = a.id
      left join imported_daily_ranks i on i.workspace_id = ${workspaceId} and i.keyword_id = k.id
    where a.workspace_id = ${workspaceId} and (a.purge_at is null or a.purge_at > ${now})
      group by a.id, l.store order by a.id`.execute(tx);
  return rows;
}
