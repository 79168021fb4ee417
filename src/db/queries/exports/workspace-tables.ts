import { sql, type RawBuilder } from 'kysely';
import type { StoreName } from '#stores/profiles.ts';
import type { Db, Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';
import { nameIn } from '../listings/listing-names.ts';

/**
 * A workspace's table as it is exported: its rows, without secret columns, with portable names
 * instead of references to shared rows.
 */
export interface ExportedTable {
  name: string;
  order: readonly string[];
  /** Columns that are never exported. */
  secret?: readonly string[];
  /** Hides what is secret within a column, in a row as JSON. */
  mask?: (row: string) => string;
  /**
   * Values added to a row: the portable name of an app's or a competitor's listing; the instant
   * since which it is tracked.
   */
  names?: readonly ('listing' | 'competitor' | 'since')[];
}

const batch = 500;

/**
 * Rows of a workspace's table as JSON with exact numbers, in batches of 500 through a cursor of the
 * transaction.
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
    from ${sql.table(table.name)} t where t.workspace_id = ${workspaceId}
    order by ${order}`.execute(tx);
  for (;;) {
    const { rows } = await sql<{
      row: string;
    }>`fetch forward ${sql.lit(batch)} from exported_rows`.execute(tx);
    const { mask = (row: string) => row } = table;
    if (rows.length > 0) yield rows.map(({ row }) => mask(row));
    if (rows.length < batch) break;
  }
  await sql`close exported_rows`.execute(tx);
}

/** The portable name of a row's listing, as the country shows it. */
const listingIn = (country: RawBuilder<unknown>) => sql`jsonb_build_object('listing', (
  select jsonb_build_object('store', l.store, 'storeAppId', l.store_app_id,
    'name', ${nameIn(country)})
  from listings l where l.id = t.listing_id))`;

const memberOf = {
  listing: listingIn(sql`t.primary_country`),
  competitor: listingIn(sql`(select primary_country from apps a where a.id = t.app_id)`),
  since: sql`jsonb_build_object('tracked_since', coalesce(t.tracked_since, t.created_at))`,
};

function namesOf({ names = [] }: ExportedTable): RawBuilder<unknown> {
  return sql.join([sql`'{}'::jsonb`, ...names.map((name) => memberOf[name])], sql` || `);
}

/** A transaction on the rows of one workspace in which every statement sees the same snapshot. */
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

/** The apps of a workspace, including archived ones that are not due for erasure. */
export async function listExportedApps(
  tx: Tx,
  workspaceId: number,
  now: Date,
): Promise<ExportedApp[]> {
  const { rows } = await sql<Row<'list-exported-apps', ExportedApp, 'store'>>`
    select a.id, a.listing_id as "listingId", l.store,
      least(a.created_at, min((k.tracking_periods->0->>0)::timestamptz),
        min(i.on_date)::timestamptz) as "createdAt"
    from apps a join listings l on l.id = a.listing_id
      left join keywords k on k.workspace_id = ${workspaceId} and k.app_id = a.id
      left join imported_daily_ranks i on i.workspace_id = ${workspaceId} and i.keyword_id = k.id
    where a.workspace_id = ${workspaceId} and (a.purge_at is null or a.purge_at > ${now})
      group by a.id, l.store order by a.id`.execute(tx);
  return rows;
}
