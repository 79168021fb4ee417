import { parkWork, settleWithGap } from '../../db/queries/checks.ts';
import { settleChoreWithGap } from '../../db/queries/chores.ts';
import { settleListings } from '../../db/queries/schedule.ts';
import type { Services } from '../context.ts';
import { recountWhenOver } from './count-days.ts';
import type { StoreWork } from './dispatch.ts';

export interface QueuedWork {
  queue: string;
  jobId: string;
  data: object;
}

/** Work that took its worker with it five times is kept for a person to look at; its day gets a gap, not another try. */
export async function parkStoreWork(services: Services, work: StoreWork, queued: QueuedWork): Promise<void> {
  await parkWork(services.systemDb, queued);
  if (work.kind === 'rank-check') {
    await settleWithGap(services.systemDb, { marketId: work.marketId, day: work.day, marker: 'crashed' });
    await recountWhenOver(services, work.day);
  }
  if (work.kind === 'app-refresh') await settleListings(services.systemDb, { ...work, read: false, marker: 'crashed' });
  if (work.kind === 'chore') await settleChoreWithGap(services.systemDb, { choreId: work.choreId, day: work.day, marker: 'crashed' });
}
