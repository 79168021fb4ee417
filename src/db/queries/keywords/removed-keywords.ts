import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';
import type { Row } from '#db/row.ts';

/** A removed keyword with everything that a restore brings back, except its history. */
export interface RemovedKeywordRow {
  id: number;
  appId: number;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  tags: string[];
  note: string | null;
  favorite: boolean;
  paused: boolean;
  removedAt: Date;
  purgeAt: Date;
}

/** The newest removal first. Keywords that are due to be deleted are omitted. */
export async function listRemovedRows(
  tx: Tx,
  workspaceId: number,
  page: { appId: number; now: Date; after: { at: Date; id: number } | null; limit: number },
): Promise<RemovedKeywordRow[]> {
  const after = page.after && [page.after.at, page.after.id];
  // The instants of an import may have microseconds, and a cursor has none.
  const at = sql`date_trunc('milliseconds', k.archived_at)`;
  const { rows } = await sql<
    Row<'list-removed-rows', RemovedKeywordRow, 'removedAt' | 'purgeAt'>
  >`/* list-removed-rows */
    select k.id, k.app_id as "appId", k.phrase, k.country, k.device, k.depth, k.tags, k.note,
      k.favorite, k.paused, k.archived_at as "removedAt", k.purge_at as "purgeAt"
    from keywords k
    where k.workspace_id = ${workspaceId} and k.app_id = ${page.appId} and k.purge_at > ${page.now}
      and (${after?.[0] ?? null}::timestamptz is null
        or (${at}, k.id) < (${after?.[0] ?? null}::timestamptz, ${after?.[1] ?? null}::bigint))
    order by ${at} desc, k.id desc limit ${page.limit}`.execute(tx);
  return rows;
}

export async function countRemovedKeywords(
  tx: Tx,
  workspaceId: number,
  { appId, now }: { appId: number; now: Date },
): Promise<number> {
  const { rows } = await sql<Row<'count-removed-keywords'>>`/* count-removed-keywords */
    select count(*)::int as count from keywords k
    where k.workspace_id = ${workspaceId} and k.app_id = ${appId}
      and k.purge_at > ${now}`.execute(tx);
  return rows[0]!.count;
}

export interface RestorableKeyword {
  id: number;
  phrase: string;
  country: string;
  device: string;
  depth: number;
  paused: boolean;
}

/** Those of an app among these ids that are removed and can be restored, or are tracked. */
export async function listRestorableKeywords(
  tx: Tx,
  workspaceId: number,
  { appId, ids, now }: { appId: number; ids: number[]; now: Date },
): Promise<RestorableKeyword[]> {
  const { rows } = await sql<
    Row<'list-restorable-keywords', RestorableKeyword>
  >`/* list-restorable-keywords */
    select k.id, k.phrase, k.country, k.device, k.depth, k.paused
    from unnest(${ids}::int[]) with ordinality as requested(id, ordinal)
    join keywords k on k.id = requested.id
    where k.workspace_id = ${workspaceId} and k.app_id = ${appId}
      and (k.archived_at is null or k.purge_at > ${now})
    order by requested.ordinal`.execute(tx);
  return rows;
}
