import { doHouseJob, type HouseJob } from '../domain/jobs/house-work.ts';
import type { CheckServices } from '../domain/rankings/check-market.ts';
import type { HouseWork } from '../domain/runs/dispatch.ts';
import { actionsRun } from './actions-run.ts';
import { digestMail } from './digest-mail.ts';
import { exportJob } from './export.ts';
import { importJob } from './import.ts';
import { recompute } from './recompute.ts';
import { deliverWebhook, redeliver } from './webhook-delivery.ts';

/** The table of house work: what is accepted and asks no store. */
export const houseJobs: readonly HouseJob[] = [
  actionsRun,
  recompute,
  redeliver,
  digestMail,
  exportJob,
  importJob,
];

/** Does one piece of house work. */
export async function runHouseWork(
  services: CheckServices,
  work: HouseWork,
  signal: AbortSignal,
): Promise<void> {
  if (work.kind === 'job') await doHouseJob(services, houseJobs, work.jobId, signal);
  else await deliverWebhook(services, work, signal);
}
