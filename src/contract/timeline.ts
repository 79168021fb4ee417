import { z } from 'zod';
import { changedField } from './changes.ts';
import { timelineKinds } from './choices.ts';
import { id, utcDay } from './common.ts';

const competitorName = z
  .string()
  .nullable()
  .meta({
    description:
      'Of the competitor whose listing it is about; null where the name is not known, and with the own listing.',
  });

/** What `title` and `text` say, as data: to be told in another language, or counted. */
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
                  'Of name and subtitle, what stands there now; else null, and where they are gone.',
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
        .meta({ description: 'As the store writes it; null where it does not.' }),
    }),
    z.strictObject({
      kind: z.literal('rank'),
      rose: z.int().min(0).meta({ description: 'Keywords that rose enough for an event.' }),
      fell: z.int().min(0),
    }),
    z.strictObject({
      kind: z.literal('reviews'),
      count: z.int().min(1).meta({ description: 'Reviews written on the day.' }),
      usual: z.number().min(0).meta({ description: 'Reviews a day on the days before.' }),
      days: z.int().min(1).meta({ description: 'How many days before it is compared with.' }),
    }),
    z.strictObject({
      kind: z.literal('run'),
      fault: z.enum(['missed', 'overdue', 'degraded']).meta({
        description:
          'missed: there was none; overdue: it did not finish its day; degraded: a store answered unreliably.',
      }),
    }),
  ])
  .meta({ id: 'TimelineFact' });

export type TimelineFact = z.input<typeof timelineFact>;

export const timelineItem = z
  .strictObject({
    id: z.string().meta({ description: 'The same for the same fact, whenever it is asked for.' }),
    kind: z.enum(timelineKinds),
    date: utcDay,
    title: z.string().meta({ description: 'In English; a note as it was written.' }),
    text: z.string().nullable(),
    fact: timelineFact
      .nullable()
      .meta({ description: 'What title and text say, as data; null for notes.' }),
    countries: z.array(z.string()).meta({ description: 'Empty where it is about all of them.' }),
    competitorId: id.nullable(),
    keywordIds: z.array(id).max(200),
    links: z.record(z.string(), z.string()).meta({ description: 'Paths of the API by name.' }),
  })
  .meta({ id: 'TimelineItem' });
