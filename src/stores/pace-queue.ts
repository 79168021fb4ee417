import type { StoreRequestOptions } from '#domain/base/ports.ts';

export type Lane = StoreRequestOptions['lane'];

interface Waiter<Grant> {
  resolve: (grant: Grant) => void;
  reject: (error: unknown) => void;
}

/** The waiters for a grant: interactive work first, then in order of arrival. */
export interface PaceQueue<Grant> {
  readonly length: number;
  join(waiter: {
    lane: Lane;
    signal: AbortSignal;
    maxWaitMs: number | null;
    tooLong: () => Error;
  }): Promise<Grant>;
  /** Gives the grant to the first waiter; false without any. */
  serve(grant: Grant): boolean;
  rejectAll(error: unknown): void;
}

export function createPaceQueue<Grant>(): PaceQueue<Grant> {
  // Sets keep the order of arrival and remove a leaving waiter in one step.
  const lanes: Record<Lane, Set<Waiter<Grant>>> = { interactive: new Set(), run: new Set() };
  const all = () => [...lanes.interactive, ...lanes.run];

  return {
    get length() {
      return lanes.interactive.size + lanes.run.size;
    },
    join: ({ lane, signal, maxWaitMs, tooLong }) =>
      new Promise<Grant>((resolve, reject) => {
        signal.throwIfAborted();
        const leave = () => {
          lanes[lane].delete(waiter);
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        const waiter: Waiter<Grant> = {
          resolve: (grant) => (leave(), resolve(grant)),
          reject: (error) => (
            leave(),
            reject(error instanceof Error ? error : new Error(String(error)))
          ),
        };
        const onAbort = () => waiter.reject(signal.reason);
        const timer =
          maxWaitMs === null ? undefined : setTimeout(() => waiter.reject(tooLong()), maxWaitMs);
        signal.addEventListener('abort', onAbort, { once: true });
        lanes[lane].add(waiter);
      }),
    serve(grant) {
      for (const lane of [lanes.interactive, lanes.run]) {
        for (const waiter of lane) {
          waiter.resolve(grant);
          return true;
        }
      }
      return false;
    },
    rejectAll(error) {
      for (const waiter of all()) waiter.reject(error);
    },
  };
}
