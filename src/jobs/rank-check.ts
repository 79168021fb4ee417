import { checkMarket, type CheckServices } from '../domain/rankings/check-market.ts';
import type { StoreWork } from '../domain/runs/dispatch.ts';
import type { Job } from './job.ts';

type Work = Extract<StoreWork, { kind: 'rank-check' }>;

/** One search of one market. */
export const rankCheck: Job<Work, CheckServices> = {
  kind: 'rank-check',
  idOf: (work) => `rank_${work.marketId}_${work.day}_${work.attempt}${work.urgent ? '_u' : ''}`,
  priorityOf: (work) => (work.urgent ? 1 : 20),
  run: async (services, work, signal) => {
    await checkMarket(services, work, { signal, lane: work.urgent ? 'interactive' : 'run' });
  },
};
