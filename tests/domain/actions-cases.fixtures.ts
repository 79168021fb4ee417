import type { ActionType } from '#contract/actions.ts';
import type { AppFacts } from '#domain/insights/actions/facts.ts';
import {
  evaluateAppRules,
  evaluateWorkspaceRules,
  type Found,
} from '#domain/insights/actions/generate-actions.ts';
import { addDays } from '#lib/dates.ts';
import {
  checksOf,
  factsOf,
  failingOf,
  keywordOf,
  lowReviews,
  ratingsOf,
  textOf,
  today,
  webhookOf,
} from './actions.fixtures.ts';

export const steady = (position: number | null, days: number) =>
  Array.from({ length: days }, () => position);
/** A keyword at its usual position for days, then at the newest ones. */
const fallen = (usual: number | null, ...newest: (number | null)[]) =>
  keywordOf({ positions: [...steady(usual, 7), ...newest] });

export interface Case {
  name: string;
  facts: AppFacts;
  /** Severities of the findings, in order; '' for none. */
  finds: string;
}

const one = (keyword: ReturnType<typeof keywordOf>, more: Partial<AppFacts> = {}) =>
  factsOf({ keywords: [keyword], ...more });
const competitor = { keywordId: 481, competitorId: 12, name: 'Streaky' };
const entered = {
  ...competitor,
  enteredOn: '2026-11-20',
  comparedDays: 7,
  position: 4,
  date: today,
};
const gap = { ...competitor, position: 20, date: today };
export const field = (normalized: string, locale = 'default') => ({
  locale,
  normalized,
  savedOn: today,
});
const change = { competitorId: 12, name: 'Streaky', country: 'us', detectedOn: '2026-11-20' };

export const cases: Partial<Record<ActionType, Case[]>> = {
  'rank-drop': [
    { name: 'five places below the usual, twice', facts: one(fallen(8, 13, 13)), finds: 'high' },
    { name: 'four places are no drop', facts: one(fallen(8, 13, 12)), finds: '' },
    { name: 'one bad check is no drop', facts: one(fallen(8, 8, 30)), finds: '' },
    {
      name: 'six earlier checks are too few for a usual position',
      facts: one(keywordOf({ positions: [...steady(8, 6), 20, 20] })),
      finds: '',
    },
    { name: 'a usual position of 50 counts', facts: one(fallen(50, 60, 60)), finds: 'medium' },
    { name: 'a usual position of 51 does not count', facts: one(fallen(51, 60, 60)), finds: '' },
    {
      name: 'traffic 40 is high enough',
      facts: one({ ...fallen(8, 20, 20), traffic: 40 }),
      finds: 'medium',
    },
    { name: 'traffic 39 is not', facts: one({ ...fallen(8, 20, 20), traffic: 39 }), finds: '' },
    {
      name: 'unknown traffic is mentioned, with low severity',
      facts: one({ ...fallen(8, 20, 20), traffic: null }),
      finds: 'low',
    },
    { name: 'below the searched depth', facts: one(fallen(20, null, null)), finds: 'medium' },
    {
      name: 'not found within a depth that is too shallow',
      facts: one(
        keywordOf({ checks: [...checksOf(steady(28, 7)), ...checksOf([null, null], 30)] }),
      ),
      finds: '',
    },
    {
      name: 'usually not found',
      facts: one(fallen(null, 90, 90)),
      finds: '',
    },
    {
      name: 'not checked lately',
      facts: one({ ...fallen(8, 20, 20), latest: null }),
      finds: '',
    },
  ],
  'striking-distance': [
    {
      name: 'at 11, 12 and 15',
      facts: one(keywordOf({ positions: [12, 15, 11] })),
      finds: 'medium',
    },
    { name: 'at 16 once', facts: one(keywordOf({ positions: [12, 16, 11] })), finds: '' },
    { name: 'at 10 once', facts: one(keywordOf({ positions: [12, 10, 11] })), finds: '' },
    { name: 'at 4 to 6', facts: one(keywordOf({ positions: [6, 4, 5] })), finds: 'medium' },
    { name: 'at 7', facts: one(keywordOf({ positions: [7, 7, 7] })), finds: '' },
    { name: 'two checks are too few', facts: one(keywordOf({ positions: [11, 11] })), finds: '' },
    {
      name: 'traffic 49',
      facts: one(keywordOf({ positions: [11, 11, 11], traffic: 49 })),
      finds: 'low',
    },
    {
      name: 'traffic 29',
      facts: one(keywordOf({ positions: [11, 11, 11], traffic: 29 })),
      finds: '',
    },
    {
      name: 'unknown traffic',
      facts: one(keywordOf({ positions: [11, 11, 11], traffic: null })),
      finds: 'low',
    },
  ],
  'missing-keyword': [
    {
      name: 'one of its words is missing in all texts',
      facts: one(keywordOf({ opportunity: 25 }), { texts: [textOf()] }),
      finds: 'medium',
    },
    {
      name: 'worth 40',
      facts: one(keywordOf({ opportunity: 40 }), { texts: [textOf()] }),
      finds: 'high',
    },
    {
      name: 'worth 24',
      facts: one(keywordOf({ opportunity: 24 }), { texts: [textOf()] }),
      finds: '',
    },
    {
      name: 'both words in the saved field',
      facts: one(keywordOf(), { texts: [textOf()], fields: [field('habit,tracker')] }),
      finds: '',
    },
    {
      name: 'words split between title and subtitle',
      facts: one(keywordOf(), { texts: [textOf({ name: 'Habit', subtitle: 'A tracker' })] }),
      finds: '',
    },
    {
      name: 'a subtitle that was not fetched may contain it',
      facts: one(keywordOf(), { texts: [textOf({ subtitle: null, isSubtitleKnown: false })] }),
      finds: '',
    },
    {
      name: 'only a function word is missing',
      facts: one(keywordOf({ phrase: 'habit with the tracker' }), {
        texts: [textOf({ name: 'Habit', subtitle: 'Tracker' })],
      }),
      finds: '',
    },
    {
      name: 'an advertising word is missing',
      facts: one(keywordOf({ phrase: 'free habit tracker' }), {
        texts: [textOf({ name: 'Habit', subtitle: 'Tracker' })],
      }),
      finds: 'medium',
    },
    { name: 'a listing that was not fetched', facts: one(keywordOf()), finds: '' },
    {
      name: 'an unknown opportunity',
      facts: one(keywordOf({ opportunity: null }), { texts: [textOf()] }),
      finds: '',
    },
    {
      name: 'on Android, descriptions count',
      facts: {
        ...one(keywordOf(), { texts: [textOf({ description: 'The habit tracker.' })] }),
        app: factsOf({ store: 'android' }).app,
      },
      finds: '',
    },
  ],
  'keyword-field-waste': [
    {
      name: 'a word of the title wastes its comma too',
      facts: factsOf({ texts: [textOf()], fields: [field(`habits,${'x'.repeat(93)}`)] }),
      finds: '',
    },
    {
      name: 'eight wasted characters',
      facts: factsOf({ texts: [textOf()], fields: [field(`streaks,${'x'.repeat(92)}`)] }),
      finds: 'low',
    },
    {
      name: '20 unused characters',
      facts: factsOf({ texts: [textOf()], fields: [field('x'.repeat(80))] }),
      finds: 'low',
    },
    {
      name: '19 unused characters',
      facts: factsOf({ texts: [textOf()], fields: [field('x'.repeat(81))] }),
      finds: '',
    },
    {
      name: '30 in total',
      facts: factsOf({ texts: [textOf()], fields: [field('x'.repeat(70))] }),
      finds: 'medium',
    },
    {
      name: 'a field that was never saved',
      facts: factsOf({ texts: [textOf()] }),
      finds: '',
    },
    {
      name: 'a word twice in the field, without a listing',
      facts: factsOf({ fields: [field(`meditate now,meditate,now,${'x'.repeat(74)}`)] }),
      finds: 'low',
    },
    {
      name: 'a word of the title that another locale shows',
      facts: factsOf({
        texts: [textOf({ country: 'mx', name: 'Lumen', subtitle: null }), textOf()],
        fields: [field(`streaks,${'x'.repeat(92)}`, 'es-MX')],
      }),
      finds: '',
    },
    {
      name: 'a word of the title that this locale shows, whatever its case',
      facts: factsOf({
        texts: [textOf({ country: 'mx' }), textOf({ name: 'Lumen', subtitle: null })],
        fields: [field(`streaks,${'x'.repeat(92)}`, 'es-mx')],
      }),
      finds: 'low',
    },
    {
      name: 'a word of the title that the language of this locale shows',
      facts: factsOf({
        texts: [textOf({ country: 'jp' }), textOf({ name: 'Lumen', subtitle: null })],
        fields: [field(`streaks,${'x'.repeat(92)}`, 'ja-JP')],
      }),
      finds: 'low',
    },
    {
      name: 'a word twice in the field of a locale that no read listing shows',
      facts: factsOf({
        texts: [textOf()],
        fields: [field(`meditate now,meditate,now,${'x'.repeat(74)}`, 'de-DE')],
      }),
      finds: 'low',
    },
  ],
  'unused-title': [
    {
      name: 'a title of 20',
      facts: factsOf({ texts: [textOf({ name: 'x'.repeat(20) })] }),
      finds: 'low',
    },
    {
      name: 'a title of 21',
      facts: factsOf({ texts: [textOf({ name: 'x'.repeat(21) })] }),
      finds: '',
    },
    {
      name: 'no subtitle',
      facts: factsOf({ texts: [textOf({ subtitle: null })] }),
      finds: 'medium',
    },
    {
      name: 'a subtitle of 20',
      facts: factsOf({ texts: [textOf({ subtitle: 'x'.repeat(20) })] }),
      finds: 'low',
    },
    {
      name: 'a subtitle that was not fetched',
      facts: factsOf({ texts: [textOf({ subtitle: null, isSubtitleKnown: false })] }),
      finds: '',
    },
    {
      name: 'a short description of 55 on Android',
      facts: factsOf({
        store: 'android',
        texts: [textOf({ subtitle: null, summary: 'x'.repeat(55) })],
      }),
      finds: 'low',
    },
    {
      name: 'one of 56',
      facts: factsOf({
        store: 'android',
        texts: [textOf({ subtitle: null, summary: 'x'.repeat(56) })],
      }),
      finds: '',
    },
    {
      name: 'the same texts in two countries, found once',
      facts: factsOf({
        texts: [textOf({ name: 'Lumen' }), textOf({ name: 'Lumen', country: 'gb' })],
      }),
      finds: 'low',
    },
  ],
  'competitor-entered': [
    {
      name: 'ahead of the app, in its top 10',
      facts: one(keywordOf({ positions: [9] }), { entrants: [entered] }),
      finds: 'high',
    },
    {
      name: 'behind the app',
      facts: one(keywordOf({ positions: [3] }), { entrants: [entered] }),
      finds: 'medium',
    },
    {
      name: 'on a keyword of traffic 40',
      facts: one(keywordOf({ positions: [null], traffic: 40 }), { entrants: [entered] }),
      finds: 'medium',
    },
    {
      name: 'on one of traffic 39, without a position of the app',
      facts: one(keywordOf({ positions: [null], traffic: 39 }), { entrants: [entered] }),
      finds: '',
    },
    {
      name: 'on one where the app is at 20',
      facts: one(keywordOf({ positions: [20], traffic: null }), { entrants: [entered] }),
      finds: 'low',
    },
    {
      name: 'at 21, of unknown traffic',
      facts: one(keywordOf({ positions: [21], traffic: null }), { entrants: [entered] }),
      finds: '',
    },
  ],
  'competitor-changed': [
    {
      name: 'fields of one day are one finding',
      facts: factsOf({
        competitorChanges: [
          { ...change, field: 'subtitle', before: 'Build habits', after: 'Habit tracker' },
          { ...change, field: 'name', before: 'Streaky', after: 'Streaky!' },
        ],
      }),
      finds: 'medium',
    },
    {
      name: 'a new icon',
      facts: factsOf({
        competitorChanges: [{ ...change, field: 'iconUrl', before: 'a', after: 'b' }],
      }),
      finds: 'low',
    },
    { name: 'nothing changed', facts: factsOf(), finds: '' },
  ],
  'keyword-gap': [
    {
      name: 'a competitor at 20',
      facts: one(keywordOf({ positions: [null] }), { gaps: [gap] }),
      finds: 'medium',
    },
    {
      name: 'one at 21',
      facts: one(keywordOf({ positions: [null] }), { gaps: [{ ...gap, position: 21 }] }),
      finds: '',
    },
    {
      name: 'one at 10 where traffic is 60',
      facts: one(keywordOf({ positions: [null], traffic: 60 }), {
        gaps: [{ ...gap, position: 10 }],
      }),
      finds: 'high',
    },
    {
      name: 'traffic 39',
      facts: one(keywordOf({ positions: [null], traffic: 39 }), { gaps: [gap] }),
      finds: '',
    },
    {
      name: 'unknown traffic',
      facts: one(keywordOf({ positions: [null], traffic: null }), { gaps: [gap] }),
      finds: 'low',
    },
    {
      name: 'the app has a position too',
      facts: one(keywordOf({ positions: [150] }), { gaps: [gap] }),
      finds: '',
    },
  ],
  'review-theme': [
    {
      name: 'in three reviews',
      facts: factsOf({ reviews: lowReviews(['widget crashes', 'the widget', 'widget gone']) }),
      finds: 'medium',
    },
    {
      name: 'in three of the newest reviews of many',
      facts: factsOf({ reviews: lowReviews(['widget a', 'widget b', 'widget c'], 1_234) }),
      finds: 'medium',
    },
    {
      name: 'in two reviews',
      facts: factsOf({ reviews: lowReviews(['widget crashes', 'the widget', 'lost everything']) }),
      finds: '',
    },
    {
      name: 'three of sixteen are too small a share',
      facts: factsOf({
        reviews: lowReviews([
          'widget',
          'widget',
          'widget',
          ...Array.from({ length: 13 }, (_, index) => `other${'abcdefghijklm'[index]}`),
        ]),
      }),
      finds: '',
    },
    {
      name: 'in ten reviews',
      facts: factsOf({
        reviews: lowReviews(
          Array.from({ length: 10 }, (_, index) => `widget ${'abcdefghij'[index]}`),
        ),
      }),
      finds: 'high',
    },
  ],
  'rating-fell': [
    { name: 'by 0.1', facts: factsOf({ ratings: ratingsOf(4.6, 4.5) }), finds: 'low' },
    { name: 'by less', facts: factsOf({ ratings: ratingsOf(4.6, 4.501) }), finds: '' },
    { name: 'by 0.2', facts: factsOf({ ratings: ratingsOf(4.6, 4.4) }), finds: 'medium' },
    { name: 'by 0.3', facts: factsOf({ ratings: ratingsOf(4.6, 4.3) }), finds: 'high' },
    {
      name: 'of 49 ratings',
      facts: factsOf({ ratings: ratingsOf(4.6, 4.3, { count: 49 }) }),
      finds: '',
    },
    {
      name: 'since too recent a day',
      facts: factsOf({ ratings: ratingsOf(4.6, 4.3, { daysAgo: 29 }) }),
      finds: '',
    },
    {
      name: 'since too old a day',
      facts: factsOf({ ratings: ratingsOf(4.6, 4.3, { daysAgo: 38 }) }),
      finds: '',
    },
    {
      name: 'not fetched for eight days',
      facts: factsOf({ ratings: ratingsOf(4.6, 4.3, { newest: addDays(today, -8) }) }),
      finds: '',
    },
    { name: 'it rose', facts: factsOf({ ratings: ratingsOf(4.3, 4.6) }), finds: '' },
  ],
  'hopeless-keyword': [
    {
      name: 'difficulty 70, 20 checks, never found',
      facts: one(keywordOf({ positions: steady(null, 20), difficulty: 70 })),
      finds: 'low',
    },
    {
      name: 'difficulty 69',
      facts: one(keywordOf({ positions: steady(null, 20), difficulty: 69 })),
      finds: '',
    },
    {
      name: '19 checks',
      facts: one(keywordOf({ positions: steady(null, 19), difficulty: 90 })),
      finds: '',
    },
    {
      name: 'found once',
      facts: one(keywordOf({ positions: [190, ...steady(null, 20)], difficulty: 90 })),
      finds: '',
    },
    {
      name: 'tracked for 29 days',
      facts: one(
        keywordOf({
          positions: steady(null, 20),
          difficulty: 90,
          followedSince: addDays(today, -28),
        }),
      ),
      finds: '',
    },
    {
      name: 'difficulty not known',
      facts: one(keywordOf({ positions: steady(null, 20), difficulty: null })),
      finds: '',
    },
  ],
  'untracked-country': [
    {
      name: 'three phrases of traffic 50',
      facts: factsOf({ demand: [demandOf(50, 50, 50)] }),
      finds: 'medium',
    },
    { name: 'two of them', facts: factsOf({ demand: [demandOf(50, 50)] }), finds: '' },
    {
      name: 'the app’s own country with 100 ratings',
      facts: factsOf({ demand: [{ ...demandOf(), isPrimary: true, ratingCount: 100 }] }),
      finds: 'low',
    },
    {
      name: 'with 99',
      facts: factsOf({ demand: [{ ...demandOf(), isPrimary: true, ratingCount: 99 }] }),
      finds: '',
    },
    {
      name: 'with a number that is not known',
      facts: factsOf({ demand: [{ ...demandOf(), isPrimary: true }] }),
      finds: '',
    },
  ],
  'store-check-failing': [
    { name: 'three days', facts: one(keywordOf(), { failing: [failingOf()] }), finds: 'high' },
    { name: 'two days', facts: one(keywordOf(), { failing: [failingOf({ days: 2 })] }), finds: '' },
    {
      name: 'up to yesterday',
      facts: one(keywordOf(), { failing: [failingOf({ lastOn: addDays(today, -1) })] }),
      finds: 'high',
    },
    {
      name: 'up to the day before',
      facts: one(keywordOf(), { failing: [failingOf({ lastOn: addDays(today, -2) })] }),
      finds: '',
    },
    {
      name: 'one of three keywords',
      facts: factsOf({
        keywords: [keywordOf(), keywordOf({ id: 482 }), keywordOf({ id: 483 })],
        failing: [failingOf()],
      }),
      finds: 'medium',
    },
  ],
};

function demandOf(...traffic: number[]): AppFacts['demand'][number] {
  return {
    country: 'de',
    isPrimary: false,
    ratingCount: null,
    phrases: traffic.map((score, index) => ({ phrase: `phrase ${index}`, traffic: score })),
    phrasesInAll: traffic.length,
    trafficInAll: traffic.reduce((sum, score) => sum + score, 0),
  };
}

export const webhooksNow = new Date('2026-11-21T12:00:00Z');
export const webhookCases = [
  { name: 'a day and five failures', webhook: webhookOf(), finds: 'medium' },
  { name: 'four failures', webhook: webhookOf({ failures: 4 }), finds: '' },
  {
    name: 'not yet a day',
    webhook: webhookOf({ failingSince: new Date('2026-11-20T12:00:01Z') }),
    finds: '',
  },
  { name: 'disabled for failing', webhook: webhookOf({ disabledBy: 'failing' }), finds: 'high' },
  {
    name: 'disabled as gone',
    webhook: webhookOf({ disabledBy: 'gone', failures: 1, failingSince: null }),
    finds: 'high',
  },
  { name: 'disabled by somebody', webhook: webhookOf({ disabledBy: 'user' }), finds: '' },
];

/** All findings of the rules in these cases. */
export function evaluateCases(): Found['findings'] {
  const ofApps = Object.values(cases).flatMap((rows) =>
    rows.flatMap(({ facts }) => evaluateAppRules(facts).findings),
  );
  return [
    ...ofApps,
    ...webhookCases.flatMap(
      ({ webhook }) => evaluateWorkspaceRules({ now: webhooksNow, webhooks: [webhook] }).findings,
    ),
  ];
}
