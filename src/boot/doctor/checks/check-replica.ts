import { faultDescriptions } from '#db/replica/describe-fault.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

/** The server at DATABASE_READ_URL, compared with the one at DATABASE_URL. */
export function checkReplica({ config, replica }: Readings): Finding[] {
  if (config.DATABASE_READ_URL === null)
    return [
      skipped('replica', 'DATABASE_READ_URL is not set: heavy reads use the database itself.'),
    ];
  if (replica === null) return [skipped('replica', 'The database could not be read.')];
  if ('reason' in replica)
    return [
      skipped('replica', `The database could not be compared with its replica: ${replica.reason}.`),
    ];
  const { fault, lagBytes } = replica;
  if (fault === null)
    return [ok('replica', 'The replica at DATABASE_READ_URL has everything of the database.')];
  const { message, remedy, isMistake } = faultDescriptions[fault];
  const lag = fault === 'behind' ? ` ${formatBytes(lagBytes!)} are missing.` : '';
  const report = isMistake ? failure : warning;
  return [report('replica', `${message}${lag} Heavy reads use the primary.`, remedy)];
}
