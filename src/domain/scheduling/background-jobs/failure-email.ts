import type { BackgroundJobKind } from '#db/queries/jobs/jobs.ts';
import type { Mail } from '#domain/base/ports.ts';

const works: Record<BackgroundJobKind, string> = {
  recompute: 'scoring keywords',
  'country-scores': 'scoring phrases in countries',
  'actions-run': 'finding actions',
  export: 'an export',
  import: 'an import',
  'popularity-import': 'the import of published popularity',
  'history-check': 'the check of a history of another tool',
  'history-import': 'the import of a history of another tool',
  redeliver: 'sending deliveries again',
  'digest-mail': 'the email with the weekly digest',
  'failure-mail': 'an email about a failure',
};

/** The email to an owner about work that failed for good. Pure. */
export function failureEmail(
  to: string,
  failed: { jobId: number; kind: BackgroundJobKind; error: string; failedAt: Date },
  { workspace, publicUrl }: { workspace: string; publicUrl: string | null },
): Mail {
  const work = works[failed.kind];
  const page = 'the page “Runs”, under “Jobs”';
  return {
    to,
    subject: `${workspace}: ${work} failed on Toprung`.replace(/\p{Cc}+/gu, ' '),
    text: [
      `In the workspace “${workspace}”, ${work} failed at ${failed.failedAt.toISOString()}: ` +
        `${failed.error}.`,
      publicUrl === null
        ? `To try again, open ${page}: job ${failed.jobId} has a button “Try again”.`
        : `To try again, open ${page}: ${publicUrl}/runs?tab=jobs&state=failed`,
      'This is the only email about this job. Nothing else is affected: positions are checked ' +
        'as usual.',
    ].join('\n\n'),
  };
}
