import type { Config } from '#config/env.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import { failure, ok, skipped, warning, type Finding } from '../finding.ts';
import type { Readings, RedisReading } from '../readings.ts';

const fullShare = 0.95;

/** The Redis at LIMITS_URL, which counts sign-in attempts and requests for several processes. */
export function checkLimits({ config, limits }: Readings): Finding[] {
  if (limits === null) return [skipped('limits', describeOther(config))];
  if ('reason' in limits)
    return [
      failure(
        'limits',
        `The Redis at LIMITS_URL does not respond: ${limits.reason}`,
        'Start it, and compare host, port and password with LIMITS_URL. Until then each process ' +
          'counts alone.',
      ),
    ];
  const findings = [...checkWrites(limits), ...checkDelay(config, limits)];
  if (findings.length > 0) return findings;
  return [ok('limits', `${limits.name} ${limits.version} at LIMITS_URL responds.`)];
}

function describeOther({ QUEUE_URL, DATABASE_URL }: Config): string {
  const where =
    QUEUE_URL !== null
      ? 'in the Redis at QUEUE_URL'
      : DATABASE_URL !== null
        ? 'in the database'
        : 'in memory';
  return `LIMITS_URL is not set: attempts and requests are counted ${where}.`;
}

type Facts = Exclude<RedisReading, { reason: string }>;

/** A full Redis that evicts nothing refuses to count, and so does one with a full disk. */
function checkWrites({ policy, canPersist, isReplica, usedBytes, capBytes }: Facts): Finding[] {
  if (!canPersist)
    return [
      failure(
        'limits',
        'The Redis at LIMITS_URL could not write to its disk, and refuses every write.',
        'Free space on its disk, or read its log for another cause. Until then each process ' +
          'counts alone.',
      ),
    ];
  if (isReplica)
    return [
      failure(
        'limits',
        'The Redis at LIMITS_URL is a replica, so each process counts alone.',
        'Set LIMITS_URL to its primary.',
      ),
    ];
  if (policy !== 'noeviction' || usedBytes < capBytes * fullShare) return [];
  return [
    failure(
      'limits',
      `The Redis at LIMITS_URL is full: ${formatBytes(usedBytes)} of ${formatBytes(capBytes)}.`,
      'Use one of its own instead of the queue’s, or raise its maxmemory.',
    ),
  ];
}

function checkDelay({ LIMITS_TIMEOUT_MS: timeoutMs }: Config, { roundTripMs }: Facts): Finding[] {
  if (roundTripMs <= timeoutMs) return [];
  return [
    warning(
      'limits',
      `The Redis at LIMITS_URL responds after ${Math.ceil(roundTripMs)} ms, and requests wait ` +
        `${timeoutMs} ms for it, so each process counts alone.`,
      'Move it closer, or raise LIMITS_TIMEOUT_MS.',
    ),
  ];
}
