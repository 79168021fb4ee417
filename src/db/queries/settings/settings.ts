import { sql } from 'kysely';
import type { Tx } from '#db/database.ts';

/** The stored settings of a workspace, without defaults, or undefined. */
export async function findSettings(tx: Tx, workspaceId: number): Promise<unknown> {
  const row = await tx
    .selectFrom('settings')
    .select('settings')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return row?.settings;
}

/** Locks the settings until the transaction ends, so that nobody else changes them. */
export async function lockSettings(tx: Tx, workspaceId: number): Promise<unknown> {
  await sql`
    insert into settings (workspace_id, settings) values (${workspaceId}, '{}')
      on conflict do nothing`.execute(tx);
  const row = await tx
    .selectFrom('settings')
    .select('settings')
    .where('workspace_id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.settings;
}

export async function upsertSettings(tx: Tx, workspaceId: number, settings: object): Promise<void> {
  await tx
    .updateTable('settings')
    .set({ settings: JSON.stringify(settings) })
    .where('workspace_id', '=', workspaceId)
    .execute();
}
