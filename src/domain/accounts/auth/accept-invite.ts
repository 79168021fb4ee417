import {
  acceptInvite as markAccepted,
  findOpenInvite,
  type OpenInvite,
} from '#db/queries/members/invites.ts';
import { countMembers, joinWorkspace, lockMembers } from '#db/queries/members/members.ts';
import {
  findUserByEmail,
  holdPassword,
  insertUser,
  type NewUser,
  type UserRow,
} from '#db/queries/auth/users.ts';
import { findWorkspace } from '#db/queries/workspaces/workspaces.ts';
import type { Tx } from '#db/database.ts';
import { writeAuditOf } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { AppError, notFound } from '#domain/base/errors.ts';
import { assertAcceptsMembers, assertSeatAvailable } from '../billing/seats.ts';
import { mailConfirmation } from './confirm-email.ts';
import { hashPassword, verifyPassword } from './password-hashing.ts';
import { readLinkSecret } from './link-secrets.ts';
import { openSession, type Visitor } from './open-session.ts';
import { checkPassword } from './password-rules.ts';
import type { SignedIn } from './sign-up.ts';
import { restoreAccount } from './restore-account.ts';

export type { OpenInvite };

/**
 * The invitation of a link. Throws the same not_found for unknown, revoked, accepted and expired
 * ones.
 */
export async function getOpenInvite(services: Services, token: string): Promise<OpenInvite> {
  const hash = readLinkSecret(token);
  const invite =
    hash === null ? undefined : await findOpenInvite(services.systemDb, hash, services.clock.now());
  if (!invite) throw notFound();
  if (invite.workspaceState === 'suspended') throw new AppError('workspace_suspended');
  return invite;
}

/**
 * Adds a member to the workspace and signs them in. An existing account needs its password
 * (otherwise unauthenticated); without one an account is created. The link is bound to one address.
 * Throws quota_members and no_live_plan when the plan has no seat left, or has ended, since the
 * invitation was created.
 */
export async function acceptInvite(
  services: Services,
  invite: OpenInvite,
  input: { password: string; name?: string | undefined },
  visitor: Visitor,
): Promise<SignedIn> {
  // Checked before the account is looked up. Otherwise the error would reveal to the inviter
  // whether the address has an account.
  checkPassword('password', input.password, invite.email);
  const known = await findUserByEmail(services.systemDb, invite.email);
  const passwordHash = known
    ? await prove(known, input.password)
    : await hashPassword(input.password);
  if (known && !(await restoreAccount(services, known))) throw notFound();
  const now = services.clock.now();
  const signedIn = await inSystem(services, async (tx) => {
    await lockMembers(tx, invite.workspaceId);
    if (known && !(await holdPassword(tx, known.id, passwordHash))) throw notItsPassword();
    if (!(await markAccepted(tx, invite.workspaceId, invite.id, now))) throw notFound();
    const workspace = await findWorkspace(tx, invite.workspaceId);
    if (!workspace) throw notFound();
    // The plan may have changed since the invitation.
    assertAcceptsMembers(services, workspace);
    assertSeatAvailable(services, workspace, await countMembers(tx, workspace.id));
    const user =
      known ??
      (await createUser(tx, {
        email: invite.email,
        name: input.name ?? null,
        passwordHash,
        emailConfirmedAt: null,
        createdAt: now,
      }));
    const who = { workspaceId: workspace.id, userId: user.id };
    await joinWorkspace(tx, { ...who, role: invite.role, createdAt: now });
    const entry = {
      action: 'invite.accepted',
      subject: user.email,
      detail: { inviteId: invite.id, role: invite.role },
    } as const;
    await writeAuditOf(
      tx,
      { ...who, clock: services.clock },
      { ...entry, actor: user.email, credential: 'invite' },
    );
    const session = await openSession(tx, services, who, visitor);
    return { user: { id: user.id, email: user.email, name: user.name }, workspace, session };
  });
  // The inviter sees the link too, so the link does not confirm the address.
  if (!known) mailConfirmation(services, signedIn.user);
  return signedIn;
}

async function prove(user: UserRow, password: string): Promise<string> {
  if (await verifyPassword(user.passwordHash, password)) return user.passwordHash;
  throw notItsPassword();
}

const notItsPassword = () =>
  new AppError(
    'unauthenticated',
    'There is an account with this address, and this is not its password.',
  );

async function createUser(tx: Tx, user: NewUser): Promise<UserRow> {
  const id = await insertUser(tx, user);
  // The address signed up a moment ago. The next attempt needs that account's password.
  if (id === null)
    throw new AppError(
      'unauthenticated',
      'An account with this address exists now; its password is needed.',
    );
  return { ...user, id, deleteAt: null };
}
