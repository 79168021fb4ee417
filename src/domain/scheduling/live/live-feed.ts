import { setTimeout as sleep } from 'node:timers/promises';
import { readSnapshot } from '#db/queries/live/live-states.ts';
import type { Services } from '#domain/base/context.ts';
import { encodeLiveState, readLiveStates, type LiveState } from './live-state.ts';

/** The changes of workspaces as this process sees them in the database, whoever made them. */
export interface LiveFeed {
  /** Calls back with each new state, until the returned function is called. */
  subscribe(workspaceId: number, listener: (state: LiveState) => void): () => void;
  close(): void;
}

const pollMs = 1_500;
const afterFailureMs = 5_000;
/** Reading the states takes at most this share of the time of one connection. */
const loadMax = 0.1;

/**
 * Polls only while somebody listens, and reads the states of their workspaces only when anything
 * was written since the last poll.
 */
export function createLiveFeed(services: Pick<Services, 'systemDb' | 'clock' | 'log'>): LiveFeed {
  const listeners = new Map<number, Set<(state: LiveState) => void>>();
  const known = new Map<number, string>();
  let polling: AbortController | null = null;

  const notify = (workspaceId: number, state: LiveState) => {
    const id = encodeLiveState(state);
    if (known.get(workspaceId) === id || !listeners.has(workspaceId)) return;
    known.set(workspaceId, id);
    for (const listener of listeners.get(workspaceId) ?? []) listener(state);
  };
  let snapshot: string | null = null;
  /** The pause before the next poll. */
  const poll = async (): Promise<number> => {
    const seen = await readSnapshot(services.systemDb);
    const ids = [...listeners.keys()];
    if (seen === snapshot && ids.every((id) => known.has(id))) return pollMs;
    const startedAtMs = performance.now();
    for (const [id, state] of await readLiveStates(services, ids)) notify(id, state);
    snapshot = seen;
    return Math.max(pollMs, (performance.now() - startedAtMs) / loadMax);
  };
  const run = async ({ signal }: AbortController) => {
    while (!signal.aborted) {
      const pauseMs = await poll().catch((error: unknown) => {
        services.log.debug({ error: (error as Error).message }, 'live updates failed, will retry');
        return afterFailureMs;
      });
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };
  const stop = () => {
    polling?.abort();
    polling = null;
  };
  return {
    subscribe(workspaceId, listener) {
      const own = listeners.get(workspaceId) ?? new Set();
      listeners.set(workspaceId, own.add(listener));
      // The state that the listener knows may be older than the one that was seen last.
      known.delete(workspaceId);
      if (polling === null) {
        polling = new AbortController();
        void run(polling);
      }
      return () => {
        own.delete(listener);
        if (own.size > 0 || listeners.get(workspaceId) !== own) return;
        listeners.delete(workspaceId);
        known.delete(workspaceId);
        if (listeners.size === 0) stop();
      };
    },
    close: stop,
  };
}
