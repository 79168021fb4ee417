import { z } from 'zod';
import {
  accepted,
  cursor,
  id,
  idParam,
  idText,
  instant,
  integerText,
  listOf,
  listText,
  textOf,
  utcDay,
} from './common.ts';
import { actionStatuses, actionTypes, severities } from './choices.ts';
import { operationsOf } from './operation.ts';

export const actionType = z.enum(actionTypes).meta({ id: 'ActionType' });
export type ActionType = (typeof actionTypes)[number];

export const actionStatus = z.enum(actionStatuses).meta({ id: 'ActionStatus' });
export type ActionStatus = (typeof actionStatuses)[number];

export const severity = z.enum(severities).meta({ id: 'Severity' });

export const action = z
  .strictObject({
    id,
    appId: id.nullable().meta({ description: 'Null for what concerns the whole workspace.' }),
    type: actionType,
    severity,
    title: z.string(),
    reason: z.string(),
    evidence: z
      .record(z.string(), z.unknown())
      .meta({
        description:
          'The stored facts behind it, as of `seenAt`. What is not known is null there, never assumed.',
      }),
    keywordIds: z.array(id),
    openedAt: instant,
    seenAt: instant.meta({ description: 'Of the last generation that found it.' }),
    status: actionStatus,
    snoozedUntil: instant.nullable(),
    resolvedAt: instant.nullable().meta({ description: 'When it was resolved or dismissed.' }),
    resolvedBy: z
      .string()
      .regex(/^(user:\d{1,10}|gone)$/)
      .nullable()
      .meta({ description: '`user:<id>`, or `gone`: the evidence is no more.' }),
    dismissReason: z.string().nullable(),
  })
  .meta({ id: 'Action' });

const side = z.strictObject({
  from: utcDay,
  to: utcDay,
  averagePosition: z
    .number()
    .nullable()
    .meta({ description: 'The mean of the keywords’ own means, of those counted in `n`.' }),
  coverage: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description: 'Checked days of all the days on which a check was due; null when none was.',
    }),
});

const group = z
  .strictObject({
    keywords: z.int(),
    n: z
      .int()
      .meta({
        description:
          'Keywords that were found on at least one day before and one day after; the others cannot be compared.',
      }),
    before: side,
    after: side,
    placesGained: z
      .number()
      .nullable()
      .meta({ description: 'The mean of the keywords’ changes: above 0 is better.' }),
  })
  .meta({ id: 'ActionOutcomeGroup' });

export const actionOutcome = z
  .strictObject({
    windowDays: z.int(),
    keywords: group,
    untouched: group.meta({ description: 'The app’s other keywords, in the same days.' }),
    placesGainedBeyond: z
      .number()
      .nullable()
      .meta({
        description:
          'What the keywords gained beyond the untouched ones; null when either has none.',
      }),
  })
  .meta({
    id: 'ActionOutcome',
    description: 'A correlation, not a proof: other things change in the same weeks.',
  });

const outcomeReason = z.enum(['not_resolved', 'no_keywords', 'too_early']).meta({
  id: 'ActionOutcomeReason',
  description:
    'not_resolved: nobody acted yet. no_keywords: it is about none that is still followed. too_early: until `measurableFrom`.',
});

export const actionDetail = z
  .strictObject({
    ...action.shape,
    outcome: actionOutcome.nullable(),
    outcomeReason: outcomeReason.nullable().meta({ description: 'Why there is no outcome.' }),
    measurableFrom: utcDay.nullable(),
  })
  .meta({ id: 'ActionDetail' });

const until = instant.meta({ description: 'In the future, at most 366 days.' });
const reason = textOf(500, z.string().trim().min(1));
const bulkIds = z.array(id).min(1).max(200);

const change = (summary: string) => ({
  summary,
  rateClass: 'write' as const,
  readOnlyToken: false,
  params: idParam,
  responses: { 200: action },
});

export const actions = operationsOf({
  'POST /actions/run': {
    summary:
      'Look for suggested actions in what is stored; a second time the same UTC day it is the same job',
    rateClass: 'store',
    readOnlyToken: false,
    enqueues: true,
    idempotent: true,
    responses: { 202: accepted },
  },
  'GET /actions': {
    summary: 'Suggested actions, newest first',
    rateClass: 'read',
    readOnlyToken: true,
    query: z.strictObject({
      limit: integerText(1, 500).default(100),
      cursor: cursor.optional(),
      status: listText(actionStatuses).optional(),
      type: actionType.optional(),
      appId: idText.optional(),
      severity: listText(severities).optional(),
    }),
    responses: { 200: listOf(action) },
  },
  'GET /actions/{id}': {
    summary:
      'One suggested action, and what came of it: positions 14 days before and after it was resolved',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    responses: { 200: actionDetail },
  },
  'POST /actions/{id}/resolve': change('Say that it was acted upon'),
  'POST /actions/{id}/dismiss': {
    ...change('Put it away; it stays away while its evidence is the same'),
    body: z.strictObject({ reason: reason.optional() }).default({}),
  },
  'POST /actions/{id}/snooze': {
    ...change('Put an open one away until an instant'),
    body: z.strictObject({ until }),
  },
  'POST /actions/{id}/reopen': change('Open it again'),
  'POST /actions/bulk': {
    summary: 'The same for up to 200 actions, all or none; how many it changed',
    rateClass: 'write',
    readOnlyToken: false,
    body: z.discriminatedUnion('op', [
      z.strictObject({ ids: bulkIds, op: z.literal('resolve') }),
      z.strictObject({ ids: bulkIds, op: z.literal('dismiss'), reason: reason.optional() }),
      z.strictObject({ ids: bulkIds, op: z.literal('snooze'), until }),
      z.strictObject({ ids: bulkIds, op: z.literal('reopen') }),
    ]),
    responses: { 200: z.strictObject({ updated: z.int() }) },
  },
});
