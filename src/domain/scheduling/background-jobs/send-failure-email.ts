import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import { findFailedJob } from '#db/queries/jobs/failure-emails.ts';
import { findMailRecipient } from '#db/queries/members/mail-recipients.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { mailIdOf } from '#domain/base/mail/mail-id.ts';
import { failureEmail } from './failure-email.ts';

/**
 * Mails an owner that a job failed, unless it runs again by now or the person has left. Throws when
 * the mail server rejects it.
 */
export async function sendFailureEmail(
  services: Services,
  { id, workspaceId, payload }: BackgroundJobRow,
): Promise<{ path: string } | null> {
  const { jobId, userId } = payload as { jobId: number; userId: number };
  const { mailer } = services;
  if (mailer === null) return null;
  const { publicUrl } = services.settings;
  const email = await inSystem(services, async (tx) => {
    const failed = await findFailedJob(tx, workspaceId, jobId);
    const recipient = await findMailRecipient(tx, workspaceId, userId);
    if (!failed || !recipient) return null;
    const { email: to, workspace } = recipient;
    return {
      ...failureEmail(to, { jobId, ...failed }, { workspace, publicUrl }),
      id: mailIdOf(id, { to, publicUrl }),
    };
  });
  if (email) await mailer.send(email, { asJob: true });
  return { path: `/jobs/${jobId}` };
}
