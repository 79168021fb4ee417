import type { CheckServices } from '../domain/rankings/check-market.ts';
import type { StoreWork } from '../domain/runs/dispatch.ts';
import { appRefresh } from './app-refresh.ts';
import { canary } from './canary.ts';
import { chore } from './chore.ts';
import type { Job } from './job.ts';
import { rankCheck } from './rank-check.ts';

type AnyJob = Job<StoreWork, CheckServices>;

/** The table of jobs. A kind of work without exactly one row here stops the boot. */
export const jobTable: readonly AnyJob[] = [rankCheck, appRefresh, canary, chore];

/** Every kind the domain hands over; the compiler holds this list to the union. */
const kinds = Object.keys({
  'rank-check': 1,
  'app-refresh': 1,
  canary: 1,
  chore: 1,
} satisfies Record<StoreWork['kind'], 1>);

export function checkJobs(table: readonly { kind: string }[] = jobTable): void {
  for (const kind of kinds) {
    const count = table.filter((job) => job.kind === kind).length;
    if (count !== 1)
      throw new Error(
        `job ${kind} has ${count} handlers; it needs exactly one row in src/jobs/index.ts`,
      );
  }
  const unknown = table.find((job) => !kinds.includes(job.kind));
  if (unknown) throw new Error(`job ${unknown.kind} is in the table and nothing hands it over`);
}

export function findJob(kind: string): AnyJob {
  const job = jobTable.find((candidate) => candidate.kind === kind);
  if (!job) throw new Error(`no job ${kind}`);
  return job;
}
