import { sql } from 'kysely';
import type { WebhookKind } from '../../contract/webhooks.ts';
import type { Tx } from '../database.ts';

export interface ListenerRow {
  id: number;
  url: string;
  kind: WebhookKind;
  events: string[];
}

/** Enabled webhooks that want one of the types; none of them can be deleted until the transaction ends. */
export async function listListeners(tx: Tx, workspaceId: number, types: string[]): Promise<ListenerRow[]> {
  const { rows } = await sql<ListenerRow>`
    select id, url, kind, events from webhooks
    where workspace_id = ${workspaceId} and enabled and events && ${types}::text[]
    order by id for key share`.execute(tx);
  return rows;
}
