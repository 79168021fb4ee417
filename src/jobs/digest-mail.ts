import { mailDigest } from '../domain/digests/mail-digest.ts';
import type { HouseJob } from '../domain/jobs/house-work.ts';

/** A week's digest by mail, to one person. */
export const digestMail: HouseJob = { kind: 'digest-mail', run: mailDigest };
