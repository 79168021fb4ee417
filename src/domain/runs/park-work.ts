import { deferCheck, parkWork, settleWithGap } from '../../db/queries/checks.ts';
import { deferChore, settleChoreWithGap } from '../../db/queries/chores.ts';
import { settleListings } from '../../db/queries/listing-schedule.ts';
import type { Services } from '../context.ts';
import { recountWhenOver } from './count-days.ts';
import type { StoreWork } from './dispatch.ts';
import { nextTry } from './next-try.ts';

export interface QueuedWork {
  queue: string;
  jobId: string;
  data: object;
}

/**
 * Work that took its worker with it five times is kept for a person to look at; its day gets a gap, not another try. What only
 * failed five times is tried again later, as after an answer that was not understood: a database may have been away.
 */
export async function parkStoreWork(
  services: Services,
  work: StoreWork,
  queued: QueuedWork,
  reason: 'crashed' | 'failed',
): Promise<void> {
  await parkWork(services.systemDb, queued);
  if (reason === 'failed' && (await tryLater(services, work))) return;
  if (work.kind === 'rank-check') {
    await settleWithGap(services.systemDb, {
      marketId: work.marketId,
      day: work.day,
      marker: 'crashed',
    });
    await recountWhenOver(services, work.day);
  }
  if (work.kind === 'app-refresh')
    await settleListings(services.systemDb, { ...work, read: false, marker: 'crashed' });
  if (work.kind === 'chore')
    await settleChoreWithGap(services.systemDb, {
      choreId: work.choreId,
      day: work.day,
      marker: 'crashed',
    });
}

/** False where no try is left. */
async function tryLater(services: Services, work: StoreWork): Promise<boolean> {
  if (work.kind !== 'rank-check' && work.kind !== 'chore') return false;
  const marker = 'failed';
  const decision = nextTry(
    { failure: 'unreadable', marker, retryAfterMs: null, cost: { requests: 1, bytes: 0, ms: 0 } },
    work.attempt,
    services.clock.now(),
  );
  if (decision.kind === 'give-up') return false;
  const later = { day: work.day, attempts: decision.attempts, retryAt: decision.at, marker };
  if (work.kind === 'chore')
    await deferChore(services.systemDb, { choreId: work.choreId, ...later });
  else await deferCheck(services.systemDb, { marketId: work.marketId, ...later });
  return true;
}
