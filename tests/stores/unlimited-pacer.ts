import type { Grant, Pacer } from '#stores/index.ts';

/** For tests without pacing: every grant at once. It records what is reported to it. */
export function createUnlimitedPacer() {
  const refusals: { marker: string; retryAfterMs: number | null }[] = [];
  const counts = { requests: 0, bytes: 0, refused: 0, granted: 0, succeeded: 0 };
  const pacer: Pacer = {
    acquire: async (store, { signal }): Promise<Grant> => {
      signal.throwIfAborted();
      counts.granted++;
      return { store, host: '', endpoint: 'direct', atUs: 0, strikes: 0 };
    },
    refused: async (_grant, refusal) => void refusals.push(refusal),
    succeeded: () => void counts.succeeded++,
    counted: (_store, _kind, counted) => {
      counts.requests += counted.requests;
      counts.bytes += counted.bytes;
      counts.refused += counted.refused;
    },
  };
  return { pacer, refusals, counts };
}
