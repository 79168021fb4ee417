import { deleteAccountLinksOf } from '#db/queries/auth/account-links.ts';
import { deleteOtherSessions } from '#db/queries/auth/sessions.ts';
import { findUserById, holdPassword, updatePasswordHash } from '#db/queries/auth/users.ts';
import { writeAudit } from '#domain/base/audit/write-audit.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { hashPassword, verifyPassword } from './password-hashing.ts';
import { checkPassword } from './password-rules.ts';

const wrong = () => new AppError('unauthenticated', 'The current password is wrong.');

/** Changes the password, ends every other session of the user and returns their number. */
export async function changePassword(
  ctx: Ctx,
  input: { current: string; next: string },
): Promise<number> {
  checkPassword('next', input.next, ctx.actor.email);
  const user = await findUserById(ctx.systemDb, ctx.actor.userId);
  const matches = await verifyPassword(user?.passwordHash ?? null, input.current);
  if (!user || !matches) throw wrong();
  const passwordHash = await hashPassword(input.next);
  const kept = ctx.actor.kind === 'session' ? ctx.actor.sessionId : null;
  return inSystem(ctx, async (tx) => {
    if (!(await holdPassword(tx, user.id, user.passwordHash, 'update'))) throw wrong();
    await updatePasswordHash(tx, user.id, passwordHash);
    await deleteAccountLinksOf(tx, user.id, 'password');
    await writeAudit(tx, ctx, { action: 'password.changed', subject: user.email });
    return deleteOtherSessions(tx, user.id, kept);
  });
}
