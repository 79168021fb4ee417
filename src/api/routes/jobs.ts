import { jobs } from '#contract/jobs.ts';
import { getBudget } from '#domain/base/budget/get-budget.ts';
import { simulateBudget } from '#domain/base/budget/simulate-budget.ts';
import { cancelJob, retryJob } from '#domain/base/jobs/retry-job.ts';
import { getJob } from '#domain/base/jobs/get-job.ts';
import { listJobs } from '#domain/base/jobs/list-jobs.ts';
import { routesOf } from '../route.ts';

export const jobsRoutes = routesOf(jobs, {
  'GET /jobs': ({ ctx, query }) => listJobs(ctx, query),
  'GET /jobs/{jobId}': ({ ctx, params }) => getJob(ctx, params.jobId),
  'POST /jobs/{jobId}/retry': ({ ctx, params }) => retryJob(ctx, params.jobId),
  'POST /jobs/{jobId}/cancel': ({ ctx, params }) => cancelJob(ctx, params.jobId),
  'GET /jobs/budget': ({ ctx }) => getBudget(ctx),
  'POST /jobs/budget/simulate': ({ ctx, body }) => simulateBudget(ctx, body),
});
