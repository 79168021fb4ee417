import { findDigestReader } from '../../db/queries/digests.ts';
import { utcDayOf, type UtcDay } from '../../lib/dates.ts';
import { inSystem, type Services } from '../context.ts';
import type { HouseJobRow } from '../jobs/house-work.ts';
import { digestLetter } from './digest-letter.ts';
import { readDigest } from './read-digest.ts';

export interface DigestMail {
  week: UtcDay;
  userId: number;
}

/** Mails a week's digest to somebody who is still a member. Throws when the mail server did not take it. */
export async function mailDigest(
  services: Services,
  job: HouseJobRow,
): Promise<{ path: string } | null> {
  const { week, userId } = job.payload as DigestMail;
  const { mailer, settings, clock } = services;
  if (mailer === null) return null;
  const letter = await inSystem(services, async (tx) => {
    const reader = await findDigestReader(tx, job.workspaceId, userId);
    if (!reader) return null;
    const digest = await readDigest(tx, job.workspaceId, { week, today: utcDayOf(clock.now()) });
    return digestLetter(reader.email, digest, {
      workspace: reader.workspace,
      publicUrl: settings.publicUrl,
    });
  });
  if (letter) await mailer.send(letter);
  return { path: `/digests/weekly?week=${week}` };
}
