import { z } from 'zod';
import { changedField } from './changes.ts';
import { timelineKinds } from './choices.ts';
import {
  country,
  dayRange,
  flagText,
  id,
  idParam,
  listOf,
  listText,
  paging,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';
import { provider } from './rankings.ts';

const competitorName = z.string().nullable().meta({
  description: 'The competitor of the listing; null for an unknown name, and for the own listing.',
});

/** The content of `title` and `text` as data, for translation and counting. */
export const timelineFact = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('change'),
      competitorName,
      changes: z
        .array(
          z.strictObject({
            field: changedField,
            value: z
              .string()
              .nullable()
              .meta({
                description:
                  'The new value of a name or subtitle; null for other fields, and if it was ' +
                  'removed.',
              }),
          }),
        )
        .min(1),
    }),
    z.strictObject({
      kind: z.literal('version'),
      competitorName,
      version: z
        .string()
        .nullable()
        .meta({ description: 'As the store writes it; null when missing.' }),
    }),
    z.strictObject({
      kind: z.literal('rank'),
      rose: z.int().min(0).meta({ description: 'Keywords that rose enough for an event.' }),
      fell: z.int().min(0),
    }),
    z.strictObject({
      kind: z.literal('reviews'),
      count: z.int().min(1).meta({ description: 'Reviews written on the day.' }),
      usual: z.number().min(0).meta({ description: 'Daily reviews on the days before.' }),
      days: z
        .int()
        .min(1)
        .meta({ description: 'The number of days before that it is compared with.' }),
    }),
    z.strictObject({
      kind: z.literal('run'),
      fault: z.enum(['missed', 'overdue', 'degraded']).meta({
        description:
          'missed: there was none; overdue: it did not finish its day; degraded: a store ' +
          'responded unreliably.',
      }),
    }),
    z.strictObject({ kind: z.literal('provider'), before: provider, after: provider }).meta({
      description: 'Positions are those of another search provider, from this day on.',
    }),
  ])
  .meta({ id: 'TimelineFact' });

export type TimelineFact = z.input<typeof timelineFact>;

export const timelineItem = z
  .strictObject({
    id: z.string().meta({ description: 'The same fact has the same id in every response.' }),
    kind: z.enum(timelineKinds),
    date: utcDay,
    title: z.string().meta({ description: 'In English; an annotation as it was written.' }),
    text: z.string().nullable(),
    fact: timelineFact
      .nullable()
      .meta({ description: 'The content of title and text as data; null for annotations.' }),
    countries: z.array(z.string()).meta({ description: 'Empty when it concerns all of them.' }),
    competitorId: id.nullable(),
    keywordIds: z.array(id).max(200),
    links: z.record(z.string(), z.string()).meta({ description: 'Paths of the API by name.' }),
  })
  .meta({ id: 'TimelineItem' });

export const timelineOperations = operationsOf({
  'GET /apps/{id}/timeline': {
    summary: 'List an app’s timeline',
    description:
      'Lists listing changes, versions, ranks, reviews, annotations and failed runs in ' +
      'one list, the newest first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      kind: listText(timelineKinds).optional(),
      competitors: flagText
        .optional()
        .meta({ description: 'false excludes changes of competitors.' }),
      scope: z
        .enum(['own', 'competitors'])
        .optional()
        .meta({ description: 'competitors: only their changes. Both by default.' }),
      country: country
        .optional()
        .meta({ description: 'Excludes items that concern other countries only.' }),
    }),
    responses: { 200: listOf(timelineItem) },
  },
});
