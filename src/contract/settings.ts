import { z } from 'zod';
import { weekdays } from './choices.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const timezone = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'the name of a time zone, such as Europe/Berlin')
  .refine(isTimezone, 'a time zone that exists');

const thresholds = z.strictObject({
  movePlaces: z
    .int()
    .min(1)
    .max(200)
    .meta({ description: 'A move of so many places or more is shown as one worth a look.' }),
  highTraffic: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'From this traffic score on a keyword counts as sought after.' }),
  highDifficulty: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'From this difficulty score on a keyword counts as hard.' }),
});

const record = z.strictObject({
  defaultDepth: depth.meta({ description: 'Of keywords that are added without a depth.' }),
  digestDay: z.enum(weekdays).meta({ description: 'The UTC weekday of the weekly digest.' }),
  digestHour: z.int().min(0).max(23).meta({ description: 'The UTC hour of the weekly digest.' }),
  thresholds,
  reviewNegativeMaxRating: z
    .int()
    .min(1)
    .max(5)
    .meta({ description: 'A review of so many stars or fewer is a negative one.' }),
  timezoneForDisplay: timezone.meta({
    description: 'For showing instants to people; days stay UTC days.',
  }),
});
export const settingsChange = record.extend({ thresholds: thresholds.partial() }).partial();

export type WorkspaceSettings = z.output<typeof record>;
export type SettingsChange = z.output<typeof settingsChange>;

const answer = record.meta({ id: 'WorkspaceSettings' });

export const settings = operationsOf({
  'GET /settings': {
    summary: 'The settings of the workspace',
    rateClass: 'read',
    readOnlyToken: true,
    responses: { 200: answer },
  },
  'PATCH /settings': {
    summary: 'Change settings; what is not sent stays as it is, in `thresholds` too',
    rateClass: 'write',
    readOnlyToken: false,
    body: settingsChange,
    responses: { 200: answer },
  },
});

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
