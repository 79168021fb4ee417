import type { Tx } from '#db/database.ts';
import { insertFailureEmails } from '#db/queries/jobs/failure-emails.ts';
import type { BackgroundJobKind } from '#db/queries/jobs/jobs.ts';
import { listMailRecipients } from '#db/queries/members/mail-recipients.ts';
import type { Services } from '#domain/base/context.ts';

/** An email that failed is not reported by email. */
const unreported: readonly BackgroundJobKind[] = ['digest-mail', 'failure-mail'];

/**
 * Sends the owners of the workspace an email about a job that failed for good, in the transaction
 * that ends the job: one for each job, however often it fails again. The page of jobs also shows
 * it, with the reason.
 */
export async function reportFailure(
  tx: Tx,
  { mailer, clock }: Pick<Services, 'mailer' | 'clock'>,
  { id, workspaceId, kind }: { id: number; workspaceId: number; kind: BackgroundJobKind },
): Promise<void> {
  if (mailer === null || unreported.includes(kind)) return;
  const owners = await listMailRecipients(tx, workspaceId, false);
  const userIds = owners.map(({ userId }) => userId);
  await insertFailureEmails(tx, { jobId: id, workspaceId, userIds, now: clock.now() });
}
