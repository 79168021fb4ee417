import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isLargeWorkspace } from '#domain/base/budget/is-large-workspace.ts';
import { AppError } from '#domain/base/errors.ts';
import { createFairLimit } from '#lib/fair-limit.ts';
import { HtmlPage, SerializedJson } from '../route.ts';
import { acquireSlot } from './acquire-slot.ts';
import type { HeavyReads, HeavyResult } from './heavy-read.ts';

const knownMs = 60_000;

export interface HeavyReadRunner {
  /** Calls `work` here for a small workspace; another thread does it for a large one. */
  run(request: FastifyRequest, input: HeavyInput, work: () => Promise<unknown>): Promise<unknown>;
}

interface HeavyInput {
  params: unknown;
  query: unknown;
  body: unknown;
  signal: AbortSignal;
}

/**
 * One heavy read of a workspace runs at a time, and as many of all as there are threads, in the
 * turns of the workspaces. Without threads everything runs here.
 */
export function createHeavyReadRunner(heavyReads: HeavyReads | null): HeavyReadRunner {
  const limit = createFairLimit({ total: 2, perKey: 1, maxWaitingPerKey: 16 });
  const sizes = new LRUCache<number, boolean>({ max: 10_000, ttl: knownMs });

  const isLarge = async ({ server, identity }: FastifyRequest): Promise<boolean> => {
    const { workspaceId } = identity!;
    const known = sizes.get(workspaceId);
    if (known !== undefined) return known;
    const isLargeNow = await isLargeWorkspace(server.api.services, workspaceId);
    sizes.set(workspaceId, isLargeNow);
    return isLargeNow;
  };

  return {
    async run(request, input, work) {
      const { signal, params, query, body } = input;
      const identity = request.identity!;
      const release = await acquireSlot(limit, identity.workspaceId, signal);
      try {
        if (heavyReads === null || !(await isLarge(request))) return await work();
        const key = request.routeOptions.config.key!;
        const nowMs = request.server.api.services.clock.now().getTime();
        const read = { key, identity, params, query, body, nowMs };
        return toOutcome(await heavyReads.run(read, signal));
      } finally {
        release();
      }
    },
  };
}

function toOutcome(result: HeavyResult): HtmlPage | SerializedJson {
  if (result.kind === 'error') throw new AppError(result.code, result.message, result.detail);
  return result.kind === 'html'
    ? new HtmlPage(result.html)
    : new SerializedJson(Buffer.from(result.bytes.buffer));
}
