import { queryOptions } from '@tanstack/react-query';
import { findReason } from '#contract/unexplained-failure.ts';
import { call, type ResponseOf, type Job } from '../api.ts';
import { isApiError } from '../describe-error.ts';

export type WorkspaceExport = ResponseOf<'GET /workspace/exports/{exportId}'> & {
  /** Why it failed, if that is known. */
  reason: string | null;
};

const pollIntervalMs = 1_500;
const looked = 20;
const exportPath = /^\/workspace\/exports\/(\d+)$/;

async function readExport(exportId: number, signal: AbortSignal): Promise<WorkspaceExport[]> {
  try {
    const made = await call('GET /workspace/exports/{exportId}', { params: { exportId } }, signal);
    return [{ ...made, reason: null }];
  } catch (error) {
    // It is expired or was replaced by newer ones.
    if (isApiError(error, 'not_found')) return [];
    throw error;
  }
}

/** Until it is written, an export is known only by its job. */
const ofJob = ({ id, state, queuedAt, error }: Job): WorkspaceExport => {
  const nothingYet = { expiresAt: null, rows: null, bytes: null, sha256: null, download: null };
  const reason = state === 'failed' ? findReason(error) : null;
  return { id, format: 'ndjson', state, createdAt: queuedAt, reason, ...nothingYet };
};

/** Exports that are in progress, failed or available, newest first. */
export const workspaceExportsQuery = queryOptions({
  queryKey: ['exports'],
  queryFn: async ({ signal }) => {
    const { items } = await call('GET /jobs', { query: { kind: 'export', limit: looked } }, signal);
    const read = items.map(async (job) => {
      const exportId = Number(exportPath.exec(job.result?.path ?? '')?.[1]);
      return exportId ? readExport(exportId, signal) : [ofJob(job)];
    });
    return (await Promise.all(read)).flat();
  },
  refetchInterval: ({ state }) =>
    state.data?.some((made) => made.state === 'queued' || made.state === 'running')
      ? pollIntervalMs
      : false,
});
