import { members } from '#contract/members.ts';
import type { Ctx } from '#domain/base/context.ts';
import {
  createInvite,
  listInvites,
  revokeInvite,
  type InviteRow,
} from '#domain/accounts/members/invites.ts';
import {
  updateMemberRole,
  listMembers,
  removeMember,
  type MemberRow,
} from '#domain/accounts/members/members.ts';
import { AppError } from '#domain/base/errors.ts';
import { requestBaseUrl } from '../plugins/request-base-url.ts';
import { ResponseOf, routesOf } from '../route.ts';

function showMember({ actor }: Ctx, { id, email, name, role, joinedAt }: MemberRow) {
  return { id, email, name, role, joinedAt: joinedAt.toISOString(), you: id === actor.userId };
}

function showInvite(
  { clock }: Ctx,
  { id, email, role, invitedBy, createdAt, expiresAt }: InviteRow,
) {
  const state: 'pending' | 'expired' = expiresAt > clock.now() ? 'pending' : 'expired';
  return {
    id,
    email,
    role,
    invitedBy,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    state,
  };
}

export const membersRoutes = routesOf(members, {
  'GET /workspace/members': async ({ ctx }) => {
    const items = (await listMembers(ctx)).map((row) => showMember(ctx, row));
    return { items, nextCursor: null, total: items.length };
  },
  'PATCH /workspace/members/{id}': async ({ ctx, params, body }) =>
    showMember(ctx, await updateMemberRole(ctx, params.id, body.role)),
  'DELETE /workspace/members/{id}': async ({ ctx, params }) => {
    await removeMember(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
  'GET /workspace/invites': async ({ ctx }) => {
    const items = (await listInvites(ctx)).map((row) => showInvite(ctx, row));
    return { items, nextCursor: null, total: items.length };
  },
  'POST /workspace/invites': async ({ ctx, body, raw }) => {
    if (raw.request.server.api.config.signUp === 'closed') {
      throw new AppError(
        'forbidden',
        'This instance accepts no new accounts (SIGN_UP=closed), so nobody can be invited. ' +
          'Ask its operator.',
      );
    }
    const { invite, acceptUrl, mail } = await createInvite(ctx, body, requestBaseUrl(raw.request));
    return new ResponseOf(201, { ...showInvite(ctx, invite), acceptUrl, mail });
  },
  'DELETE /workspace/invites/{id}': async ({ ctx, params }) => {
    await revokeInvite(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
});
