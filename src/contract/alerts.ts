import { z } from 'zod';
import { id, instant, utcDay } from './common.ts';
import { alertTypes, configurableEventTypes, type AlertType } from './choices.ts';
import { eventDefinitions } from './events/event-definitions.ts';
import { operationsOf } from './operation.ts';

export type { AlertType };

type Definitions = typeof eventDefinitions;
type RuleSchema = Definitions[(typeof configurableEventTypes)[number]]['rule'];

export const alertRule = z.discriminatedUnion(
  'event',
  configurableEventTypes.map((type) => eventDefinitions[type].rule) as unknown as readonly [
    RuleSchema,
    ...RuleSchema[],
  ],
);
export type AlertRule = z.output<typeof alertRule>;

const rules = z
  .array(alertRule.meta({ id: 'AlertRuleInput' }))
  .max(100)
  .meta({
    description:
      'For each event the first rule whose scope matches decides, and nothing is reported ' +
      'when none matches. An event without rules has its default.',
  });

const namedAlertRule = alertRule.meta({ id: 'AlertRule' });
const document = z
  .strictObject({
    rules: z.array(namedAlertRule),
    defaults: z
      .array(namedAlertRule)
      .meta({ description: 'The default of an event without rules.' }),
    savedAt: instant.nullable(),
  })
  .meta({ id: 'AlertRules' });

const alertOf = <Type extends AlertType>(type: Type) =>
  z.strictObject({
    date: utcDay,
    type: z.literal(type),
    appId: id,
    data: eventDefinitions[type].data,
  });
type AlertSchema = { [Type in AlertType]: ReturnType<typeof alertOf<Type>> }[AlertType];
const alert = z.discriminatedUnion(
  'type',
  alertTypes.map((type) => alertOf(type)) as unknown as readonly [AlertSchema, ...AlertSchema[]],
);
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
    rules: z.array(namedAlertRule).meta({ description: 'The rules of the backtest.' }),
    total: z.int(),
    counts,
    days: z
      .array(
        z.strictObject({
          date: utcDay,
          counts,
          followed: z.int().min(0).meta({ description: 'Keywords tracked on the day.' }),
          checked: z.int().min(0).meta({
            description:
              'The part that was checked: on a day with 0, no move and no entrant could be found.',
          }),
        }),
      )
      .max(90)
      .meta({ description: 'Every day, oldest first.' }),
    alerts: z.array(alert).max(500).meta({ description: 'The latest 500.' }),
    moreAlerts: z.int().min(0),
  })
  .meta({ id: 'AlertBacktest' });

export const alerts = operationsOf({
  'GET /alerts/rules': {
    summary: 'Get alert rules',
    description:
      'Lists the alert rules in the order in which they apply. Events without a rule have ' +
      'their default.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: ['rules'],
    responses: { 200: document },
  },
  'PUT /alerts/rules': {
    summary: 'Replace alert rules',
    description: 'Replaces all alert rules. An empty list restores the defaults.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: ['rules'],
    body: z.strictObject({ rules }),
    example: { rules: [] },
    responses: { 200: document },
  },
  'POST /alerts/rules/backtest': {
    summary: 'Backtest alert rules',
    description:
      'Returns the alerts that rules would have raised on stored history: those of the request, ' +
      'or the saved ones when it has none. Nothing is written.',
    rateClass: 'read',
    heavy: true,
    countsAsWrite: true,
    readOnlyToken: true,
    body: z.strictObject({ rules: rules.optional(), days: z.int().min(1).max(90).default(30) }),
    example: { rules: [], days: 30 },
    responses: { 200: backtest },
  },
});
