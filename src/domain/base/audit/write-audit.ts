import type { AuditAction, AuditDetailName } from '#contract/audit.ts';
import type { Tx } from '#db/database.ts';
import { insertAudit } from '#db/queries/audit/audit.ts';
import { listMembershipsOf } from '#db/queries/members/members.ts';
import type { Ctx } from '../context.ts';

export interface AuditEntry {
  action: AuditAction;
  /**
   * The target: a kind and an id (`app 12`), or an e-mail address; null for the workspace itself.
   */
  subject: string | null;
  /** Flat and short; never a secret. */
  detail?: Partial<Record<AuditDetailName, string | number | boolean | null>>;
}

/**
 * Writes an audit entry in the transaction of the change, so that neither exists without the other.
 */
export function writeAudit(
  tx: Tx,
  ctx: Pick<Ctx, 'workspaceId' | 'actor' | 'clock'>,
  entry: AuditEntry,
): Promise<void> {
  return writeAuditOf(tx, ctx, { ...entry, ...writtenBy(ctx.actor) });
}

/** The actor and the credential of the entry. */
export function writtenBy(actor: Ctx['actor']): { actor: string; credential: string } {
  return {
    actor: actor.email,
    credential: actor.kind === 'token' ? `token ${actor.tokenId}` : 'session',
  };
}

/** For actors who come with a link: an invitation or a password reset. */
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

/** For changes to an account as a whole: one entry in each of the user's workspaces. */
export async function writeAuditOfAccount(
  tx: Tx,
  { clock }: Pick<Ctx, 'clock'>,
  userId: number,
  entry: AuditEntry & { actor: string; credential: string },
): Promise<void> {
  for (const workspaceId of await listMembershipsOf(tx, userId))
    await writeAuditOf(tx, { workspaceId, clock }, entry);
}

/** The operator, on the command line. */
export const byCommand = { actor: 'command', credential: 'command' };
