import { z } from 'zod';
import {
  accepted,
  bigId,
  bigIdParam,
  cursor,
  id,
  idText,
  instant,
  integerText,
  listOf,
  listText,
  textOf,
  utcDay,
} from './common.ts';
import { actionStates, actionTypes, severities } from './choices.ts';
import { operationsOf } from './operation.ts';

export const actionType = z.enum(actionTypes).meta({ id: 'ActionType' });
export type ActionType = (typeof actionTypes)[number];

const actionState = z.enum(actionStates).meta({ id: 'ActionState' });
export type ActionState = (typeof actionStates)[number];

export const severity = z.enum(severities).meta({ id: 'Severity' });

export const action = z
  .strictObject({
    id: bigId,
    appId: id.nullable().meta({ description: 'Null when it concerns the whole workspace.' }),
    type: actionType,
    severity,
    title: z.string(),
    reason: z.string(),
    evidence: z.record(z.string(), z.unknown()).meta({
      description:
        'The stored facts behind it, as of `seenAt`. Unknown values are null, never assumed.',
    }),
    keywordIds: z.array(id),
    openedAt: instant,
    seenAt: instant.meta({ description: 'The last generation that found it.' }),
    state: actionState,
    snoozedUntil: instant.nullable(),
    resolvedAt: instant
      .nullable()
      .meta({ description: 'The time at which it was resolved or dismissed.' }),
    resolvedBy: z
      .string()
      .regex(/^(user:\d{1,10}|gone)$/)
      .nullable()
      .meta({ description: '`user:<id>`, or `gone` when the evidence disappeared.' }),
    dismissReason: z.string().nullable(),
  })
  .meta({ id: 'Action' });

const side = z.strictObject({
  from: utcDay,
  to: utcDay,
  averagePosition: z
    .number()
    .nullable()
    .meta({ description: 'The mean of the keywords’ means, over the keywords counted in `n`.' }),
  coverage: z.number().min(0).max(1).nullable().meta({
    description: 'The share of due checks that were made; null when none was due.',
  }),
});

const group = z
  .strictObject({
    keywords: z.int(),
    n: z.int().meta({
      description:
        'Keywords found on at least one day before and one day after; others cannot be compared.',
    }),
    before: side,
    after: side,
    positionsGained: z
      .number()
      .nullable()
      .meta({ description: 'The mean of the keywords’ changes: above 0 is an improvement.' }),
  })
  .meta({ id: 'ActionOutcomeGroup' });

export const actionOutcome = z
  .strictObject({
    windowDays: z.int(),
    keywords: group,
    untouched: group.meta({ description: 'The app’s other keywords on the same days.' }),
    positionsGainedBeyond: z.number().nullable().meta({
      description: 'The gain beyond that of the control; null when either has none.',
    }),
  })
  .meta({
    id: 'ActionOutcome',
    description: 'A correlation, not proof: other things change in the same weeks.',
  });

const outcomeReason = z.enum(['not_resolved', 'no_keywords', 'too_early']).meta({
  id: 'ActionOutcomeReason',
  description:
    'not_resolved: it was not resolved yet. no_keywords: none of its keywords is still ' +
    'tracked. too_early: until `measurableFrom`.',
});

export const actionDetail = z
  .strictObject({
    ...action.shape,
    outcome: actionOutcome.nullable(),
    outcomeReason: outcomeReason
      .nullable()
      .meta({ description: 'The reason for a missing outcome.' }),
    measurableFrom: utcDay.nullable(),
  })
  .meta({ id: 'ActionDetail' });

const until = instant.meta({ description: 'In the future, at most 366 days.' });
const reason = textOf(500, z.string().trim().min(1));
const bulkIds = z.array(bigId).min(1).max(200);

const change = (summary: string, description: string) => ({
  summary,
  description,
  rateClass: 'write' as const,
  readOnlyToken: false,
  params: bigIdParam,
  responses: { 200: action },
});

export const actions = operationsOf({
  'POST /actions/run': {
    summary: 'Generate suggested actions',
    description:
      'Finds suggested actions in stored data. A second call on the same UTC day returns ' +
      'the same job.',
    rateClass: 'store',
    readOnlyToken: false,
    enqueues: true,
    idempotent: true,
    responses: { 202: accepted },
  },
  'GET /actions': {
    summary: 'List suggested actions',
    description: 'Lists suggested actions, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      limit: integerText(1, 500).default(100),
      cursor: cursor.optional(),
      state: listText(actionStates).optional(),
      type: actionType.optional(),
      appId: idText.optional(),
      severity: listText(severities).optional(),
    }),
    responses: { 200: listOf(action) },
  },
  'GET /actions/{id}': {
    summary: 'Get a suggested action',
    description:
      'Returns a suggested action with its evidence. A resolved action has its outcome: ' +
      'positions 14 days before and after.',
    rateClass: 'read',
    readOnlyToken: true,
    params: bigIdParam,
    responses: { 200: actionDetail },
  },
  'POST /actions/{id}/resolve': change(
    'Resolve an action',
    'Marks an action as done. Repeating it changes nothing.',
  ),
  'POST /actions/{id}/dismiss': {
    ...change(
      'Dismiss an action',
      'Dismisses an action. It stays dismissed while its evidence is the same.',
    ),
    example: { reason: 'not our market' },
    body: z.strictObject({ reason: reason.optional() }).default({}),
  },
  'POST /actions/{id}/snooze': {
    ...change('Snooze an action', 'Hides an action until an instant, at which it opens again.'),
    example: { until: '2026-12-01T00:00:00Z' },
    body: z.strictObject({ until }),
  },
  'POST /actions/{id}/reopen': change(
    'Reopen an action',
    'Opens an action that was resolved, dismissed or snoozed.',
  ),
  'POST /actions/bulk': {
    summary: 'Update actions in bulk',
    description:
      'Changes up to 200 actions, all or none, and returns the number of changed actions.',
    rateClass: 'write',
    readOnlyToken: false,
    body: z.discriminatedUnion('op', [
      z.strictObject({ ids: bulkIds, op: z.literal('resolve') }),
      z.strictObject({ ids: bulkIds, op: z.literal('dismiss'), reason: reason.optional() }),
      z.strictObject({ ids: bulkIds, op: z.literal('snooze'), until }),
      z.strictObject({ ids: bulkIds, op: z.literal('reopen') }),
    ]),
    example: { ids: [31, 32], op: 'resolve' },
    responses: { 200: z.strictObject({ updated: z.int() }) },
  },
});
