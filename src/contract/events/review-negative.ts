import { z } from 'zod';
import { bigId, country, instant, utcDay } from '../common.ts';
import { defineEvent } from './event-definition.ts';
import { appScope, enabled } from './rule-fields.ts';

export const reviewNegative = defineEvent({
  type: 'review.negative',
  description:
    'By default: the first, the tenth and the hundredth review of 2 stars or less that an app ' +
    'got on a day.',
  data: z
    .strictObject({
      reviewId: bigId.nullable().meta({
        description: 'Null when the event was imported with a file that lacks the review.',
      }),
      storeReviewId: z.string().meta({ description: 'The store’s id of the review.' }),
      country,
      rating: z.int().min(1).max(5),
      title: z.string().nullable(),
      text: z.string().nullable(),
      author: z.string().nullable(),
      version: z.string().nullable(),
      writtenAt: instant,
      ofDay: z
        .strictObject({ date: utcDay, number: z.int().min(1) })
        .optional()
        .meta({
          description:
            'The day on which the review was first seen, and its number among the negative ' +
            'reviews of the app on that day. Missing when the rule is about every review.',
        }),
    })
    .meta({ id: 'NegativeReview' }),
  sample: {
    reviewId: 90_210,
    storeReviewId: '11800000001',
    country: 'us',
    rating: 1,
    title: 'Lost my streak',
    text: 'After the update all my habits were gone.',
    author: 'june_b',
    version: '4.2.0',
    writtenAt: '2026-11-20T18:04:00.000Z',
    ofDay: { date: '2026-11-21', number: 1 },
  },
  samplePath: '/apps/3/reviews',
  rule: z.strictObject({
    event: z.literal('review.negative'),
    enabled,
    scope: appScope,
    maxRating: z
      .int()
      .min(1)
      .max(5)
      .optional()
      .meta({
        description:
          'This many stars or fewer. Without it the workspace’s `reviewNegativeMaxRating` ' +
          'applies, even if it is changed later.',
      }),
    maxAgeDays: z
      .int()
      .min(1)
      .max(30)
      .default(7)
      .meta({ description: 'First seen within this many days of its date.' }),
    everyReview: z
      .boolean()
      .default(false)
      .meta({
        description:
          'True: an alert for every review. False: an alert for the first, the tenth and the ' +
          'hundredth review of an app on a day.',
      }),
  }),
  message: {
    title: 'a low review',
    line: ({ rating, country: where, title, text, ofDay: of }) =>
      (of && of.number > 1 ? `${of.number} low reviews on ${of.date}, the last: ` : '') +
      `${'★'.repeat(rating)} (${where}) ${[title, text].filter(Boolean).join(': ')}`,
  },
  texts: {
    en: {
      title: 'Negative review',
      about: 'A new review has only a few stars.',
      many: '{{count}} negative reviews on {{day}}; the last one:',
      sentence_one: '{{count}}-star review ({{country}})',
      sentence_other: '{{count}}-star review ({{country}})',
      sentenceWithVersion_one: '{{count}}-star review ({{country}}), version {{version}}',
      sentenceWithVersion_other: '{{count}}-star review ({{country}}), version {{version}}',
    },
    de: {
      title: 'Negative Rezension',
      about: 'Eine neue Rezension mit wenigen Sternen.',
      many: '{{count}} negative Rezensionen am {{day}}; die letzte:',
      sentence_one: 'Rezension mit {{count}} Stern ({{country}})',
      sentence_other: 'Rezension mit {{count}} Sternen ({{country}})',
      sentenceWithVersion_one: 'Rezension mit {{count}} Stern ({{country}}), Version {{version}}',
      sentenceWithVersion_other:
        'Rezension mit {{count}} Sternen ({{country}}), Version {{version}}',
    },
    ja: {
      title: '低評価レビュー',
      about: '星の少ない新しいレビューが付いたとき。',
      many: '{{day}}に低評価レビューが{{count}}件。最新：',
      sentence_other: '{{country}}から星{{count}}のレビュー',
      sentenceWithVersion_other: '{{country}}から星{{count}}のレビュー（バージョン{{version}}）',
    },
  },
});
