import { z } from 'zod';
import { weekdays } from './choices.ts';
import { operationsOf } from './operation.ts';
import { depth } from './rankings.ts';

const timezoneMax = 64;
const timezone = z
  .string()
  .max(timezoneMax)
  .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, 'the name of a time zone, such as Europe/Berlin')
  .refine(isTimezone, 'a time zone that exists');

const thresholds = z.strictObject({
  movePositions: z
    .int()
    .min(1)
    .max(200)
    .meta({ description: 'Moves of at least this many positions are highlighted.' }),
  highTraffic: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'A keyword with at least this traffic score counts as high traffic.' }),
  highDifficulty: z
    .int()
    .min(1)
    .max(100)
    .meta({ description: 'A keyword with at least this difficulty score counts as hard.' }),
});

const record = z.strictObject({
  defaultDepth: depth.meta({ description: 'The depth of keywords that are added without one.' }),
  digestDay: z.enum(weekdays).meta({ description: 'The UTC weekday of the weekly digest.' }),
  digestHour: z.int().min(0).max(23).meta({ description: 'The UTC hour of the weekly digest.' }),
  thresholds,
  reviewNegativeMaxRating: z
    .int()
    .min(1)
    .max(5)
    .meta({ description: 'Reviews with at most this many stars count as negative.' }),
  timezoneForDisplay: timezone.meta({
    description: 'For displaying instants; days stay UTC days.',
  }),
});
export const settingsUpdate = record.extend({ thresholds: thresholds.partial() }).partial();

export type WorkspaceSettings = z.output<typeof record>;
export type SettingsUpdate = z.output<typeof settingsUpdate>;

const response = record.meta({ id: 'WorkspaceSettings' });

const editable = Object.keys(record.shape);

export const settings = operationsOf({
  'GET /settings': {
    summary: 'Get settings',
    description: 'Returns the settings of the workspace.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: editable,
    responses: { 200: response },
  },
  'PATCH /settings': {
    summary: 'Update settings',
    description:
      'Changes settings of the workspace. Members that are not sent stay unchanged, also ' +
      'inside `thresholds`.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editable,
    body: settingsUpdate,
    example: { defaultDepth: 100, digestDay: 'monday' },
    responses: { 200: response },
  },
});

function isTimezone(name: string): boolean {
  // This check runs although the others have failed.
  if (name.length > timezoneMax) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
