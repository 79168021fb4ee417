import { findUserByEmail, holdPassword, updatePasswordHash } from '../../db/queries/users.ts';
import { findFirstWorkspace } from '../../db/queries/workspaces.ts';
import { inSystem, type Services } from '../context.ts';
import { AppError } from '../errors.ts';
import { hashPassword, isWeakHash, verifyPassword } from './limited-hashing.ts';
import { openSession, type Visitor } from './open-session.ts';
import type { SignedIn } from './sign-up.ts';
import { takeAccountBack } from './take-account-back.ts';

const wrong = () => new AppError('unauthenticated', 'The e-mail address or the password is wrong.');

/** The same answer in the same time, whether the address is unknown or the password wrong. Who deleted the account takes it back. */
export async function signIn(
  services: Services,
  input: { email: string; password: string },
  visitor: Visitor,
): Promise<SignedIn & { accountRestored: boolean }> {
  const user = await findUserByEmail(services.systemDb, input.email);
  const matches = await verifyPassword(user?.passwordHash ?? null, input.password);
  if (!user || !matches) throw wrong();
  const stronger = isWeakHash(user.passwordHash) ? await hashPassword(input.password) : null;
  if (!(await takeAccountBack(services, user))) throw wrong();
  return inSystem(services, async (tx) => {
    // Changed since it was read: whoever changed it ended all sessions, and this would be one more.
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
