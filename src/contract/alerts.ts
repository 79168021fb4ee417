import { z } from 'zod';
import { id, instant, tag, utcDay } from './common.ts';
import { alertTypes, changedFields } from './choices.ts';
import { eventData } from './event-data.ts';
import { operationsOf } from './operation.ts';

export type AlertType = (typeof alertTypes)[number];

const appIds = z.array(id).min(1).max(100).optional().meta({ description: 'Only these apps.' });
const tags = z
  .array(tag)
  .min(1)
  .max(20)
  .optional()
  .meta({ description: 'Only what has one of these tags: the app, or the keyword.' });
const minTraffic = z
  .int()
  .min(1)
  .max(100)
  .optional()
  .meta({
    description:
      'Only keywords of at least this traffic score; one without a score is not among them.',
  });
const appScope = z.strictObject({ appIds, tags }).default({});
const keywordScope = z.strictObject({ appIds, tags, minTraffic }).default({});
const enabled = z.boolean().default(true);
const cooldownDays = z
  .int()
  .min(0)
  .max(30)
  .default(0)
  .meta({
    description: 'After an alert, none of the same kind about the same thing for so many days.',
  });

const rank = {
  enabled,
  scope: keywordScope,
  minPlaces: z
    .int()
    .min(1)
    .max(200)
    .default(5)
    .meta({ description: 'A move of so many places or more.' }),
  thresholds: z
    .array(z.int().min(1).max(200))
    .max(20)
    .default([1, 3, 10, 50])
    .meta({ description: 'Or a move across one of these places, whatever its size.' }),
  depthEdge: z
    .boolean()
    .default(true)
    .meta({ description: 'Or out of, or into, the depth that was examined.' }),
  hysteresisPlaces: z
    .int()
    .min(0)
    .max(50)
    .default(0)
    .meta({
      description:
        'A threshold counts as crossed only so many places beyond it; it may take several days to get there.',
    }),
  maxGapDays: z
    .int()
    .min(0)
    .max(30)
    .default(3)
    .meta({ description: 'Nothing is compared across more unchecked days in a row than these.' }),
  cooldownDays,
};

export const alertRule = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('rank.dropped'), ...rank }),
  z.strictObject({ event: z.literal('rank.improved'), ...rank }),
  z.strictObject({
    event: z.literal('serp.entrant'),
    enabled,
    scope: keywordScope,
    top: z.int().min(1).max(50).default(10),
    minDays: z
      .int()
      .min(1)
      .max(7)
      .default(7)
      .meta({
        description: 'It stood nowhere in the last 7 checked days, of which so many must be known.',
      }),
    cooldownDays,
  }),
  z.strictObject({
    event: z.literal('metadata.changed'),
    enabled,
    scope: appScope,
    subjects: z
      .array(z.enum(['app', 'competitor']))
      .min(1)
      .max(2)
      .default(['app', 'competitor']),
    fields: z
      .array(z.enum(changedFields))
      .min(1)
      .max(changedFields.length)
      .optional()
      .meta({ description: 'Only changes of these; the event then holds these alone.' }),
  }),
  z.strictObject({
    event: z.literal('review.negative'),
    enabled,
    scope: appScope,
    maxRating: z.int().min(1).max(5).optional().meta({
      description:
        'So many stars or fewer. Without it the workspace’s `reviewNegativeMaxRating` decides, also when that is changed later.',
    }),
    maxAgeDays: z
      .int()
      .min(1)
      .max(30)
      .default(7)
      .meta({ description: 'Seen first within so many days of its date.' }),
  }),
  z.strictObject({
    event: z.literal('digest.weekly'),
    enabled,
    mailTo: z
      .enum(['owners', 'everyone', 'nobody'])
      .default('owners')
      .meta({ description: 'Who gets it by mail too, where the instance can send mail.' }),
  }),
]);
export type AlertRule = z.output<typeof alertRule>;

const rules = z
  .array(alertRule.meta({ id: 'AlertRuleInput' }))
  .max(100)
  .meta({
    description:
      'Of the rules of an event, the first whose scope fits decides, and nothing is told where none fits. An event without a rule has its default.',
  });

const wholeRule = alertRule.meta({ id: 'AlertRule' });
const document = z
  .strictObject({
    rules: z.array(wholeRule),
    defaults: z.array(wholeRule).meta({ description: 'What holds for an event that has no rule.' }),
    savedAt: instant.nullable(),
  })
  .meta({ id: 'AlertRules' });

const told = <T extends AlertType>(event: T) =>
  z.strictObject({ date: utcDay, type: z.literal(event), appId: id, data: eventData[event] });
const counts = z.strictObject(
  Object.fromEntries(alertTypes.map((event) => [event, z.int().min(0)])) as Record<
    AlertType,
    z.ZodInt
  >,
);

const backtest = z
  .strictObject({
    from: utcDay,
    to: utcDay,
    total: z.int(),
    counts,
    days: z
      .array(
        z.strictObject({
          date: utcDay,
          counts,
          followed: z.int().min(0).meta({ description: 'Keywords followed on the day.' }),
          checked: z
            .int()
            .min(0)
            .meta({
              description:
                'Of those, the ones checked: with 0 the day could tell of no move and no entrant.',
            }),
        }),
      )
      .max(90)
      .meta({ description: 'Every day, oldest first.' }),
    alerts: z
      .array(
        z.discriminatedUnion('type', [
          told('rank.dropped'),
          told('rank.improved'),
          told('serp.entrant'),
          told('metadata.changed'),
          told('review.negative'),
        ]),
      )
      .max(500)
      .meta({ description: 'The newest 500.' }),
    moreAlerts: z.int().min(0),
  })
  .meta({ id: 'AlertBacktest' });

export const alerts = operationsOf({
  'GET /alerts/rules': {
    summary: 'Which facts become events, and what holds where nothing was set',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: document },
  },
  'PUT /alerts/rules': {
    summary: 'Replace all rules at once; an empty list brings the defaults back',
    rateClass: 'write',
    readOnlyToken: false,
    body: z.strictObject({ rules }),
    responses: { 200: document },
  },
  'POST /alerts/rules/backtest': {
    summary: 'Which alerts these rules would have told of, from stored history; writes nothing',
    rateClass: 'read',
    readOnlyToken: true,
    body: z.strictObject({ rules, days: z.int().min(1).max(90).default(30) }),
    responses: { 200: backtest },
  },
});
