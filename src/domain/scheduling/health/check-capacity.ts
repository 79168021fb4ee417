import { readDatabaseBytes } from '#db/queries/health/metrics.ts';
import type { Services } from '#domain/base/context.ts';

const warnShare = 0.8;
const pageShare = 0.9;

/**
 * Logs when the database or the queue store is nearly full. A size that cannot be read is ignored.
 */
export async function checkCapacity({
  systemDb,
  queueCapacity,
  settings,
  log,
}: Pick<Services, 'systemDb' | 'queueCapacity' | 'settings' | 'log'>): Promise<void> {
  const checkUsage = (
    alert: string,
    usedBytes: number | null,
    limitBytes: number,
    remedy: string,
  ) => {
    if (usedBytes === null || usedBytes < limitBytes * warnShare) return;
    const facts = {
      alert,
      usedBytes,
      limitBytes,
      percent: Math.floor((100 * usedBytes) / limitBytes),
    };
    if (usedBytes < limitBytes * pageShare) log.warn(facts, remedy);
    else log.error(facts, remedy);
  };
  const { diskBudgetBytes } = settings;
  if (diskBudgetBytes > 0) {
    const used = await readDatabaseBytes(systemDb).catch(() => null);
    checkUsage(
      'storage.headroom.low',
      used,
      diskBudgetBytes,
      'the database approaches DISK_BUDGET_BYTES: increase it, or track less',
    );
  }
  const used = await queueCapacity.usedBytes();
  checkUsage(
    'queue.memory.high',
    used,
    queueCapacity.capBytes,
    'the queue store is nearly full: at 95 % new work is rejected until workers have drained it',
  );
}
