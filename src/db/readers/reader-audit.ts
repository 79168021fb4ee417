import type pg from 'pg';
import type { AuditAction } from '#contract/audit.ts';
import { asSystem } from './reader-client.ts';

/** In the transaction that changes the login. */
export async function writeReaderAudit(
  client: pg.Client,
  entry: { workspaceId: number; login: string; action: AuditAction; now: Date },
): Promise<void> {
  await asSystem(
    client,
    `insert into audit (workspace_id, at, actor, credential, action, subject, detail)
     values ($1, $2, 'command', 'command', $3, $4, '{}')`,
    [entry.workspaceId, entry.now, entry.action, `reader ${entry.login}`],
  );
}
