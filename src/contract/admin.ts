import { z } from 'zod';
import { planName } from './billing.ts';
import {
  bigInteger,
  cursor,
  id,
  idParam,
  instant,
  integerText,
  listOf,
  storeName,
  textOf,
  utcDay,
} from './common.ts';
import { budget } from './jobs.ts';
import { operationsOf } from './operation.ts';

const state = z.enum(['trial', 'live', 'lapsed', 'suspended']);
const owners = z.array(z.string()).meta({ description: 'Their e-mail addresses.' });

const consumer = z.strictObject({
  workspaceId: id,
  name: z.string(),
  owners,
  state,
  plan: planName.nullable(),
  keywordMarkets: z.int(),
  requestsPerDay: z.number(),
  share: z.number().meta({ description: 'Of the requests of all workspaces that the run visits.' }),
});

const capacity = z
  .strictObject({
    fanOut: budget.shape.fanOut.meta({
      description: 'Summed over all workspaces that the daily run visits.',
    }),
    utilization: budget.shape.utilization,
    completion: budget.shape.completion,
    workspaces: z.int().meta({ description: 'Those that the run visits.' }),
    searches: z
      .array(z.strictObject({ store: storeName, asked: z.int(), distinct: z.int() }))
      .meta({ description: 'What several workspaces follow is searched once.' }),
    consumers: z.array(consumer).meta({ description: 'The heaviest, at most 20.' }),
  })
  .meta({ id: 'InstanceCapacity' });

const workspaceRecord = z
  .strictObject({
    id,
    name: z.string(),
    state,
    standing: z
      .enum(['trial', 'live', 'lapsed'])
      .meta({ description: 'What the plan says beneath a suspension.' }),
    plan: planName.nullable(),
    owners,
    createdAt: instant,
    trialEndsAt: instant.nullable(),
    suspendedAt: instant.nullable(),
    suspendedReason: z.string().nullable(),
    deleteAt: instant
      .nullable()
      .meta({
        description: 'Deleted by an owner, and gone for good from then on; suspended until then.',
      }),
    overLimitSince: instant.nullable(),
    usage: z.strictObject({ apps: z.int(), keywordMarkets: z.int(), members: z.int() }),
    requestsToday: z.int().meta({ description: 'Of the UTC day.' }),
  })
  .meta({ id: 'AdminWorkspace' });

const storeRecord = z
  .strictObject({
    store: storeName,
    canary: z
      .strictObject({
        date: utcDay,
        state: z.enum(['ok', 'degraded']),
        triedAt: instant,
        attempts: z.int(),
        marker: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The newest: a known search, whose answer must be readable.' }),
    requestsPerMinute: z.strictObject({
      allowed: z.number().meta({ description: 'At full pace, over all ways out.' }),
      inUse: z
        .number()
        .meta({
          description:
            'The pace of now: slower after refusals, nothing from a way out that cools down.',
        }),
    }),
    requestsToday: z.int(),
    refusedToday: z.int(),
    lastRefusal: z
      .strictObject({
        at: instant,
        endpoint: z.string(),
        marker: z.string().nullable(),
        coolsUntil: instant.nullable(),
      })
      .nullable()
      .meta({ description: 'coolsUntil is null once it may be asked again.' }),
  })
  .meta({ id: 'AdminStore' });

const proxyRecord = z
  .strictObject({
    endpoint: z
      .string()
      .meta({ description: '`direct`, or the proxy’s host and port: never its user or password.' }),
    connection: z
      .strictObject({
        state: z.enum(['ok', 'resting']),
        failuresInRow: z.int(),
        restsUntil: instant.nullable(),
      })
      .meta({ description: 'As the process sees it that answers.' }),
    stores: z.array(
      z.strictObject({
        store: storeName,
        state: z.enum(['ok', 'slowed', 'cooling']),
        slowFactor: z.number().meta({ description: '1 is full pace.' }),
        strikes: z.int().meta({ description: 'Refusals since the last answer.' }),
        coolsUntil: instant.nullable(),
        granted: bigInteger,
        refused: bigInteger,
        lastRefusedAt: instant.nullable(),
        lastMarker: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'AdminProxy' });

const whole = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), nextCursor: z.null(), total: z.int() });
/** For who runs the instance; to everybody else none of it exists. */
const reading = { rateClass: 'read', readOnlyToken: true, role: 'operator', hidden: true } as const;
const writing = {
  rateClass: 'write',
  readOnlyToken: false,
  role: 'operator',
  hidden: true,
} as const;

export const admin = operationsOf({
  'GET /admin/capacity': {
    ...reading,
    summary: 'What all workspaces ask of the stores, against capacity',
    responses: { 200: capacity },
  },
  'GET /admin/workspaces': {
    ...reading,
    summary: 'Every workspace, newest first',
    query: z.strictObject({
      limit: integerText(1, 500).default(100),
      cursor: cursor.optional(),
      state: state.optional(),
      search: textOf(200, z.string().trim().min(1))
        .meta({ description: 'In its name, or an owner’s e-mail address.' })
        .optional(),
    }),
    responses: { 200: listOf(workspaceRecord) },
  },
  'POST /admin/workspaces/{id}/suspend': {
    ...writing,
    summary:
      'Suspends a workspace: its tokens are refused, nothing is written, the daily run skips it; it stays readable',
    params: idParam,
    body: z.strictObject({
      reason: textOf(500, z.string().trim().min(1)).meta({
        description: 'Its members can read it.',
      }),
    }),
    responses: { 200: workspaceRecord },
  },
  'POST /admin/workspaces/{id}/unsuspend': {
    ...writing,
    summary: 'Ends a suspension; what the plan says stands again',
    params: idParam,
    responses: { 200: workspaceRecord },
  },
  'PUT /admin/workspaces/{id}/plan': {
    ...writing,
    metered: true,
    summary:
      'Starts, changes or (null) ends the plan of a workspace by hand; a trial has no plan to end',
    params: idParam,
    body: z.strictObject({ plan: planName.nullable() }),
    responses: { 200: workspaceRecord },
  },
  'GET /admin/stores': {
    ...reading,
    summary: 'How each store answers, and at what pace it is asked',
    responses: { 200: whole(storeRecord) },
  },
  'GET /admin/proxies': {
    ...reading,
    summary: 'How each way out to the stores is',
    responses: { 200: whole(proxyRecord) },
  },
});
