import { z } from 'zod';
import {
  country,
  dayRange,
  instant,
  listOf,
  paging,
  perStore,
  storeName,
  utcDay,
} from './common.ts';
import { fieldDrift } from './drift.ts';
import { operationsOf } from './operation.ts';
import { sampledDistance } from './order-distance.ts';
import { provider } from './rankings.ts';

const storeHealth = z.strictObject({
  store: storeName,
  state: z.enum(['ok', 'degraded', 'unknown']),
  probedAt: instant.nullable(),
  marker: z.string().nullable(),
  /**
   * The instance's requests to this store on that day; null when several workspaces share the
   * instance.
   */
  requests: z.int().nullable(),
  refused: z.int().nullable(),
  providers: z
    .array(
      z.strictObject({
        provider,
        state: z.enum(['ok', 'degraded']),
        probedAt: instant,
        marker: z.string().nullable(),
      }),
    )
    .meta({
      description:
        'The probe of each search provider. `state` above is that of the provider of the ' +
        'positions.',
    }),
  fallbacks: z.int().meta({
    description:
      'Markets of this workspace whose day is a gap, and that another provider searched.',
  }),
  anomalies: z
    .array(
      z.strictObject({
        provider,
        detectedAt: instant,
        recoveredAt: instant.nullable(),
        compared: z.int().meta({ description: 'The latest responses when it was detected.' }),
        short: z.int().meta({
          description: 'Those of them that were far shorter than the market’s usual results.',
        }),
        retracted: z
          .int()
          .nullable()
          .meta({
            description:
              'Checks of the instance that were taken back and are gaps until they are repeated; ' +
              'null when several workspaces share the instance.',
          }),
      }),
    )
    .meta({
      description:
        'Times at which a search provider withheld results. Positions are not written from such ' +
        'responses.',
    }),
  drifts: z.array(fieldDrift).meta({ description: 'Fields that drifted on that day.' }),
});

const gaps = z.strictObject({
  shed: z.int(),
  store_error: z.int(),
  not_served: z.int(),
  over_quota: z.int(),
  not_yet_run: z.int(),
  paused: z.int(),
});

export const run = z
  .strictObject({
    date: utcDay,
    state: z.enum(['planned', 'running', 'finished', 'degraded', 'overdue', 'missed']),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    planned: z.int(),
    done: z.int(),
    failed: z.int(),
    waiting: z.int(),
    gaps,
    refreshes: z.strictObject({ planned: z.int(), done: z.int(), failed: z.int() }),
    shed: z
      .strictObject({
        appRefreshes: z.int(),
        reviews: z.int(),
        pages: z.int(),
        charts: z.int(),
        hints: z.int(),
      })
      .meta({
        description: 'Work shed on that day, by kind, because it was too short for all.',
      }),
    pressure: perStore(z.number().nullable()).meta({
      description:
        'The planned requests when the run opened, against the capacity of the rest of its ' +
        'UTC day; above 1 it was too short.',
    }),
    coverage: z.number().min(0).max(1).nullable().meta({
      description: 'The share of planned markets that were checked; null when none was planned.',
    }),
    storeHealth: z.array(storeHealth),
    comparisons: z.array(z.strictObject({ store: storeName, ...sampledDistance.shape })).meta({
      description:
        'How far the orders of two search providers are apart in the markets that were sampled ' +
        'on that day.',
    }),
  })
  .meta({ id: 'Run' });

export const runDetail = z
  .strictObject({
    ...run.shape,
    countries: z
      .array(
        z.strictObject({
          store: storeName,
          country,
          planned: z.int(),
          done: z.int(),
          failed: z.int(),
          waiting: z.int(),
          gaps,
        }),
      )
      .meta({ description: 'The same markets by store and country, in that order.' }),
  })
  .meta({ id: 'RunDetail' });

export const runs = operationsOf({
  'GET /runs': {
    summary: 'List daily runs',
    description:
      'Lists the daily runs, the newest first, as this workspace’s markets took part in ' + 'them.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({ ...paging, ...dayRange }),
    responses: { 200: listOf(run) },
  },
  'GET /runs/{date}': {
    summary: 'Get a daily run',
    description: 'Returns the daily run of one day with its figures by country.',
    rateClass: 'read',
    readOnlyToken: true,
    params: z.strictObject({ date: utcDay }),
    responses: { 200: runDetail },
  },
});
