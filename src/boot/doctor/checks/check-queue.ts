import { formatBytes } from '#lib/format-bytes.ts';
import { bytesPerJob, capBytes } from '#queue/postgres.ts';
import type { RedisFacts } from '#queue/read-redis-facts.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings } from '../readings.ts';

const warnShare = 0.8;
/** New work is refused from here on. */
const fullShare = 0.95;

export function checkQueue({ database, redis }: Readings): Finding[] {
  if (redis !== null)
    return 'reason' in redis
      ? [
          failure(
            'queue',
            `The Redis at QUEUE_URL does not respond: ${redis.reason}`,
            'Start it, and compare host, port and password with QUEUE_URL.',
          ),
        ]
      : checkRedis(redis);
  if (database.state !== 'running')
    return [skipped('queue', 'The queue is in the database, which could not be read.')];
  const { queueJobs } = database.server;
  if (queueJobs === null)
    return [skipped('queue', 'The queue does not exist yet. The first start creates it.')];
  return [checkUsage(`${queueJobs} jobs in PostgreSQL`, queueJobs * bytesPerJob, capBytes)];
}

function checkRedis(redis: RedisFacts): Finding[] {
  const { policy, hasAppendOnlyFile, canPersist, isReplica, usedBytes, capBytes: cap } = redis;
  const findings: Finding[] = [checkUsage(`${redis.name} ${redis.version}`, usedBytes, cap)];
  if (policy !== 'noeviction')
    findings.push(
      failure(
        'queue',
        `The Redis at QUEUE_URL has maxmemory-policy ${policy} and would drop jobs.`,
        'Set maxmemory-policy noeviction in its configuration.',
      ),
    );
  if (!canPersist)
    findings.push(
      failure(
        'queue',
        'The Redis at QUEUE_URL could not write to its disk, and refuses every write.',
        'Free space on its disk, or read its log for another cause. Work continues by itself.',
      ),
    );
  if (isReplica)
    findings.push(
      failure(
        'queue',
        'The Redis at QUEUE_URL is a replica, where jobs are refused or lost.',
        'Set QUEUE_URL to its primary.',
      ),
    );
  if (!hasAppendOnlyFile)
    findings.push(
      warning(
        'queue',
        'The Redis at QUEUE_URL has no append-only file, so a crash empties the queue until it ' +
          'is filled again.',
        'Set appendonly yes in its configuration.',
      ),
    );
  return findings;
}

function checkUsage(name: string, usedBytes: number, cap: number): Finding {
  const message = `${name}: ${formatBytes(usedBytes)} of ${formatBytes(cap)} are used.`;
  const remedy = 'Let workers drain it: new work is refused from 95 % on.';
  if (usedBytes >= cap * fullShare) return failure('queue', message, remedy);
  return usedBytes >= cap * warnShare ? warning('queue', message, remedy) : ok('queue', message);
}
