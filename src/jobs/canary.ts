import type { CheckServices } from '../domain/rankings/check-market.ts';
import type { StoreWork } from '../domain/runs/dispatch.ts';
import { tryCanary } from '../domain/runs/try-canary.ts';
import type { Job } from './job.ts';

type Work = Extract<StoreWork, { kind: 'canary' }>;

/** The known search that goes before a store's batch. */
export const canary: Job<Work, CheckServices> = {
  kind: 'canary',
  idOf: (work) => `canary_${work.store}_${work.day}_${work.attempt}`,
  priorityOf: () => 10,
  run: async (services, work, signal) => {
    await tryCanary(services, work, { signal, lane: 'run' });
  },
};
