import { z } from 'zod';
import { fieldChange } from './apps.ts';
import { eventTypes } from './choices.ts';
import { country, id, instant, storeName, utcDay } from './common.ts';
import { depth, rankPair } from './rankings.ts';

export const eventType = z.enum(eventTypes).meta({ id: 'EventType' });
export type EventType = (typeof eventTypes)[number];

const keywordOf = { keywordId: id, phrase: z.string(), country };
const listing = z.strictObject({
  store: storeName,
  storeAppId: z.string(),
  name: z.string().nullable(),
  developer: z.string().nullable(),
});

export const rankMove = z
  .strictObject({
    ...keywordOf,
    from: rankPair,
    to: rankPair,
    places: z
      .int()
      .nullable()
      .meta({ description: 'Places gained (positive) or lost; null when one side is not found.' }),
    reasons: z.array(z.enum(['moved', 'crossed', 'entered', 'left'])).min(1),
    crossed: z
      .array(z.int().min(1).max(200))
      .meta({ description: 'The thresholds that lie between the two positions.' }),
  })
  .meta({
    id: 'RankMove',
    description: 'Two checked days of a keyword; a position never comes without its depth.',
  });

export const serpEntrant = z
  .strictObject({
    ...keywordOf,
    date: utcDay,
    position: z.int().min(1).max(200),
    depth,
    entrant: listing,
    competitorId: id
      .nullable()
      .meta({ description: 'Set when the workspace follows it as a competitor.' }),
    daysWithout: z
      .int()
      .min(1)
      .meta({ description: 'Checked days before this one in which it stood nowhere.' }),
  })
  .meta({ id: 'SerpEntrantData' });

export const metadataChange = z
  .strictObject({
    subject: z.enum(['app', 'competitor']),
    competitorId: id.nullable(),
    listing,
    country,
    date: utcDay,
    previousDate: utcDay,
    changes: z.array(fieldChange).min(1),
  })
  .meta({ id: 'MetadataChange' });

export const negativeReview = z
  .strictObject({
    reviewId: id
      .nullable()
      .meta({
        description:
          'Null where it was told by another instance, before the workspace was brought here.',
      }),
    storeReviewId: z.string().meta({ description: 'The store’s own name of it, in its country.' }),
    country,
    rating: z.int().min(1).max(5),
    title: z.string().nullable(),
    text: z.string().nullable(),
    author: z.string().nullable(),
    version: z.string().nullable(),
    writtenAt: instant,
  })
  .meta({ id: 'NegativeReview' });

export const openedAction = z
  .strictObject({
    actionId: id,
    actionType: z.string(),
    severity: z.enum(['high', 'medium', 'low']),
    title: z.string(),
    reason: z.string(),
    evidence: z.record(z.string(), z.unknown()),
    keywordIds: z.array(id),
  })
  .meta({ id: 'OpenedAction' });

const digestMove = z.strictObject({
  ...keywordOf,
  from: rankPair,
  to: rankPair,
  places: z.int().nullable(),
});
const digestApp = z.strictObject({
  appId: id,
  store: storeName,
  name: z.string(),
  keywords: z.int(),
  ranked: z.int(),
  notFound: z.int(),
  notChecked: z.int(),
  top3: z.int(),
  top10: z.int(),
  averagePosition: z.number().nullable().meta({ description: 'Of ranked keywords only.' }),
  improved: z.int(),
  dropped: z.int(),
  visibility: z
    .strictObject({ from: z.number().nullable(), to: z.number().nullable() })
    .meta({
      description:
        'The index of the first and of the last day of the week that was checked; null without one.',
    }),
  coverage: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .meta({
      description:
        'How many of the days that keywords were followed on were checked; null of none.',
    }),
  gained: z.array(digestMove).max(10).meta({ description: 'The largest moves of the week.' }),
  lost: z.array(digestMove).max(10),
  rating: z.number().nullable(),
  newReviews: z.int(),
  negativeReviews: z.int(),
  metadataChanges: z.int(),
  openActions: z.int(),
});

export const weeklyDigest = z
  .strictObject({
    week: utcDay.meta({ description: 'The Monday of the ISO week.' }),
    from: utcDay,
    to: utcDay,
    apps: z.array(digestApp).max(50),
    moreApps: z.int().min(0).meta({ description: 'Apps that the list has no room for.' }),
    events: z
      .record(z.string(), z.int())
      .meta({ description: 'How many events of each type the week had.' }),
  })
  .meta({ id: 'WeeklyDigest' });

/** The shape of `data` by type. */
export const eventData = {
  'metadata.changed': metadataChange,
  'rank.dropped': rankMove,
  'rank.improved': rankMove,
  'review.negative': negativeReview,
  'digest.weekly': weeklyDigest,
  'serp.entrant': serpEntrant,
  'action.opened': openedAction,
} as const satisfies Record<EventType, z.ZodType>;

export type EventData = { [T in EventType]: z.input<(typeof eventData)[T]> };
