import type { HouseJob } from '../domain/jobs/house-work.ts';
import type { Services } from '../domain/context.ts';
import type { HouseWork } from '../domain/runs/dispatch.ts';
import { deliver } from '../domain/webhooks/deliver.ts';
import { runRedelivery } from '../domain/webhooks/redeliver.ts';

/** One attempt of a delivery; the row says whether it is still due. */
export function deliverWebhook(
  services: Services,
  work: Extract<HouseWork, { kind: 'delivery' }>,
  signal: AbortSignal,
): Promise<void> {
  return deliver(services, work.deliveryId, signal);
}

export const redeliver: HouseJob = { kind: 'redeliver', run: runRedelivery };
