import { storeTaskKinds, type StoreName, type StoreTaskKind } from '#domain/base/ports.ts';
import type { UtcDay } from '#lib/dates.ts';

/** `traceparent` of the request that waits for it. */
interface Traced {
  traceparent?: string;
}

interface OfDay extends Traced {
  store: StoreName;
  /** The day the work was planned for; an outcome soon after midnight still belongs to it. */
  day: UtcDay;
}

interface Attempted extends OfDay {
  /** Failed attempts of this day so far. */
  attempt: number;
}

/** A job of a store's queue: ids of rows, never their content. */
export type StoreWork =
  | (Attempted & { kind: 'store-probe'; provider: string })
  | (Attempted & { kind: 'rank-check'; marketId: number; urgent: boolean })
  | (OfDay & { kind: 'app-refresh'; country: string; listingIds: number[]; urgent: boolean })
  | (OfDay & { kind: 'listing-names'; country: string; device: string; listingIds: number[] })
  | (Attempted & {
      kind: 'store-task';
      task: StoreTaskKind;
      storeTaskId: number;
      urgent: boolean;
    });

/** All kinds of work of a day's run. */
export const plannedKinds = [
  'store-probe',
  'rank-check',
  'app-refresh',
  'listing-names',
  ...storeTaskKinds,
] as const;
export type PlannedKind = (typeof plannedKinds)[number];

export const plannedKindOf = (work: StoreWork): PlannedKind =>
  work.kind === 'store-task' ? work.task : work.kind;

/** The queues of work that is no work of a store's day. */
export const rowQueues = ['background', 'transfers', 'country-scores', 'deliveries'] as const;
export type RowQueue = (typeof rowQueues)[number];

/**
 * Work of these queues: the id of its row. Jobs run in the order of their rounds, which number
 * those of a workspace.
 */
export type BackgroundWork = Traced &
  (
    | { kind: 'job'; jobId: number; round?: number }
    | { kind: 'delivery'; deliveryId: number; attempt: number }
  );

/** Puts jobs on the queues. Both methods throw when the queue store is full or unavailable. */
export interface Dispatcher {
  send(store: StoreName, work: StoreWork[]): Promise<void>;
  sendBackground(queue: RowQueue, work: BackgroundWork[]): Promise<void>;
}
