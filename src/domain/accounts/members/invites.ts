import {
  countSeats,
  deleteInvite,
  deleteInvitesTo,
  insertInvite,
  listInvites as selectInvites,
  type InviteRow,
} from '#db/queries/members/invites.ts';
import { findMember, listMembers, lockMembers, type Role } from '#db/queries/members/members.ts';
import { findWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { createLinkSecret, invitePath, linkUrl } from '../auth/link-secrets.ts';
import { assertSession } from '#domain/base/assert-session.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, inTenant, type Ctx } from '#domain/base/context.ts';
import { AppError, invalid, notFound } from '#domain/base/errors.ts';
import { holdCaller } from '#domain/base/hold-caller.ts';
import { inviteEmail } from '#domain/base/mail/emails.ts';
import { checkInviteEmailAllowed, sendInviteEmail, type InviteMail } from './send-invite-email.ts';
import { assertSeatAvailable } from '../billing/seats.ts';

export type { InviteRow };
export interface CreatedInvite {
  invite: InviteRow;
  acceptUrl: string;
  mail: InviteMail;
}

const validDays = 7;

export function listInvites(ctx: Ctx): Promise<InviteRow[]> {
  return selectInvites(ctx.systemDb, ctx.workspaceId);
}

/**
 * Invites an address and revokes its earlier invitation. The link is only in this response, and in
 * the mail if one may be sent; `baseUrl` is the address that the caller uses, and is not mailed.
 * Throws forbidden for a token that invites an owner and for a caller who is no longer one,
 * unauthenticated when the caller's access has ended, invalid_request for a member, and
 * quota_members when the plan has no seat left.
 */
export async function createInvite(
  ctx: Ctx,
  input: { email: string; role: Role },
  baseUrl: string,
): Promise<CreatedInvite> {
  const { email, role } = input;
  if (role === 'owner') assertSession(ctx);
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + validDays * 86_400_000);
  const { secret, hash } = createLinkSecret();
  const made = await inSystem(ctx, async (tx) => {
    await lockMembers(tx, ctx.workspaceId);
    await holdCaller(tx, ctx);
    // The caller may have been removed since the request was admitted.
    const inviter = await findMember(tx, ctx.workspaceId, ctx.actor.userId);
    if (inviter?.role !== 'owner') throw new AppError('forbidden');
    const members = await listMembers(tx, ctx.workspaceId);
    if (members.some((member) => member.email === email))
      throw invalid('email', 'an address that is not a member already');
    await deleteInvitesTo(tx, ctx.workspaceId, email);
    const workspace = await findWorkspace(tx, ctx.workspaceId);
    if (!workspace) throw notFound();
    assertSeatAvailable(ctx, workspace, await countSeats(tx, ctx.workspaceId, createdAt));
    const invite = {
      workspaceId: ctx.workspaceId,
      email,
      role,
      secretHash: hash,
      invitedBy: ctx.actor.userId,
      createdAt,
      expiresAt,
    };
    const id = await insertInvite(tx, invite);
    await writeAudit(tx, ctx, {
      action: 'invite.created',
      subject: email,
      detail: { inviteId: id, role },
    });
    return { id, workspace: workspace.name, mail: await checkInviteEmailAllowed(tx, ctx, email) };
  });
  const path = invitePath(secret);
  const invitation = inviteEmail(email, {
    workspace: made.workspace,
    inviter: ctx.actor.email,
    url: linkUrl(ctx.settings.publicUrl, path),
    days: validDays,
  });
  const invite = { id: made.id, email, role, invitedBy: ctx.actor.email, createdAt, expiresAt };
  return {
    invite,
    acceptUrl: baseUrl + path,
    mail: made.mail === 'allowed' ? await sendInviteEmail(ctx, invitation) : made.mail,
  };
}

/** Revokes an invitation; its link stops working at once. Throws not_found. */
export async function revokeInvite(ctx: Ctx, inviteId: number): Promise<void> {
  await inTenant(ctx, async (tx) => {
    const email = await deleteInvite(tx, ctx.workspaceId, inviteId);
    if (email === undefined) throw notFound();
    await writeAudit(tx, ctx, { action: 'invite.revoked', subject: email, detail: { inviteId } });
  });
}
