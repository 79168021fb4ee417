import type { AuditAction } from '../../contract/audit.ts';
import type { Tx } from '../../db/database.ts';
import { insertAudit } from '../../db/queries/audit.ts';
import { listMembershipsOf } from '../../db/queries/members.ts';
import type { Ctx } from '../context.ts';

export interface AuditEntry {
  action: AuditAction;
  /** What it was done to: a kind and an id (`app 12`), or an e-mail address; null for the workspace itself. */
  subject: string | null;
  /** Flat and short; never a secret. */
  detail?: Record<string, string | number | boolean | null>;
}

/** Writes down who did what, in the transaction that does it: neither is there without the other. */
export function writeAudit(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'actor' | 'clock'>,
  entry: AuditEntry,
): Promise<void> {
  return writeAuditOf(tx, ctx, { ...entry, ...writtenBy(ctx.actor) });
}

/** Whom the entry names, and with what they came. */
export function writtenBy(actor: Ctx['actor']): { actor: string; credential: string } {
  return {
    actor: actor.email,
    credential: actor.kind === 'token' ? `token ${actor.tokenId}` : 'session',
  };
}

/** The same for who comes with a link: an invitation, or one to set a new password. */
export function writeAuditOf(
  tx: Tx,
  { workspaceId, clock }: Pick<Ctx, 'workspaceId' | 'clock'>,
  {
    action,
    subject,
    detail = {},
    actor,
    credential,
  }: AuditEntry & { actor: string; credential: string },
): Promise<void> {
  return insertAudit(tx, workspaceId, {
    at: clock.now(),
    actor,
    credential,
    action,
    subject,
    detail,
  });
}

/** The same for what concerns an account as a whole: in each of the person's workspaces. */
export async function writeAuditOfAccount(
  tx: Tx,
  { clock }: Pick<Ctx, 'clock'>,
  userId: number,
  entry: AuditEntry & { actor: string; credential: string },
): Promise<void> {
  for (const workspaceId of await listMembershipsOf(tx, userId))
    await writeAuditOf(tx, { workspaceId, clock }, entry);
}

/** Who runs the instance, on its command line. */
export const byCommand = { actor: 'command', credential: 'command' };
