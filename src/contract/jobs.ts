import { z } from 'zod';
import {
  bigId,
  bigIdText,
  country,
  id,
  instant,
  integerText,
  jobState,
  listOf,
  paging,
  perStore,
  storeName,
} from './common.ts';
import { jobKinds, jobPartKinds } from './choices.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const jobKind = z.enum(jobKinds).meta({ id: 'JobKind' });

const jobPart = z
  .strictObject({
    kind: z.enum(jobPartKinds),
    total: z.int(),
    done: z.int(),
    missing: z.int().meta({ description: 'Ended without a usable response; the day is a gap.' }),
    awaited: z.int().meta({
      description: 'Without an outcome so far, and tried again not before `awaitedUntil`.',
    }),
    reason: z.string().nullable().meta({
      description: 'The most frequent reason of missing and awaited work: the marker of a gap.',
    }),
    awaitedUntil: instant.nullable(),
  })
  .meta({ id: 'JobPart' });

export const job = z
  .strictObject({
    id: bigId,
    kind: jobKind,
    state: jobState,
    appId: id.nullable(),
    attempts: z.int().meta({
      description:
        'Attempts that ended, of a job that requested nothing from the stores. One that a ' +
        'restart interrupted is not counted.',
    }),
    progress: z.strictObject({ done: z.int(), total: z.int() }),
    parts: z.array(jobPart).meta({
      description:
        'The work that the job requested from the stores, by kind. A job is `failed` when none ' +
        'of it was done. It ends while work is awaited if other work was done, and still ' +
        'reports the outcome; otherwise it is `queued` until the next attempt.',
    }),
    error: z.string().nullable(),
    queuedAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    result: z.strictObject({ path: z.string() }).nullable(),
  })
  .meta({ id: 'Job' });

const storeLoad = z.strictObject({
  jobs: z.int(),
  requests: z.number(),
});

const fanOut = z
  .strictObject({
    store: storeName,
    kinds: z.strictObject({
      rankChecks: storeLoad.meta({ description: 'Searches of tracked markets; never shed.' }),
      appRefreshes: storeLoad.meta({
        description: 'Listings of apps and competitors in the countries of the apps.',
      }),
      probes: storeLoad.meta({ description: 'A known search before the batch.' }),
      reviews: storeLoad.meta({ description: 'Review feeds.' }),
      charts: storeLoad.meta({ description: 'Top charts, each read once for all apps.' }),
      pages: storeLoad.meta({
        description: 'App pages, in stores whose page shows more than the listing.',
      }),
      hints: storeLoad.meta({
        description: 'For new markets all of them at the next run; then a seventh per day.',
      }),
    }),
    requests: z
      .number()
      .meta({ description: 'For the next day, including one-time requests of new markets.' }),
    capacity: z.strictObject({
      requestsPerMinute: z.number().meta({ description: 'The store’s own pace, per endpoint.' }),
      hosts: z
        .array(z.strictObject({ host: z.string(), requestsPerMinute: z.number() }))
        .meta({ description: 'Hosts of the day’s requests that have a pace of their own.' }),
      endpoints: z.int(),
      requestsPerDay: z
        .number()
        .meta({ description: 'The requests of such a day that fit into 24 hours.' }),
    }),
    utilization: z.number(),
    learned: z.boolean().meta({
      description: 'Requests per search are measured, not the plan’s upper bound.',
    }),
  })
  .meta({ id: 'StoreFanOut' });

export const budget = z
  .strictObject({
    fanOut: z.array(fanOut),
    utilization: z
      .number()
      .meta({ description: 'The busier store’s share of a day; above 1 the run cannot finish.' }),
    completion: z.strictObject({
      startsAt: instant.meta({ description: 'The next run of the instance.' }),
      hours: z.number().meta({
        description:
          'The time that the requests of this budget take. The run takes longer when it also has ' +
          'those of other workspaces.',
      }),
      completesAt: instant.meta({ description: 'This many hours after the start.' }),
    }),
    quota: z
      .strictObject({
        plan: z.string(),
        apps: z.strictObject({ used: z.int(), limit: z.int() }),
        keywordMarkets: z.strictObject({ used: z.int(), limit: z.int() }),
        overLimitSince: instant.nullable(),
      })
      .optional(),
  })
  .meta({ id: 'Budget' });

const load = z.strictObject({
  store: storeName,
  country: country.optional(),
  keywords: z.int().min(0).max(1_000_000),
  depth: depth.optional(),
});

const jobIdParam = z.strictObject({ jobId: bigIdText });

export const jobs = operationsOf({
  'GET /jobs': {
    summary: 'List jobs',
    description: 'Lists the jobs of the workspace, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      ...paging,
      kind: jobKind.optional(),
      state: jobState.optional(),
      appId: integerText(1, 2_147_483_647).optional(),
    }),
    responses: { 200: listOf(job) },
  },
  'GET /jobs/{jobId}': {
    summary: 'Get a job',
    description: 'Returns the state of a job and its result.',
    rateClass: 'read',
    readOnlyToken: true,
    params: jobIdParam,
    responses: { 200: job },
  },
  'POST /jobs/{jobId}/retry': {
    summary: 'Retry a job',
    description:
      'Runs a job again that failed, was shed or was cancelled. An open job is not ' + 'changed.',
    rateClass: 'write',
    readOnlyToken: false,
    enqueues: true,
    idempotent: true,
    params: jobIdParam,
    responses: { 200: job },
  },
  'POST /jobs/{jobId}/cancel': {
    summary: 'Cancel a job',
    description:
      'Cancels a job whose state is `queued`. Jobs of the kind `country-scores` are cancelled ' +
      'while they run, too; what is scored stays.',
    rateClass: 'write',
    readOnlyToken: false,
    idempotent: true,
    params: jobIdParam,
    responses: { 200: job },
  },
  'GET /jobs/budget': {
    summary: 'Get the daily budget',
    description:
      'Returns the estimated store requests of a day by kind and store, against the ' +
      'configured capacity.',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: budget },
  },
  'POST /jobs/budget/simulate': {
    summary: 'Simulate a daily budget',
    description: 'Returns the budget of a load that does not exist yet. Nothing is written.',
    rateClass: 'read',
    readOnlyToken: true,
    body: z.strictObject({
      add: z.array(load).max(100).default([]),
      remove: z.array(load).max(100).default([]),
      rpm: perStore(
        z.int().min(1).max(100_000).optional().meta({
          description:
            'Another value of `SCRAPE_<STORE>_RPM`. Hosts with a pace of their own keep it.',
        }),
      ).optional(),
      proxies: z.int().min(0).max(1_000).optional(),
    }),
    example: { add: [{ store: 'ios', country: 'us', keywords: 100, depth: 200 }] },
    responses: {
      200: z.strictObject({
        ...budget.shape,
        delta: z.strictObject({
          searchesPerDay: z.int(),
          requestsPerDay: z.number(),
          utilization: z.number(),
        }),
      }),
    },
  },
});
