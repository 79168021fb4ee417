import { sql } from 'kysely';
import type { Db, Tx } from '#db/database.ts';

export interface StoredResponse {
  requestHash: Buffer;
  status: number | null;
  response: string | null;
  /** Its work was committed, and no process works on it any more. */
  isLost: boolean;
}

export interface KeyClaim {
  workspaceId: number;
  key: string;
  requestHash: Buffer;
  now: Date;
  /** Older rows are ignored and deleted. */
  retainedSince: Date;
  /**
   * An older row without a response was left by a crash: the same request may be tried again,
   * unless its work was committed.
   */
  abandonedBefore: Date;
}

/** True when the caller has claimed the key and must do the work. */
export async function claimKey(db: Db, claim: KeyClaim): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency as kept (workspace_id, key, request_hash, created_at)
    values (${claim.workspaceId}, ${claim.key}, ${claim.requestHash}, ${claim.now})
    on conflict (workspace_id, key) do update
      set request_hash = excluded.request_hash, status = null, response = null,
        committed_at = null, created_at = excluded.created_at
      where kept.created_at <= ${claim.retainedSince}
        or (kept.response is null and kept.committed_at is null
          and kept.created_at <= ${claim.abandonedBefore}
          and kept.request_hash = excluded.request_hash)
    returning 1`.execute(db);
  return rows.length === 1;
}

/** Work that goes on is not taken for abandoned. */
export async function renewClaim(
  db: Db,
  { workspaceId, key }: Pick<KeyClaim, 'workspaceId' | 'key'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ created_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('response', 'is', null)
    .execute();
}

/** Marks the key of a transaction that has written something, as the last step of it. */
export async function markCommitted(
  tx: Tx,
  { workspaceId, key }: Pick<KeyClaim, 'workspaceId' | 'key'>,
  now: Date,
): Promise<void> {
  await sql`/* mark-committed */
    update idempotency set committed_at = ${now}
    where workspace_id = ${workspaceId} and key = ${key} and committed_at is null
      and pg_current_xact_id_if_assigned() is not null`.execute(tx);
}

export function findKey(db: Db, claim: KeyClaim): Promise<StoredResponse | undefined> {
  return db
    .selectFrom('idempotency')
    .select((row) => [
      'request_hash as requestHash',
      'status',
      'response',
      row
        .and([
          row('response', 'is', null),
          row('committed_at', 'is not', null),
          row('created_at', '<=', claim.abandonedBefore),
        ])
        .$castTo<boolean>()
        .as('isLost'),
    ])
    .where('workspace_id', '=', claim.workspaceId)
    .where('key', '=', claim.key)
    .executeTakeFirst();
}

export async function saveResponse(
  db: Db,
  kept: { workspaceId: number; key: string; status: number; response: string },
): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ status: kept.status, response: kept.response })
    .where('workspace_id', '=', kept.workspaceId)
    .where('key', '=', kept.key)
    .execute();
}

export async function deleteIdempotencyKey(
  db: Db,
  workspaceId: number,
  key: string,
): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .execute();
}

/**
 * Ends a claim without a response: the next request with the key does the work, or learns at once
 * that it was committed. Waits for a commit that is under way.
 */
export async function releaseClaim(db: Db, claim: KeyClaim): Promise<void> {
  const { workspaceId, key, abandonedBefore } = claim;
  await db
    .deleteFrom('idempotency')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('response', 'is', null)
    .where('committed_at', 'is', null)
    .execute();
  await db
    .updateTable('idempotency')
    .set({ created_at: abandonedBefore })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('response', 'is', null)
    .execute();
}

/**
 * Deletes a workspace's responses older than a day when a new one arrives, a few rows at a time.
 */
export async function deleteExpiredIdempotencyKeys(
  db: Db,
  workspaceId: number,
  retainedSince: Date,
): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<=', retainedSince)
    .execute();
}
