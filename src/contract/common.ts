import { z } from 'zod';
import { deviceIds, mapStores, storeNames } from '#stores/profiles.ts';
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
  // Date.parse reads 30 February as 2 March.
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
    description: 'A lowercase ISO 3166-1 code; only the form is checked.',
    example: 'us',
  });

export const device = z.enum(deviceIds).meta({
  id: 'Device',
  description:
    'The device whose search results they are. A keyword on another device is another keyword, ' +
    'with a search of its own. Without one it is the first device of the store: `iphone` on iOS.',
  example: 'iphone',
});

/** The domain checks countries of keywords, so that each limit has its own error code. */
export const countryText = z
  .string()
  .max(40)
  .meta({
    stated: { maxLength: 2, pattern: '^[a-z]{2}$', description: 'A lowercase ISO 3166-1 code.' },
  });

/** A device in a request. The domain knows the store, so it checks the name. */
export const requestedDevice = z
  .string()
  .max(40)
  .meta({ description: 'By default the first device of the store.' });

export const storeName = z.enum(storeNames).meta({ id: 'StoreName' });

/** One value for each store. */
export function perStore<T extends z.ZodType>(value: T) {
  return z.strictObject(mapStores(() => value));
}

/** Ids of things that people create are positive 32-bit integers. */
export const id = z.int().min(1).max(2_147_483_647).meta({ id: 'Id' });
/** Ids of rows that accumulate are larger. They stay below 2^53, so that doubles are exact. */
export const bigId = z.int().min(1).meta({ id: 'BigId' });

/** An exact 64-bit integer, written as a bare JSON number. */
export const bigInteger = z.union([z.bigint(), z.int()]).meta({
  id: 'BigInteger',
  description: 'An exact integer; may exceed 2^53-1. Parse it losslessly.',
});

/** An integer in an address: digits only, without sign, fraction or leading zeros. */
export function integerText(min: number, max: number) {
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, 'a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ integer: { minimum: min, maximum: max } });
}

export const idText = integerText(1, 2_147_483_647);
export const bigIdText = integerText(1, Number.MAX_SAFE_INTEGER);
export const idParam = z.strictObject({ id: idText });
export const bigIdParam = z.strictObject({ id: bigIdText });
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

/** Ids in one query parameter, separated by commas; ids out of range match nothing. */
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
/** For lists that are computed as a whole; see `pages` of an operation. */
export const wholePaging = { limit: integerText(1, 500).default(500), cursor: cursor.optional() };
/** For lists whose pages would each compute the whole; rows are small. */
export const largePaging = { limit: integerText(1, 5_000).default(500), cursor: cursor.optional() };
export const dayRange = { from: utcDay.optional(), to: utcDay.optional() };

export function listOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    nextCursor: z.string().nullable(),
    total: z.int().nullable(),
  });
}

/** A secret in the response of the request that created it, and in no other. */
export const shownOnce = z
  .string()
  .optional()
  .meta({ description: 'Shown once. Not in the replay of an Idempotency-Key.' });

export const deleted = z.strictObject({ id: z.int(), deleted: z.literal(true) });

export const jobState = z.enum(jobStates).meta({ id: 'JobState' });

export const jobReference = z
  .strictObject({
    id: bigId,
    kind: z.string(),
    state: jobState,
    queuedAt: instant,
    deduped: z.boolean().meta({
      description: 'An open job already does the same work, and this is that job.',
    }),
  })
  .meta({ id: 'JobReference' });

/** The work was accepted but not done yet: poll the resource. */
export const accepted = z
  .strictObject({ job: jobReference, poll: z.string() })
  .meta({ id: 'Accepted' });

/** The reason for a failed store request. */
export const storeFailure = z
  .enum(['refused', 'unreadable', 'unavailable', 'not_offered', 'bad_request'])
  .meta({
    description:
      '`refused` the store rejected the request; `unreadable` its response was not ' +
      'understood; `unavailable` no response came in time; `not_offered` it does not serve ' +
      'this country; `bad_request` it does not support this query.',
  });

/**
 * Text with a limit in characters as users count them (code points, like `maxLength`), not UTF-16
 * units.
 */
export function textOf(max: number, schema: z.ZodString = z.string()) {
  return schema
    .check(({ value, issues }) => {
      // A string has at most two UTF-16 units a character, so a very long one need not be counted.
      if (value.length > 2 * max || [...value].length > max)
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

/** The ETag of an item of a list, for a change of it. */
export const itemEtag = z
  .string()
  .meta({ description: 'Send it as `If-Match` with a change of this item.' });
