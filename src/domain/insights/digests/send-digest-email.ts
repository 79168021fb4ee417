import { findMailRecipient } from '#db/queries/members/mail-recipients.ts';
import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import type { BackgroundJobRow } from '#db/queries/jobs/background-jobs.ts';
import { mailIdOf } from '#domain/base/mail/mail-id.ts';
import { digestEmail } from './digest-email.ts';
import { loadDigest } from './get-digest.ts';

export interface DigestEmailPayload {
  week: UtcDay;
  userId: number;
}

/**
 * Mails a week's digest to a user who is still a member. Throws when the mail server rejects it.
 */
export async function sendDigestEmail(
  services: Services,
  job: BackgroundJobRow,
): Promise<{ path: string } | null> {
  const { week, userId } = job.payload as DigestEmailPayload;
  const { mailer, settings, clock } = services;
  if (mailer === null) return null;
  const { publicUrl } = settings;
  const email = await inSystem(services, async (tx) => {
    const reader = await findMailRecipient(tx, job.workspaceId, userId);
    if (!reader) return null;
    const digest = await loadDigest(tx, job.workspaceId, { week, today: utcDayOf(clock.now()) });
    return {
      ...digestEmail(reader.email, digest, { workspace: reader.workspace, publicUrl }),
      id: mailIdOf(job.id, { to: reader.email, publicUrl }),
    };
  });
  if (email) await mailer.send(email, { asJob: true });
  return { path: `/digests/weekly?week=${week}` };
}
