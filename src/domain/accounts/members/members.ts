import { lockUser } from '#db/queries/auth/users.ts';
import { deleteInvitesBy } from '#db/queries/members/invites.ts';
import {
  deleteHomelessUsers,
  deleteMembership,
  findMember,
  hasOtherOwner,
  listMembers as selectMembers,
  lockMembers,
  updateRole,
  type MemberRow,
  type Role,
} from '#db/queries/members/members.ts';
import type { Tx } from '#db/database.ts';
import { assertSession } from '#domain/base/assert-session.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { AppError, invalid, notFound } from '#domain/base/errors.ts';

export type { MemberRow };

export function listMembers(ctx: Ctx): Promise<MemberRow[]> {
  return selectMembers(ctx.systemDb, ctx.workspaceId);
}

/**
 * Takes effect with the next request. The open invitations of somebody who is an owner no longer
 * are revoked. Throws forbidden for a token that makes somebody an owner and for a caller who is no
 * longer one, not_found, and invalid_request for the last owner.
 */
export async function updateMemberRole(ctx: Ctx, userId: number, role: Role): Promise<MemberRow> {
  if (role === 'owner') assertSession(ctx);
  return inSystem(ctx, async (tx) => {
    const member = await lockMember(tx, ctx, userId);
    await assertStillOwner(tx, ctx);
    if (member.role === role) return member;
    if (member.role === 'owner') await requireOtherOwner(tx, ctx, userId, 'role');
    await updateRole(tx, ctx.workspaceId, userId, role);
    await writeAudit(tx, ctx, {
      action: 'member.role_changed',
      subject: member.email,
      detail: { from: member.role, to: role },
    });
    if (role === 'member') await revokeInvitesBy(tx, ctx, userId);
    return { ...member, role };
  });
}

/**
 * Removes a member, or leaves: sessions, tokens and open invitations of this workspace end in the
 * same transaction, and an account without any workspace is deleted too. Owners can remove anybody,
 * and members only themselves (otherwise forbidden). Throws not_found, and invalid_request for the
 * last owner.
 */
export function removeMember(ctx: Ctx, userId: number): Promise<void> {
  if (ctx.actor.role !== 'owner' && ctx.actor.userId !== userId) throw new AppError('forbidden');
  return inSystem(ctx, async (tx) => {
    const member = await lockMember(tx, ctx, userId);
    if (ctx.actor.userId !== userId) await assertStillOwner(tx, ctx);
    if (member.role === 'owner') await requireOtherOwner(tx, ctx, userId, 'params.id');
    // Before the sessions, as in every transaction that ends sessions.
    await lockUser(tx, userId);
    await deleteMembership(tx, ctx.workspaceId, userId, ctx.clock.now());
    await writeAudit(tx, ctx, { action: 'member.removed', subject: member.email });
    await revokeInvitesBy(tx, ctx, userId);
    await deleteHomelessUsers(tx, [userId]);
  });
}

/** Somebody could otherwise let themselves in again with an invitation to another address. */
async function revokeInvitesBy(tx: Tx, ctx: Ctx, userId: number): Promise<void> {
  for (const { id, email } of await deleteInvitesBy(tx, ctx.workspaceId, userId))
    await writeAudit(tx, ctx, {
      action: 'invite.revoked',
      subject: email,
      detail: { inviteId: id },
    });
}

async function lockMember(tx: Tx, ctx: Ctx, userId: number): Promise<MemberRow> {
  await lockMembers(tx, ctx.workspaceId);
  const member = await findMember(tx, ctx.workspaceId, userId);
  if (!member) throw notFound();
  return member;
}

/** Throws forbidden for a caller who was removed or demoted since the request was admitted. */
async function assertStillOwner(tx: Tx, ctx: Ctx): Promise<void> {
  const caller = await findMember(tx, ctx.workspaceId, ctx.actor.userId);
  if (caller?.role !== 'owner') throw new AppError('forbidden');
}

async function requireOtherOwner(tx: Tx, ctx: Ctx, userId: number, path: string): Promise<void> {
  if (!(await hasOtherOwner(tx, ctx.workspaceId, userId)))
    throw invalid(path, 'a workspace keeps at least one owner; make another member owner first');
}
