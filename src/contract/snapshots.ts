import { z } from 'zod';
import { fieldChange, snapshot } from './apps.ts';
import { changedField } from './changes.ts';
import {
  bigId,
  bigIdParam,
  bigIdText,
  country,
  dayRange,
  id,
  idParam,
  instant,
  listOf,
  paging,
} from './common.ts';
import { operationsOf } from './operation.ts';

const head = {
  id: bigId,
  country,
  language: z.string().nullable(),
  takenAt: instant.meta({
    description:
      'When these texts were first read; never before this workspace began to track the ' +
      'listing in the country.',
  }),
  name: z.string(),
  version: z.string().nullable(),
};

const snapshotHead = z
  .strictObject({
    ...head,
    supersededAt: instant
      .nullable()
      .meta({ description: 'When the next one was taken; null while it is current.' }),
    changed: z.array(changedField).meta({
      description: 'The differences from the previous reading, as far as it was tracked then.',
    }),
  })
  .meta({ id: 'SnapshotHead' });

const wordOp = z
  .strictObject({ op: z.enum(['same', 'added', 'removed']), text: z.string() })
  .meta({ id: 'WordOp' });

const fieldDiff = z
  .strictObject({
    ...fieldChange.shape,
    ops: z
      .array(wordOp)
      .nullable()
      .meta({
        description:
          'Texts word by word: same and removed together are the earlier text, same and added ' +
          'the later one. Null for values that are no text.',
      }),
  })
  .meta({ id: 'FieldDiff' });

const owner = {
  appId: id,
  competitorId: id
    .nullable()
    .meta({ description: 'Set for the listing of a competitor of the app.' }),
};

export const snapshots = operationsOf({
  'GET /apps/{id}/snapshots': {
    summary: 'List listing snapshots',
    description:
      'Lists the texts of the app’s listing that were live at some time in the range, the ' +
      'newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      country: country.optional(),
      locale: z
        .string()
        .max(35)
        .regex(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/, 'a language tag, such as en-US')
        .optional(),
    }),
    responses: { 200: listOf(snapshotHead) },
  },
  'GET /apps/{id}/snapshots/diff': {
    summary: 'Compare two snapshots',
    description:
      'Compares two snapshots of the app or its competitors, field by field and word by ' + 'word.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ a: bigIdText, b: bigIdText }),
    responses: {
      200: z
        .strictObject({
          a: z.strictObject({ ...head, ...owner }),
          b: z.strictObject({ ...head, ...owner }),
          fields: z.array(fieldDiff),
        })
        .meta({ id: 'SnapshotComparison' }),
    },
  },
  'GET /snapshots/{id}': {
    summary: 'Get a snapshot',
    description: 'Returns one stored listing with all its texts.',
    rateClass: 'read',
    readOnlyToken: true,
    params: bigIdParam,
    responses: {
      200: z.strictObject({ ...snapshot.shape, ...owner }).meta({ id: 'TrackedSnapshot' }),
    },
  },
});
