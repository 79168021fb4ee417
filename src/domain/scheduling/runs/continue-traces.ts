import {
  listTracesOfJobs,
  listTracesOfParts,
  type TracedPart,
} from '#db/queries/jobs/job-traces.ts';
import type { TakenJob } from '#db/queries/jobs/background-jobs.ts';
import type { Services } from '#domain/base/context.ts';
import { currentTracer } from '#lib/tracing.ts';
import type { BackgroundWork, StoreWork } from './store-work.ts';

/**
 * Adds the traces of the requests that wait for urgent store work. Work without one, such as that
 * of the day's run, gets none. A failed lookup costs the traces and not the work.
 */
export async function continueStoreTraces(
  { systemDb, log }: Services,
  work: readonly StoreWork[],
): Promise<StoreWork[]> {
  const urgent = work.filter((item) => 'urgent' in item && item.urgent);
  if (currentTracer() === null || urgent.length === 0) return [...work];
  const parts = urgent.flatMap(partsOf);
  const idsOf = (requested: TracedPart) =>
    parts.filter(({ kind }) => kind === requested).map(({ id }) => id);
  const found = await listTracesOfParts(systemDb, {
    marketIds: idsOf('market'),
    listingIds: idsOf('listing'),
    storeTaskIds: idsOf('store-task'),
  }).catch((error: unknown) => {
    log.debug({ error: (error as Error).message }, 'traces of store work could not be read');
    return [];
  });
  const traces = new Map(found.map(({ kind, id, traceparent }) => [`${kind} ${id}`, traceparent]));
  return work.map((item) =>
    withTrace(
      item,
      partsOf(item)
        .map(({ kind, id }) => traces.get(`${kind} ${id}`))
        .find((trace) => trace !== undefined),
    ),
  );
}

/** Adds the traces of the requests that accepted background jobs. */
export async function continueJobTraces(
  { systemDb, log }: Services,
  taken: readonly TakenJob[],
): Promise<BackgroundWork[]> {
  const traces =
    currentTracer() === null
      ? new Map<number, string>()
      : await listTracesOfJobs(
          systemDb,
          taken.map(({ id }) => id),
        ).catch((error: unknown) => {
          log.debug({ error: (error as Error).message }, 'traces of jobs could not be read');
          return new Map<number, string>();
        });
  return taken.map(({ id, round }) =>
    withTrace({ kind: 'job', jobId: id, round } as const, traces.get(id)),
  );
}

function withTrace<Work extends StoreWork | BackgroundWork>(
  work: Work,
  traceparent: string | undefined,
): Work {
  return traceparent === undefined ? work : { ...work, traceparent };
}

function partsOf(work: StoreWork): { kind: TracedPart; id: number }[] {
  switch (work.kind) {
    case 'rank-check':
      return [{ kind: 'market', id: work.marketId }];
    case 'app-refresh':
      return work.listingIds.map((id) => ({ kind: 'listing', id }));
    case 'store-task':
      return [{ kind: 'store-task', id: work.storeTaskId }];
    default:
      return [];
  }
}
