import type { z } from 'zod';
import type { jobs } from '#contract/jobs.ts';
import { countJobs, listJobRows } from '#db/queries/jobs/job-list.ts';
import { inTenant, type Ctx } from '../context.ts';
import { readIdCursor, writeCursor } from '../cursor.ts';
import { toJob } from './get-job.ts';

type Operation = (typeof jobs)['GET /jobs'];
export type JobList = z.input<Operation['responses'][200]>;

/** Lists the jobs of this workspace, newest first. */
export function listJobs(ctx: Ctx, query: z.output<Operation['query']>): Promise<JobList> {
  return inTenant(ctx, async (tx) => {
    const { kind, state, appId, limit } = query;
    const before =
      query.cursor === undefined
        ? null
        : readIdCursor('jobs', query.cursor, Number.MAX_SAFE_INTEGER);
    const rows = await listJobRows(tx, ctx.workspaceId, {
      kind,
      state,
      appId,
      before,
      limit: limit + 1,
    });
    const page = rows.slice(0, limit);
    return {
      items: page.map(toJob),
      nextCursor: rows.length > limit ? writeCursor('jobs', [Number(page.at(-1)!.id)]) : null,
      total: await countJobs(tx, ctx.workspaceId, { kind, state, appId }),
    };
  });
}
