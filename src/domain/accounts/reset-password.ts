import { deletePasswordReset, deletePasswordResetsOf, findPasswordReset } from '../../db/queries/password-resets.ts';
import { listMembershipsOf } from '../../db/queries/members.ts';
import { deleteOtherSessions } from '../../db/queries/sessions.ts';
import { updatePasswordHash } from '../../db/queries/users.ts';
import { writeAuditOf } from '../audit/write-audit.ts';
import { inSystem, type Services } from '../context.ts';
import { notFound } from '../errors.ts';
import { hashPassword } from './limited-hashing.ts';
import { readLinkSecret } from './links.ts';
import { checkPassword } from './password-rules.ts';

/**
 * Sets a new password by a link: once, within its hour, and all sessions of the person end. API tokens stay. Throws not_found
 * for a link that never was, has ended or was used; invalid_request for a bad password, which leaves the link as it is.
 */
export async function resetPassword(services: Services, input: { token: string; password: string }): Promise<void> {
  const hash = readLinkSecret(input.token);
  const person = hash === null ? undefined : await findPasswordReset(services.systemDb, hash, services.clock.now());
  if (hash === null || !person) throw notFound();
  const { userId, email } = person;
  checkPassword('password', input.password, email);
  const passwordHash = await hashPassword(input.password);
  await inSystem(services, async (tx) => {
    if (!(await deletePasswordReset(tx, hash))) throw notFound();
    await deletePasswordResetsOf(tx, userId);
    await updatePasswordHash(tx, userId, passwordHash);
    await deleteOtherSessions(tx, userId, null);
    for (const workspaceId of await listMembershipsOf(tx, userId)) {
      const entry = { action: 'password.reset', subject: email, actor: email, credential: 'recovery' } as const;
      await writeAuditOf(tx, { workspaceId, clock: services.clock }, entry);
    }
  });
}
