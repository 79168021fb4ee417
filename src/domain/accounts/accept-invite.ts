import {
  acceptInvite as markAccepted,
  findOpenInvite,
  type OpenInvite,
} from '../../db/queries/invites.ts';
import { countMembers, joinWorkspace, lockMembers } from '../../db/queries/members.ts';
import {
  findUserByEmail,
  holdPassword,
  insertUser,
  type NewUser,
  type UserRow,
} from '../../db/queries/users.ts';
import { findWorkspace } from '../../db/queries/workspaces.ts';
import type { Tx } from '../../db/database.ts';
import { writeAuditOf } from '../audit/write-audit.ts';
import { inSystem, type Services } from '../context.ts';
import { AppError, notFound } from '../errors.ts';
import { requireOpen, requireSeat } from '../members/seats.ts';
import { mailConfirmation } from './confirm-email.ts';
import { hashPassword, verifyPassword } from './limited-hashing.ts';
import { readLinkSecret } from './links.ts';
import { openSession, type Visitor } from './open-session.ts';
import { checkPassword } from './password-rules.ts';
import type { SignedIn } from './sign-up.ts';
import { takeAccountBack } from './take-account-back.ts';

export type { OpenInvite };

/** The invitation a link belongs to. Throws not_found alike for one that never was, was revoked, accepted, or has ended. */
export async function getOpenInvite(services: Services, token: string): Promise<OpenInvite> {
  const hash = readLinkSecret(token);
  const invite =
    hash === null ? undefined : await findOpenInvite(services.systemDb, hash, services.clock.now());
  if (!invite) throw notFound();
  if (invite.workspaceState === 'suspended') throw new AppError('workspace_suspended');
  return invite;
}

/**
 * Takes somebody into the workspace and signs them in there. Who has an account proves it with its password (else
 * unauthenticated); who has none gets one. The link was for one address, so no other can be chosen. Throws quota_members and
 * no_live_plan where the plan has no seat left, or has ended, since the invitation was made.
 */
export async function acceptInvite(
  services: Services,
  invite: OpenInvite,
  input: { password: string; name?: string | undefined },
  visitor: Visitor,
): Promise<SignedIn> {
  // Before it is looked whether there is an account: who invites an address could learn that from the refusal.
  checkPassword('password', input.password, invite.email);
  const known = await findUserByEmail(services.systemDb, invite.email);
  const passwordHash = known
    ? await prove(known, input.password)
    : await hashPassword(input.password);
  if (known && !(await takeAccountBack(services, known))) throw notFound();
  const now = services.clock.now();
  const signedIn = await inSystem(services, async (tx) => {
    await lockMembers(tx, invite.workspaceId);
    if (known && !(await holdPassword(tx, known.id, passwordHash))) throw notItsPassword();
    if (!(await markAccepted(tx, invite.workspaceId, invite.id, now))) throw notFound();
    const workspace = await findWorkspace(tx, invite.workspaceId);
    if (!workspace) throw notFound();
    // The plan may be another than the one it was made on.
    requireOpen(services, workspace);
    requireSeat(services, workspace, await countMembers(tx, workspace.id));
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
  // Who invites sees the link too: it proves nothing of the address.
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
  // Somebody signed up with the address a moment ago: the next try asks for that account's password.
  if (id === null)
    throw new AppError(
      'unauthenticated',
      'There is an account with this address by now; its password is needed.',
    );
  return { ...user, id, deleteAt: null };
}
