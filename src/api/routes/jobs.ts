import { jobs } from '../../contract/jobs.ts';
import { readBudget } from '../../domain/budget/read-budget.ts';
import { simulateBudget } from '../../domain/budget/simulate.ts';
import { cancelJob, retryJob } from '../../domain/jobs/change-job.ts';
import { getJob } from '../../domain/jobs/get-job.ts';
import { listJobs } from '../../domain/jobs/list-jobs.ts';
import { routesOf } from '../route.ts';

export const jobsRoutes = routesOf(jobs, {
  'GET /jobs': ({ ctx, query }) => listJobs(ctx, query),
  'GET /jobs/{jobId}': ({ ctx, params }) => getJob(ctx, params.jobId),
  'POST /jobs/{jobId}/retry': ({ ctx, params }) => retryJob(ctx, params.jobId),
  'POST /jobs/{jobId}/cancel': ({ ctx, params }) => cancelJob(ctx, params.jobId),
  'GET /jobs/budget': ({ ctx }) => readBudget(ctx),
  'POST /jobs/budget/simulate': ({ ctx, body }) => simulateBudget(ctx, body),
});
