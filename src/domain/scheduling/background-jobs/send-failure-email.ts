import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import { findFailedJob } from '#db/queries/jobs/failure-emails.ts';
import { findMailRecipient } from '#db/queries/members/mail-recipients.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { failureEmail } from './failure-email.ts';

/**
 * Mails an owner that a job failed, unless it runs again by now or the person has left. Throws when
 * the mail server rejects it.
 */
export async function sendFailureEmail(
  services: Services,
  { workspaceId, payload }: BackgroundJobRow,
): Promise<{ path: string } | null> {
  const { jobId, userId } = payload as { jobId: number; userId: number };
  const { mailer, settings } = services;
  if (mailer === null) return null;
  const email = await inSystem(services, async (tx) => {
    const failed = await findFailedJob(tx, workspaceId, jobId);
    const recipient = await findMailRecipient(tx, workspaceId, userId);
    if (!failed || !recipient) return null;
    const { workspace } = recipient;
    return failureEmail(
      recipient.email,
      { jobId, ...failed },
      { workspace, publicUrl: settings.publicUrl },
    );
  });
  if (email) await mailer.send(email);
  return { path: `/jobs/${jobId}` };
}
