import { z } from 'zod';
import { planIntervals, planNames } from './choices.ts';
import { instant, wholePaging } from './common.ts';
import { operationsOf } from './operation.ts';

export const planName = z.enum(planNames).meta({ id: 'PlanName' });

const used = z.strictObject({ used: z.int(), limit: z.int() });

const requestLimits = {
  readsPerMinute: z.int(),
  writesPerMinute: z.int().meta({ description: 'Writes and store lookups together.' }),
  requestsPerDay: z.int(),
  parallel: z.int(),
  onDemand: z.strictObject({
    refresh: z.int().meta({ description: 'Uses per UTC day.' }),
    'run-daily': z.int().meta({ description: 'Uses per UTC day.' }),
    score: z.int().meta({ description: 'Uses per UTC day.' }),
    suggestions: z.int().meta({ description: 'Uses per hour.' }),
  }),
};

const billingRecord = z
  .strictObject({
    state: z.enum(['trial', 'live', 'lapsed', 'suspended']),
    planStatus: z
      .enum(['trial', 'live', 'lapsed'])
      .meta({ description: 'The plan’s state, which a suspension hides.' }),
    plan: planName
      .nullable()
      .meta({ description: 'null: none was chosen; the limits of indie apply.' }),
    trialEndsAt: instant.nullable(),
    overLimitSince: instant
      .nullable()
      .meta({ description: 'Since when the keyword markets exceed the plan’s limit.' }),
    checkedMarkets: z
      .int()
      .nullable()
      .meta({
        description:
          'The number of keyword markets that are checked daily when the workspace has exceeded ' +
          'its limit for more than a week; null: all of them.',
      }),
    usage: z.strictObject({
      apps: used,
      keywordMarkets: used,
      members: used.meta({ description: 'Members, and invitations that can be accepted.' }),
    }),
    limits: z.strictObject(requestLimits),
    payments: z.boolean().meta({
      description: 'True when plans can be paid for here; otherwise ask the operator.',
    }),
    canManage: z.boolean().meta({ description: 'True when the portal shows a subscription.' }),
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
      .meta({ description: 'The billing intervals for sale here.' }),
  })
  .meta({ id: 'Plan' });

const page = z.strictObject({ url: z.url().meta({ description: 'At the payment provider.' }) });

export const billing = operationsOf({
  'GET /billing': {
    summary: 'Get the plan',
    description: 'Returns the plan of the workspace with its limits and current usage.',
    rateClass: 'read',
    readOnlyToken: true,
    metered: true,
    responses: { 200: billingRecord },
  },
  'GET /billing/plans': {
    summary: 'List plans',
    description: 'Lists the plans that can be bought, with their limits.',
    rateClass: 'read',
    readOnlyToken: true,
    metered: true,
    query: z.strictObject(wholePaging),
    pages: 'cut',
    responses: {
      200: z.strictObject({
        items: z.array(planRecord),
        nextCursor: z.string().nullable(),
        total: z.int(),
      }),
    },
  },
  'POST /billing/checkout': {
    summary: 'Create a checkout page',
    description:
      'Creates a page on which the plan can be bought. With a running subscription it is ' +
      'the page on which that can be changed.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    metered: true,
    body: z.strictObject({ plan: planName, interval: z.enum(planIntervals) }),
    example: { plan: 'indie', interval: 'month' },
    responses: { 200: page },
  },
  'POST /billing/portal': {
    summary: 'Create a billing portal page',
    description: 'Creates a page of the payment provider with the plan, invoices and cards.',
    rateClass: 'write',
    readOnlyToken: false,
    role: 'owner',
    metered: true,
    responses: { 200: page },
  },
  'POST /billing/events': {
    summary: 'Receive a payment event',
    description: 'Receives signed events of the payment provider. No other caller is accepted.',
    rateClass: 'auth',
    readOnlyToken: false,
    metered: true,
    signed: true,
    body: z.instanceof(Uint8Array).meta({
      type: 'object',
      description: 'As the provider sends it; its bytes are signed.',
    }),
    example: { id: 'evt_1', type: 'invoice.paid' },
    responses: { 200: z.strictObject({ received: z.literal(true) }) },
  },
});
