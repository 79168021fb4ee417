import { z } from 'zod';
import {
  accepted,
  bigId,
  bigIdText,
  country,
  dayRange,
  flagText,
  id,
  idParam,
  instant,
  integerText,
  itemEtag,
  listOf,
  listText,
  note,
  paging,
  tag,
  tags,
  utcDay,
} from './common.ts';
import { operationsOf } from './operation.ts';

const reviewIdParam = z.strictObject({ reviewId: bigIdText });
const stars = z.int().min(1).max(5);
const starCounts = z
  .array(z.int().min(0))
  .length(5)
  .meta({ description: 'Counts of 1, 2, 3, 4 and 5 stars.' });
const starsText = listText(['1', '2', '3', '4', '5']).optional();
const languageText = z
  .string()
  .regex(/^[a-z]{2,3}$/, 'two or three lowercase letters')
  .optional();

const firstSeen = instant.nullable().meta({
  description: 'Null: it existed before this workspace began to track the country.',
});

/** The marks of a workspace. */
export const editableOfReview = ['tags', 'note', 'read'];

export const review = z
  .strictObject({
    id: bigId,
    appId: id,
    storeReviewId: z.string(),
    author: z.string().nullable(),
    rating: stars,
    title: z.string().nullable(),
    body: z.string(),
    version: z.string().nullable(),
    country,
    language: z.string().nullable().meta({
      description: 'ISO 639, detected from the text; else the storefront’s.',
    }),
    reviewedAt: instant
      .nullable()
      .meta({ description: 'When it was written or last edited, according to the store.' }),
    firstSeenAt: firstSeen,
    editedAt: instant.nullable().meta({ description: 'When an edit was last seen.' }),
    reply: z.strictObject({ text: z.string(), at: instant.nullable() }).nullable(),
    tags,
    note: z.string().nullable(),
    read: z.boolean(),
    etag: itemEtag,
  })
  .meta({ id: 'Review' });

const reviewVersion = z.strictObject({
  rating: stars,
  title: z.string().nullable(),
  body: z.string(),
  version: z.string().nullable(),
  reviewedAt: instant.nullable(),
  firstSeenAt: firstSeen,
  replacedAt: instant,
});

/** The date back to which a country's reviews are complete. */
const reviewCoverage = z
  .strictObject({
    country,
    state: z.enum(['not_read', 'whole', 'window']).meta({
      description:
        'not_read: no reading since the country is tracked. whole: everything the store had. ' +
        'window: nothing older than knownFrom.',
    }),
    syncedAt: instant.nullable(),
    knownFrom: instant.nullable(),
    exceededAt: instant.nullable().meta({
      description:
        'Set when more reviews were written between two readings than the store shows: some ' +
        'were never seen.',
    }),
  })
  .meta({ id: 'ReviewCoverage' });

const average = z.number().min(1).max(5).nullable();
const starGroup = z.strictObject({
  key: z
    .string()
    .nullable()
    .meta({ description: 'The day, the version (null: unknown) or the country.' }),
  count: z.int().min(0),
  stars: starCounts,
  average,
  known: z
    .boolean()
    .nullable()
    .meta({
      description:
        'By day: true when every tracked country was read after this day, so that all of its ' +
        'reviews count. Null otherwise.',
    }),
});

const reviewStats = z
  .strictObject({
    from: utcDay,
    to: utcDay,
    by: z.enum(['day', 'version', 'country']),
    total: z.strictObject({ count: z.int().min(0), stars: starCounts, average }),
    volume: z
      .strictObject({
        perDay: z.number().min(0).nullable(),
        baselinePerDay: z.number().min(0).nullable(),
        baselineDays: z.int().min(0),
        ratio: z.number().min(0).nullable(),
      })
      .meta({
        description:
          'Daily reviews on known days, against the known days of the 90 before `from`; null ' +
          'with fewer than 7 of them.',
      }),
    items: z.array(starGroup),
    coverage: z.array(reviewCoverage),
  })
  .meta({ id: 'ReviewStats' });

const reviewTopic = z
  .strictObject({
    phrase: z.string(),
    count: z.int().min(2).meta({ description: 'Reviews that mention it; each counts once.' }),
    stars: starCounts,
    average: z.number().min(1).max(5),
    exampleIds: z.array(id).min(1).max(3),
  })
  .meta({ id: 'ReviewTopic' });

export const ratingDay = z
  .strictObject({
    date: utcDay,
    country,
    rating: z.number().min(0).max(5).nullable(),
    ratingCount: z.int().min(0).nullable(),
    histogram: starCounts.nullable(),
  })
  .meta({ id: 'RatingDay' });

export const reviews = operationsOf({
  'GET /apps/{id}/reviews': {
    summary: 'List reviews',
    description:
      'Lists the reviews of an app that were collected for this workspace. A review that Google ' +
      'Play shows in several countries is listed once, unless `country` names one of them.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...paging,
      ...dayRange,
      rating: starsText,
      country: country.optional(),
      version: z.string().min(1).max(100).optional(),
      language: languageText,
      q: z.string().max(100).optional(),
      hasReply: flagText.optional(),
      tag: tag.optional(),
      unread: flagText.optional(),
      sort: z.enum(['newest', 'lowest']).default('newest'),
    }),
    responses: { 200: listOf(review) },
  },
  'GET /reviews/{reviewId}': {
    summary: 'Get a review',
    description: 'Returns a review with its earlier versions.',
    rateClass: 'read',
    readOnlyToken: true,
    versioned: editableOfReview,
    params: reviewIdParam,
    responses: {
      200: z.strictObject({
        ...review.shape,
        history: z.array(reviewVersion).meta({ description: 'Earlier versions, oldest first.' }),
      }),
    },
  },
  'PATCH /reviews/{reviewId}': {
    summary: 'Update a review',
    description:
      'Changes the tags, the note and the read mark that this workspace keeps with a ' + 'review.',
    rateClass: 'write',
    readOnlyToken: false,
    versioned: editableOfReview,
    params: reviewIdParam,
    body: z.strictObject({
      tags: tags.optional(),
      note: note.nullable().optional(),
      read: z.boolean().optional(),
    }),
    example: { read: true, tags: ['crash'] },
    responses: { 200: review },
  },
  'POST /apps/{id}/reviews/sync': {
    summary: 'Sync reviews now',
    description:
      'Collects new reviews of the app from the store now. Poll the job for its progress.',
    rateClass: 'store',
    onDemand: 'run-daily',
    readOnlyToken: false,
    idempotent: true,
    enqueues: true,
    params: idParam,
    responses: { 202: accepted },
  },
  'GET /apps/{id}/reviews/stats': {
    summary: 'Get review statistics',
    description:
      'Counts reviews by stars, for each day, version or country. A review that Google Play ' +
      'shows in several countries counts once, in the one where it was seen first.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...dayRange,
      by: z.enum(['day', 'version', 'country']).default('day'),
      country: country.optional(),
    }),
    responses: { 200: reviewStats },
  },
  'GET /apps/{id}/reviews/topics': {
    summary: 'List review topics',
    description: 'Lists the phrases that occur in several reviews, by stars.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({
      ...dayRange,
      rating: starsText,
      country: country.optional(),
      language: languageText,
      limit: integerText(1, 200).default(50),
    }),
    responses: {
      200: z.strictObject({
        items: z.array(reviewTopic),
        examined: z
          .int()
          .min(0)
          .meta({ description: 'Reviews read for this: the newest, at most 1,000.' }),
        total: z.int().min(0).meta({ description: 'Reviews in the range.' }),
      }),
    },
  },
  'GET /apps/{id}/ratings': {
    summary: 'List ratings',
    description: 'Lists the rating and the number of ratings day by day.',
    rateClass: 'read',
    readOnlyToken: true,
    params: idParam,
    query: z.strictObject({ ...paging, ...dayRange, country: country.optional() }),
    responses: { 200: listOf(ratingDay) },
  },
});
