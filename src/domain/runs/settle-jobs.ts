import { settleJobs } from '../../db/queries/runs.ts';
import type { Services } from '../context.ts';

const lastIds = new WeakMap<Services, bigint>();

/** Each beat goes on where the last one stopped: accepted jobs that cannot progress yet keep none waiting that came after them. */
export async function settleOpenJobs(services: Services): Promise<void> {
  lastIds.set(
    services,
    await settleJobs(services.systemDb, services.clock.now(), lastIds.get(services)),
  );
}
