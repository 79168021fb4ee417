import type { StoreRequestOptions } from '#domain/base/ports.ts';

export type Lane = StoreRequestOptions['lane'];

interface Waiter<Grant> {
  resolve: (grant: Grant) => void;
  reject: (error: unknown) => void;
}

/**
 * The waiters for a grant: interactive work first. Within a lane the workspaces are served
 * round-robin, and each one's waiters in order of arrival.
 */
export interface PaceQueue<Grant> {
  readonly length: number;
  join(waiter: {
    lane: Lane;
    /** Work for no single workspace counts as a workspace of its own. */
    workspaceId?: number | undefined;
    signal: AbortSignal;
    maxWaitMs: number | null;
    tooLong: () => Error;
  }): Promise<Grant>;
  /** Gives the grant to the first waiter; false without any. */
  serve(grant: Grant): boolean;
  rejectAll(error: unknown): void;
}

export function createPaceQueue<Grant>(): PaceQueue<Grant> {
  const lanes: Record<Lane, PaceLane<Waiter<Grant>>> = {
    interactive: createLane(),
    run: createLane(),
  };
  const inOrder = [lanes.interactive, lanes.run];

  return {
    get length() {
      return lanes.interactive.size() + lanes.run.size();
    },
    join: ({ lane, workspaceId = 0, signal, maxWaitMs, tooLong }) =>
      new Promise<Grant>((resolve, reject) => {
        signal.throwIfAborted();
        const leave = () => {
          lanes[lane].remove(workspaceId, waiter);
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
        lanes[lane].add(workspaceId, waiter);
      }),
    serve(grant) {
      const next = inOrder.find((lane) => lane.size() > 0)?.next();
      next?.resolve(grant);
      return next !== undefined;
    },
    rejectAll(error) {
      for (const waiter of inOrder.flatMap((lane) => lane.all())) waiter.reject(error);
    },
  };
}

interface PaceLane<Item> {
  size(): number;
  add(workspaceId: number, item: Item): void;
  remove(workspaceId: number, item: Item): void;
  /** The first item of the workspace that comes next, which then comes last. */
  next(): Item | undefined;
  all(): Item[];
}

function createLane<Item>(): PaceLane<Item> {
  // Maps and sets keep the order of arrival and remove a leaving waiter in one step.
  const workspaces = new Map<number, Set<Item>>();
  let size = 0;

  return {
    size: () => size,
    add(workspaceId, item) {
      const items = workspaces.get(workspaceId) ?? new Set<Item>();
      workspaces.set(workspaceId, items.add(item));
      size += 1;
    },
    remove(workspaceId, item) {
      const items = workspaces.get(workspaceId);
      if (!items?.delete(item)) return;
      size -= 1;
      if (items.size === 0) workspaces.delete(workspaceId);
    },
    next() {
      for (const [workspaceId, items] of workspaces) {
        workspaces.delete(workspaceId);
        workspaces.set(workspaceId, items);
        for (const item of items) return item;
      }
      return undefined;
    },
    all: () => [...workspaces.values()].flatMap((items) => [...items]),
  };
}
