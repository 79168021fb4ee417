import { z } from 'zod';
import { jobStates } from './choices.ts';

export const utcDay = z
  .string()
  .regex(/^2\d{3}-\d{2}-\d{2}$/, 'a UTC day, YYYY-MM-DD, from 2000-01-01 to 2999-12-31')
  .refine((text) => {
    const ms = Date.parse(`${text}T00:00:00Z`);
    return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  }, 'a day that exists')
  .meta({
    id: 'UtcDay',
    description: 'A UTC calendar day, YYYY-MM-DD, from 2000-01-01 to 2999-12-31.',
    example: '2026-11-21',
  });

export const instant = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/,
    'a UTC instant, such as 2026-11-21T02:00:00Z',
  )
  // Date.parse reads the 30th of February as the 2nd of March.
  .refine((text) => {
    const ms = Date.parse(text);
    return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text.slice(0, 19));
  }, 'an instant that exists')
  .meta({
    id: 'Instant',
    description: 'A UTC instant, ISO 8601.',
    example: '2026-11-21T02:00:00.000Z',
  });

export const country = z
  .string()
  .regex(/^[a-z]{2}$/, 'two lowercase letters')
  .meta({
    id: 'Country',
    description: 'Two lowercase letters; checked by shape only.',
    example: 'us',
  });

export const storeName = z.enum(['ios', 'android']).meta({ id: 'StoreName' });

/** Ids are positive 32-bit integers, except jobs and deliveries, which count further. */
export const id = z.int().min(1).max(2_147_483_647).meta({ id: 'Id' });
export const bigId = z.int().min(1).meta({ id: 'BigId' });

/** An exact 64-bit integer, written as a bare JSON number. */
export const bigInteger = z
  .union([z.bigint(), z.int()])
  .meta({
    id: 'BigInteger',
    description: 'An exact integer; may exceed 2^53-1. Parse it losslessly.',
  });

/** An integer in an address: digits only, no sign, no fraction, no leading zeros. */
export function integerText(min: number, max: number) {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,9})$/, 'a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ integer: { minimum: min, maximum: max } });
}

export const idText = integerText(1, 2_147_483_647);
export const idParam = z.strictObject({ id: idText });
export const flagText = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Several values in one query member, separated by commas. */
export function listText<T extends string>(values: readonly [T, ...T[]]) {
  return z
    .string()
    .max(200)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).max(values.length))
    .meta({ description: `Separated by commas: ${values.join(', ')}.` });
}

/** Ids in one query member, separated by commas; those that nothing can have name nothing. */
export const idListText = z
  .string()
  .regex(/^\d{1,10}(,\d{1,10}){0,99}$/, 'at most 100 ids, separated by commas')
  .transform((text) =>
    text
      .split(',')
      .map(Number)
      .filter((number) => number <= 2_147_483_647),
  );

export const cursor = z
  .string()
  .min(1)
  .max(400)
  .regex(/^[A-Za-z0-9_-]+$/);
export const paging = { limit: integerText(1, 500).default(100), cursor: cursor.optional() };
export const dayRange = { from: utcDay.optional(), to: utcDay.optional() };

export function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    total: z.int().nullable(),
  });
}

export const deleted = z.strictObject({ id: z.int(), deleted: z.literal(true) });

export const jobState = z.enum(jobStates).meta({ id: 'JobState' });

export const jobReference = z
  .strictObject({
    id: bigId,
    kind: z.string(),
    state: jobState,
    queuedAt: instant,
    dedupedWith: bigId.nullable(),
  })
  .meta({ id: 'JobReference' });

/** Work was accepted, not done: poll the resource. */
export const accepted = z
  .strictObject({ job: jobReference, poll: z.string() })
  .meta({ id: 'Accepted' });

/** Why a store gave no answer. */
export const storeFailure = z
  .enum(['refused', 'unreadable', 'unavailable', 'not_offered', 'bad_request'])
  .meta({
    description:
      '`refused` the store turned us away; `unreadable` its answer was not understood; `unavailable` no answer came in time; ' +
      '`not_offered` it does not serve this country; `bad_request` it cannot be asked this.',
  });

/** Text of at most so many characters as people count them (code points, like `maxLength`), not UTF-16 units. */
export function textOf(max: number, schema: z.ZodString = z.string()) {
  return schema
    .check(({ value, issues }) => {
      if ([...value].length > max)
        issues.push({
          code: 'too_big',
          origin: 'string',
          maximum: max,
          inclusive: true,
          input: value,
          message: `at most ${max} characters`,
        });
    })
    .meta({ maxLength: max });
}

export const tag = textOf(40, z.string().trim().min(1));
export const tags = z.array(tag).max(20);
export const note = textOf(2_000);
