import { members } from '../../contract/members.ts';
import type { Ctx } from '../../domain/context.ts';
import {
  createInvite,
  listInvites,
  revokeInvite,
  type InviteRow,
} from '../../domain/members/manage-invites.ts';
import {
  changeRole,
  listMembers,
  removeMember,
  type MemberRow,
} from '../../domain/members/manage-members.ts';
import { AppError } from '../../domain/errors.ts';
import { webAddressOf } from '../plugins/web-address.ts';
import { Answer, routesOf } from '../route.ts';

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
    showMember(ctx, await changeRole(ctx, params.id, body.role)),
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
        'This instance takes no new people (SIGN_UP=closed), so nobody can be invited. Ask who runs it.',
      );
    }
    const { invite, acceptUrl, mail } = await createInvite(ctx, body, webAddressOf(raw.request));
    return new Answer(201, { ...showInvite(ctx, invite), acceptUrl, mail });
  },
  'DELETE /workspace/invites/{id}': async ({ ctx, params }) => {
    await revokeInvite(ctx, params.id);
    return { id: params.id, deleted: true as const };
  },
});
