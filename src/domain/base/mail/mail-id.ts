import { hash } from 'node:crypto';

/** The same for each attempt of a job to mail somebody, and unlike that of any other instance. */
export const mailIdOf = (
  jobId: number,
  { to, publicUrl }: { to: string; publicUrl: string | null },
) => hash('sha256', `${publicUrl} ${jobId} ${to}`).slice(0, 32);
