import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isLargeWorkspace } from '#domain/base/budget/is-large-workspace.ts';
import { AppError } from '#domain/base/errors.ts';
import { createFairLimit } from '#lib/fair-limit.ts';
import { pathOf } from '../path-of.ts';
import { HtmlPage, SerializedJson } from '../route.ts';
import { acquireSlot } from './acquire-slot.ts';
import type { HeavyError, HeavyRead, HeavyReads, HeavyResult, OpenedExport } from './heavy-read.ts';

const knownMs = 60_000;

export interface HeavyReadRunner {
  /** Calls `work` here for a small workspace; another thread reads a large one, and every one with
   * a replica. */
  run(request: FastifyRequest, input: HeavyInput, work: () => Promise<unknown>): Promise<unknown>;
  /**
   * Opens an export of a large workspace in a thread; null for a small one. Its slot is that of
   * `exportSlots`.
   */
  openExport(
    request: FastifyRequest,
    input: Pick<HeavyInput, 'params' | 'query'>,
  ): Promise<OpenedExport | null>;
}

interface HeavyInput {
  params: unknown;
  query: unknown;
  body: unknown;
  signal: AbortSignal;
}

/**
 * One heavy read of a workspace runs at a time, and as many of all as there are threads,
 * round-robin over the workspaces. Without threads everything runs here.
 */
export function createHeavyReadRunner(heavyReads: HeavyReads | null): HeavyReadRunner {
  const limit = createFairLimit({ total: 2, perKey: 1, maxWaitingPerKey: 16 });
  const sizes = new LRUCache<number, boolean>({ max: 10_000, ttl: knownMs });

  const needsThread = async (request: FastifyRequest): Promise<boolean> =>
    heavyReads?.servesEveryWorkspace === true || (await isLarge(request));
  const isLarge = async ({ server, identity }: FastifyRequest): Promise<boolean> => {
    const { workspaceId } = identity!;
    const known = sizes.get(workspaceId);
    if (known !== undefined) return known;
    const isLargeNow = await isLargeWorkspace(server.api.services, workspaceId);
    sizes.set(workspaceId, isLargeNow);
    return isLargeNow;
  };

  return {
    async run(request, { signal, ...input }, work) {
      const release = await acquireSlot(limit, request.identity!.workspaceId, signal);
      try {
        if (heavyReads === null || !(await needsThread(request))) return await work();
        return toOutcome(await heavyReads.run(toHeavyRead(request, input), signal));
      } finally {
        release();
      }
    },
    async openExport(request, input) {
      if (heavyReads === null || !(await needsThread(request))) return null;
      const read = toHeavyRead(request, { ...input, body: undefined });
      const opened = await heavyReads.openExport(read);
      if (opened.kind === 'error') throw toAppError(opened);
      return opened;
    },
  };
}

function toHeavyRead(request: FastifyRequest, input: Omit<HeavyInput, 'signal'>): HeavyRead {
  const { identity, routeOptions, server } = request;
  const nowMs = server.api.services.clock.now().getTime();
  const { key } = routeOptions.config;
  return { key: key!, path: pathOf(request), identity: identity!, nowMs, ...input };
}

function toOutcome(result: HeavyResult): HtmlPage | SerializedJson {
  if (result.kind === 'error') throw toAppError(result);
  return result.kind === 'html'
    ? new HtmlPage(result.html)
    : new SerializedJson(Buffer.from(result.bytes.buffer));
}

const toAppError = ({ code, message, detail }: HeavyError): AppError =>
  new AppError(code, message, detail);
