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
  wholePaging,
} from './common.ts';
import { describedSetting, finding, instanceRecord } from './diagnostics.ts';
import { fieldCounts, fieldDrift } from './drift.ts';
import { budget } from './jobs.ts';
import { operationsOf } from './operation.ts';
import { health } from './service.ts';

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
  share: z.number().meta({ description: 'For the requests of all workspaces in the daily run.' }),
});

const capacity = z
  .strictObject({
    fanOut: budget.shape.fanOut.meta({
      description: 'Summed over all workspaces in the daily run.',
    }),
    utilization: budget.shape.utilization,
    completion: budget.shape.completion,
    workspaces: z.int().meta({ description: 'Workspaces in the daily run.' }),
    searches: z
      .array(z.strictObject({ store: storeName, asked: z.int(), distinct: z.int() }))
      .meta({ description: 'A market that several workspaces track is searched once.' }),
    consumers: z.array(consumer).meta({ description: 'The largest, at most 20.' }),
  })
  .meta({ id: 'InstanceCapacity' });

const workspaceRecord = z
  .strictObject({
    id,
    name: z.string(),
    state,
    planStatus: z
      .enum(['trial', 'live', 'lapsed'])
      .meta({ description: 'The plan’s state, which a suspension hides.' }),
    plan: planName.nullable(),
    owners,
    createdAt: instant,
    trialEndsAt: instant.nullable(),
    suspendedAt: instant.nullable(),
    suspendedReason: z.string().nullable(),
    deleteAt: instant.nullable().meta({
      description: 'The time of the final deletion; the workspace is suspended until then.',
    }),
    overLimitSince: instant.nullable(),
    usage: z.strictObject({ apps: z.int(), keywordMarkets: z.int(), members: z.int() }),
    requestsToday: z.int().meta({ description: 'For the UTC day.' }),
  })
  .meta({ id: 'AdminWorkspace' });

const paceRecord = {
  requestsPerMinute: z.strictObject({
    allowed: z.number().meta({ description: 'At full pace, over all egress endpoints.' }),
    inUse: z.number().meta({
      description: 'The current pace: slower after refusals, zero for an endpoint in cooldown.',
    }),
  }),
  lastRefusal: z
    .strictObject({
      at: instant,
      endpoint: z.string(),
      marker: z.string().nullable(),
      cooldownUntil: instant.nullable(),
    })
    .nullable()
    .meta({ description: 'cooldownUntil is null when requests are allowed.' }),
};

const storeRecord = z
  .strictObject({
    store: storeName,
    probe: z
      .strictObject({
        date: utcDay,
        state: z.enum(['ok', 'degraded']),
        probedAt: instant,
        attempts: z.int(),
        marker: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'The latest probe: a known search whose response must be readable.' }),
    requestsToday: z.int(),
    refusedToday: z.int(),
    ...paceRecord,
    hosts: z
      .array(z.strictObject({ host: z.string(), ...paceRecord }))
      .meta({ description: 'Hosts that the store throttles by themselves, each at its own pace.' }),
  })
  .meta({ id: 'AdminStore' });

const fieldRecord = z
  .strictObject({
    date: utcDay,
    store: storeName,
    ...fieldCounts,
    drift: fieldDrift.pick({ beganAt: true, endedAt: true }).nullable().meta({
      description: 'The drift of the field on that day, the latest one.',
    }),
  })
  .meta({ id: 'AdminField' });

const proxyRecord = z
  .strictObject({
    endpoint: z
      .string()
      .meta({ description: '`direct`, or the proxy’s host and port, never its user or password.' }),
    connection: z
      .strictObject({
        state: z.enum(['ok', 'resting']),
        consecutiveFailures: z.int(),
        unavailableUntil: instant.nullable(),
      })
      .meta({ description: 'As seen by the responding process.' }),
    stores: z.array(
      z.strictObject({
        store: storeName,
        host: z.string().nullable().meta({
          description: 'A host with a pace of its own; null for all other hosts of the store.',
        }),
        state: z.enum(['ok', 'slowed', 'cooling']),
        slowFactor: z.number().meta({ description: '1 is full pace.' }),
        strikes: z.int().meta({ description: 'Refusals since the last success.' }),
        cooldownUntil: instant.nullable(),
        granted: bigInteger,
        refused: bigInteger,
        lastRefusedAt: instant.nullable(),
        lastMarker: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'AdminProxy' });

const backupRecord = z
  .strictObject({
    id: bigInteger,
    isScheduled: z.boolean().meta({ description: 'false for a backup by command.' }),
    state: z.enum(['running', 'succeeded', 'failed', 'interrupted']),
    attempts: z.int(),
    startedAt: instant.meta({ description: 'The file has what was committed by then.' }),
    finishedAt: instant.nullable(),
    path: z.string().nullable(),
    bytes: bigInteger.nullable(),
    databaseBytes: bigInteger.nullable().meta({ description: 'The database on disk.' }),
    rows: bigInteger.nullable(),
    seconds: z.number().nullable(),
    error: z.string().nullable(),
    deletedAt: instant.nullable().meta({ description: 'When BACKUP_KEEP newer ones existed.' }),
    upload: z
      .strictObject({
        state: z.enum(['pending', 'running', 'succeeded', 'failed', 'interrupted']),
        url: z.string().nullable(),
        uploadedAt: instant.nullable(),
        error: z.string().nullable(),
        deletedAt: instant
          .nullable()
          .meta({ description: 'When BACKUP_S3_KEEP newer ones existed.' }),
      })
      .nullable()
      .meta({ description: 'The copy in S3-compatible storage; null when there was no bucket.' }),
  })
  .meta({ id: 'AdminBackup' });

const whole = <T extends z.ZodType>(item: T) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable(), total: z.int() });
const diagnostics = z
  .strictObject({
    generatedAt: instant,
    machine: z.strictObject({
      node: z.string(),
      platform: z.string(),
      processors: z.int(),
      memoryBytes: z.int(),
      processBytes: z.int(),
    }),
    findings: z.array(finding).meta({ description: 'As `toprung doctor` has them.' }),
    settings: z.array(describedSetting),
    health,
    capacity: capacity.omit({ consumers: true }),
    stores: z.array(storeRecord),
    proxies: z.array(proxyRecord),
    backups: z.array(backupRecord),
    ...instanceRecord.shape,
  })
  .meta({ id: 'Diagnostics' });

/** Operations for operators; other callers get 404. */
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
    summary: 'Get capacity',
    description:
      'Returns the daily store requests of all workspaces against capacity, with the ' +
      'workspaces that need most. Operators see it; everyone else gets 404.',
    responses: { 200: capacity },
  },
  'GET /admin/workspaces': {
    ...reading,
    summary: 'List workspaces',
    description: 'Lists the workspaces of this instance, the newest first.',
    query: z.strictObject({
      limit: integerText(1, 500).default(100),
      cursor: cursor.optional(),
      state: state.optional(),
      q: textOf(200, z.string().trim().min(1))
        .meta({ description: 'Searches the name and the owners’ e-mail addresses.' })
        .optional(),
    }),
    responses: { 200: listOf(workspaceRecord) },
  },
  'POST /admin/workspaces/{id}/suspend': {
    ...writing,
    summary: 'Suspend a workspace',
    description:
      'Suspends a workspace. Its tokens are rejected, writes are rejected and the daily ' +
      'run skips it. It stays readable.',
    params: idParam,
    body: z.strictObject({
      reason: textOf(500, z.string().trim().min(1)).meta({
        description: 'Its members can read it.',
      }),
    }),
    example: { reason: 'unpaid invoice' },
    responses: { 200: workspaceRecord },
  },
  'POST /admin/workspaces/{id}/unsuspend': {
    ...writing,
    summary: 'Unsuspend a workspace',
    description: 'Ends the suspension of a workspace. Its plan applies again.',
    params: idParam,
    responses: { 200: workspaceRecord },
  },
  'PUT /admin/workspaces/{id}/plan': {
    ...writing,
    metered: true,
    summary: 'Set a workspace’s plan',
    description: 'Starts, changes or, with null, ends a plan manually. A trial has no plan to end.',
    params: idParam,
    body: z.strictObject({ plan: planName.nullable() }),
    example: { plan: 'ultimate' },
    responses: { 200: workspaceRecord },
  },
  'GET /admin/stores': {
    ...reading,
    summary: 'Get store health',
    description: 'Returns how each store responds, and the current pace of requests.',
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: whole(storeRecord) },
  },
  'GET /admin/fields': {
    ...reading,
    summary: 'List field counts',
    description: 'Lists how often each field of a store’s responses had a value on a day.',
    query: z.strictObject({
      ...wholePaging,
      date: utcDay.optional().meta({ description: 'The newest day with counts by default.' }),
    }),
    pages: 'cut',
    responses: { 200: whole(fieldRecord) },
  },
  'GET /admin/backups': {
    ...reading,
    summary: 'List backups',
    description:
      'Lists the backups of this instance, the newest first, and their schedule. A backup is ' +
      'overdue when the last good one is older than 27 hours.',
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: {
      200: z.strictObject({
        schedule: z
          .strictObject({ at: z.string(), keep: z.int() })
          .nullable()
          .meta({ description: 'The UTC time and the number that is kept; null without one.' }),
        isOverdue: z.boolean(),
        bucket: z
          .strictObject({
            url: z.string(),
            keep: z.int(),
            lastAt: instant.nullable(),
            isOverdue: z.boolean(),
          })
          .nullable()
          .meta({
            description:
              'The bucket of BACKUP_S3_URL, and the newest backup that is in it; null without one.',
          }),
        items: z.array(backupRecord),
        nextCursor: z.string().nullable(),
        total: z.int(),
      }),
    },
  },
  'GET /admin/updates': {
    ...reading,
    summary: 'Get the newer release',
    description:
      'Returns the version of this instance, and the newest release if it is a newer one. It is ' +
      'read once a day from `UPDATE_CHECK_URL`; without that setting `askedAt` is null.',
    responses: {
      200: z.strictObject({
        running: z.string(),
        newer: z.string().nullable().meta({ description: 'Such as `1.2.3`.' }),
        askedAt: instant.nullable(),
      }),
    },
  },
  'GET /admin/diagnostics': {
    ...reading,
    summary: 'Get diagnostics',
    description:
      'Returns one document about this instance for a report of a problem: the findings of ' +
      'the doctor, versions, settings without secrets, counts, health, pace, backups, and ' +
      'recent runs and failures. It has no names, addresses, phrases or credentials.',
    responses: { 200: diagnostics },
  },
  'GET /admin/proxies': {
    ...reading,
    summary: 'Get egress proxy health',
    description: 'Returns the health of each egress proxy.',
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: { 200: whole(proxyRecord) },
  },
});
