import { z } from 'zod';
import { planIntervals, planNames } from './choices.ts';
import { instant } from './common.ts';
import { operationsOf } from './operation.ts';

export const planName = z.enum(planNames).meta({ id: 'PlanName' });

const used = z.strictObject({ used: z.int(), limit: z.int() });

const requestLimits = {
  readsPerMinute: z.int(),
  writesPerMinute: z.int().meta({ description: 'Writes and store lookups together.' }),
  requestsPerDay: z.int(),
  parallel: z.int(),
  onDemand: z.strictObject({
    refresh: z.int().meta({ description: 'A UTC day, as the next two.' }),
    'run-daily': z.int(),
    score: z.int(),
    suggestions: z.int().meta({ description: 'An hour.' }),
  }),
};

export const billingRecord = z
  .strictObject({
    state: z.enum(['trial', 'live', 'lapsed', 'suspended']),
    standing: z
      .enum(['trial', 'live', 'lapsed'])
      .meta({ description: 'What the plan says beneath a suspension.' }),
    plan: planName.nullable().meta({ description: 'null: none was chosen; indie limits hold.' }),
    trialEndsAt: instant.nullable(),
    overLimitSince: instant
      .nullable()
      .meta({ description: 'Since when there are more keyword markets than the plan holds.' }),
    checkedMarkets: z
      .int()
      .nullable()
      .meta({
        description:
          'How many keyword markets are checked daily, once the workspace has been over its limit for long; null: all of them.',
      }),
    usage: z.strictObject({ apps: used, keywordMarkets: used, members: used }),
    limits: z.strictObject(requestLimits),
    payments: z
      .boolean()
      .meta({
        description: 'Whether plans can be paid for here; if not, ask who runs the instance.',
      }),
    canManage: z
      .boolean()
      .meta({ description: 'Whether there is a subscription that the portal shows.' }),
  })
  .meta({ id: 'Billing' });

const planRecord = z
  .strictObject({
    name: planName,
    apps: z.int(),
    keywordMarkets: z.int(),
    members: z.int(),
    ...requestLimits,
    current: z.boolean(),
    intervals: z
      .array(z.enum(planIntervals))
      .meta({ description: 'For which it can be bought here.' }),
  })
  .meta({ id: 'Plan' });

const page = z.strictObject({ url: z.url().meta({ description: 'At the payment provider.' }) });

export const billing = operationsOf({
  'GET /billing': {
    summary: 'The plan, its limits and what is used of them',
    rateClass: 'read',
    readOnlyToken: true,
    metered: true,
    responses: { 200: billingRecord },
  },
  'GET /billing/plans': {
    summary: 'The plans of this instance',
    rateClass: 'read',
    readOnlyToken: true,
    metered: true,
    responses: {
      200: z.strictObject({ items: z.array(planRecord), nextCursor: z.null(), total: z.int() }),
    },
  },
  'POST /billing/checkout': {
    summary:
      'A page on which a plan is paid for; with a running subscription, the page on which that is changed',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    metered: true,
    body: z.strictObject({ plan: planName, interval: z.enum(planIntervals) }),
    responses: { 200: page },
  },
  'POST /billing/portal': {
    summary: 'A page with the plan, the invoices and the cards',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    metered: true,
    responses: { 200: page },
  },
  'POST /billing/events': {
    summary: 'Takes a signed event of the payment provider; nobody else calls it',
    rateClass: 'auth',
    readOnlyToken: false,
    metered: true,
    signed: true,
    body: z
      .instanceof(Uint8Array)
      .meta({
        type: 'object',
        description: 'As the provider writes it; its bytes are what is signed.',
      }),
    responses: { 200: z.strictObject({ received: z.literal(true) }) },
  },
});
