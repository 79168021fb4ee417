import { doChore } from '../domain/chores/do-chore.ts';
import type { ChoreKind } from '../domain/ports.ts';
import type { CheckServices } from '../domain/rankings/check-market.ts';
import type { StoreWork } from '../domain/runs/dispatch.ts';
import type { Job } from './job.ts';

type Work = Extract<StoreWork, { kind: 'chore' }>;

const priorities: Record<ChoreKind, number> = { reviews: 40, page: 41, chart: 50, hints: 60 };

/** A review feed, a page, a chart or a hint search. */
export const chore: Job<Work, CheckServices> = {
  kind: 'chore',
  idOf: (work) => `chore_${work.choreId}_${work.day}_${work.attempt}${work.urgent ? '_u' : ''}`,
  priorityOf: (work) => (work.urgent ? 3 : priorities[work.chore]),
  run: async (services, work, signal) => {
    await doChore(services, work, { signal, lane: work.urgent ? 'interactive' : 'run' });
  },
};
