import { createHash } from 'node:crypto';
import type { CheckServices } from '../domain/rankings/check-market.ts';
import type { StoreWork } from '../domain/runs/dispatch.ts';
import { refreshListings } from '../domain/runs/refresh-listings.ts';
import type { Job } from './job.ts';

type Work = Extract<StoreWork, { kind: 'app-refresh' }>;

/** The listings of one country, read together where the store allows it. */
export const appRefresh: Job<Work, CheckServices> = {
  kind: 'app-refresh',
  idOf: (work) => {
    const listings = createHash('sha256').update(work.listingIds.join()).digest('hex').slice(0, 16);
    return `refresh_${work.country}_${work.day}_${listings}${work.urgent ? '_u' : ''}`;
  },
  priorityOf: (work) => (work.urgent ? 2 : 30),
  run: (services, work, signal) =>
    refreshListings(services, work, { signal, lane: work.urgent ? 'interactive' : 'run' }),
};
