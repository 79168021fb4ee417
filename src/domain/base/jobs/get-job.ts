import type { z } from 'zod';
import type { job } from '#contract/jobs.ts';
import { findJobRow, type JobRow } from '#db/queries/jobs/job-list.ts';
import type { StoredPart } from '#db/queries/jobs/job-parts.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';

export type JobRecord = z.input<typeof job>;

/** A job of this workspace. Throws not_found. */
export function getJob(ctx: Ctx, jobId: number): Promise<JobRecord> {
  return inTenant(ctx, async (tx) => {
    const row = await findJobRow(tx, ctx.workspaceId, jobId);
    if (!row) throw notFound();
    return toJob(row);
  });
}

export function toJob(row: JobRow): JobRecord {
  return {
    id: Number(row.id),
    kind: row.kind,
    state: row.state,
    appId: row.appId,
    attempts: row.attempts,
    progress: progressOf(row),
    parts: row.parts.map((part) => toPart(row, part)),
    error: row.error,
    queuedAt: row.queuedAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    result: row.state === 'succeeded' ? resultOf(row) : null,
  };
}

/**
 * Counts over all markets of the job. A market that another workspace's search had already
 * completed counts as done only once the job has started, so that the numbers reveal nothing about
 * other workspaces.
 */
function progressOf(row: JobRow): JobRecord['progress'] {
  const total = row.kind === 'first-check' ? Math.max(row.total, row.markets) : row.total;
  return { done: row.state === 'queued' ? 0 : total - (row.total - row.done), total };
}

function toPart({ state }: JobRow, { until, ...part }: StoredPart): JobRecord['parts'][number] {
  const awaitedUntil = until === null ? null : new Date(until).toISOString();
  const counts = state === 'queued' ? { done: 0, missing: 0 } : {};
  return { ...part, ...counts, awaitedUntil };
}

/** The address of the result, as the worker stored it or derived from the kind of work. */
function resultOf({ kind, appId, result }: JobRow): { path: string } | null {
  if (result !== null) return result;
  if (appId === null) return null;
  const paths: Partial<Record<JobRow['kind'], string>> = {
    'first-check': `/apps/${appId}/keywords`,
    'run-daily': `/apps/${appId}/rankings`,
    'keyword-check': `/apps/${appId}/rankings`,
    'app-refresh': `/apps/${appId}`,
    'review-sync': `/apps/${appId}/reviews`,
    score: `/apps/${appId}/keywords`,
  };
  const path = paths[kind];
  return path === undefined ? null : { path };
}
