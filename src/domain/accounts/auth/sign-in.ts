import { findUserByEmail, holdPassword, updatePasswordHash } from '#db/queries/auth/users.ts';
import { findFirstWorkspace } from '#db/queries/workspaces/workspaces.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { hashPassword, isWeakHash, verifyPassword } from './password-hashing.ts';
import { openSession, type Visitor } from './open-session.ts';
import type { SignedIn } from './sign-up.ts';
import { restoreAccount } from './restore-account.ts';

const wrong = () => new AppError('unauthenticated', 'The e-mail address or the password is wrong.');

/**
 * Responds alike and in equal time for an unknown address and a wrong password. Restores a deleted
 * account.
 */
export async function signIn(
  services: Services,
  input: { email: string; password: string },
  visitor: Visitor,
): Promise<SignedIn & { accountRestored: boolean }> {
  const user = await findUserByEmail(services.systemDb, input.email);
  const matches = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !matches) throw wrong();
  const stronger = isWeakHash(user.passwordHash) ? await hashPassword(input.password) : null;
  if (!(await restoreAccount(services, user))) throw wrong();
  return inSystem(services, async (tx) => {
    // The password was changed since it was read, which ended all sessions. This session would
    // survive.
    if (
      !(await holdPassword(tx, user.id, user.passwordHash, stronger === null ? 'share' : 'update'))
    )
      throw wrong();
    if (stronger !== null) await updatePasswordHash(tx, user.id, stronger);
    const workspace = await findFirstWorkspace(tx, user.id);
    if (!workspace) throw wrong();
    const session = await openSession(
      tx,
      services,
      { userId: user.id, workspaceId: workspace.id },
      visitor,
    );
    return {
      user: { id: user.id, email: user.email, name: user.name },
      workspace,
      session,
      accountRestored: user.deleteAt !== null,
    };
  });
}
