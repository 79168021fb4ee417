import { mailDigest } from '../domain/digests/mail-digest.ts';
import type { HouseJob } from '../domain/jobs/house-work.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A week's digest by mail, to one person. A server that is away, or puts off whom it does not know, is asked for a day. */
export const digestMail: HouseJob = {
  kind: 'digest-mail',
  run: mailDigest,
  waitsMs: [5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs, 15 * hourMs],
};
