import { defaultDeviceOf } from '#domain/base/ports.ts';
import { expect } from 'vitest';
import { checkOf, checksOf, type AnnsFacts, type ExpectedAction } from './thirty-days-outcome.ts';
import {
  dayOf,
  flood,
  phrases,
  receiverDown,
  competitors,
  scale,
  texts,
} from './thirty-days-plan.ts';

type StoreName = 'ios' | 'android';
type Given = Pick<ExpectedAction, 'opened' | 'gone' | 'ended' | 'severity'>;

const country = 'us';
const titleOn = (day: number) => texts.title[day < 2 ? 0 : 1];
const subtitleOn = (day: number) => texts.subtitle[day < 5 ? 0 : 1];

/**
 * Every action that Ann ever gets, by the rules of docs/actions.md, with its evidence on each day.
 */
export function expectedActions(facts: AnnsFacts): ExpectedAction[] {
  const all = [
    ...keywordActions(facts),
    ...listingTextActions(facts),
    ...competitorActions(facts),
    ...reviewActions(facts),
    ...operationalActions(facts),
  ];
  return all
    .filter(({ opened }) => opened < scale.days)
    .map((one) => (one.gone !== undefined && one.gone < scale.days ? one : withoutEnd(one)));
}

const withoutEnd = ({ gone: _gone, ...action }: ExpectedAction): ExpectedAction => action;

function keywordActions(facts: AnnsFacts): ExpectedAction[] {
  const drop = (
    store: StoreName,
    phrase: string,
    usual: number,
    given: Omit<Given, 'severity'>,
  ): ExpectedAction => ({
    ...given,
    severity:
      usual <= 10 && facts.score(store, phrase, given.opened).traffic >= 60 ? 'high' : 'medium',
    type: 'rank-drop',
    appId: facts.appIds[store],
    keywordIds: () => [facts.keywordId(store, phrase)],
    evidence: (day) => {
      const checks = checksOf(store, phrase, day).filter(({ date }) => date > dayOf(day - 30));
      const latest = checks.at(-1)!;
      return {
        phrase,
        country,
        device: defaultDeviceOf(store),
        usualPosition: usual,
        usualOverChecks: checks.length - 2,
        latest,
        recent: checks.slice(-2),
        positionsLost: latest.position! - usual,
        traffic: facts.score(store, phrase, day).traffic,
      };
    },
  });
  return [
    // Nine checks in the end, seven of them at 20. On day 14 one of the newest two is back.
    drop('ios', 'mood journal', 20, { opened: 8, gone: 14 }),
    // Day 4 has none, so the ninth check is on day 9; on day 11 most of the earlier ones are at 18.
    drop('android', 'habit tracker', 9, { opened: 9, gone: 11 }),
    drop('ios', 'habit tracker', 8, { opened: 21, gone: 24 }),
    {
      opened: 2,
      gone: 19,
      severity: 'medium',
      type: 'striking-distance',
      appId: facts.appIds.ios,
      keywordIds: () => [facts.keywordId('ios', 'gratitude journal')],
      evidence: (day) => ({
        phrase: 'gratitude journal',
        country,
        device: 'iphone',
        top: 10,
        within: 15,
        checks: checksOf('ios', 'gratitude journal', day).slice(-3),
        traffic: facts.score('ios', 'gratitude journal', day).traffic,
      }),
    },
  ];
}

/** The keyword field is saved at noon of day 5, and better at noon of day 10. */
function listingTextActions(facts: AnnsFacts): ExpectedAction[] {
  const missing = (
    phrase: string,
    words: string[],
    given: Omit<Given, 'severity'>,
  ): ExpectedAction => ({
    ...given,
    severity: facts.score('ios', phrase, given.opened).opportunity >= 40 ? 'high' : 'medium',
    type: 'missing-keyword',
    appId: facts.appIds.ios,
    keywordIds: () => [facts.keywordId('ios', phrase)],
    evidence: (day) => ({
      phrase,
      country,
      device: 'iphone',
      missing: words,
      searchedTexts: ['title', 'subtitle', 'keywordField'],
      ...facts.score('ios', phrase, day),
      latest: checkOf('ios', phrase, day),
      title: titleOn(day),
      subtitle: subtitleOn(day),
      textsOf: country,
      textsReadOn: dayOf(day),
      keywordFields: day <= 5 ? null : [texts.field],
      keywordFieldLocales: day <= 5 ? [] : ['default'],
    }),
  });
  const fitting = (day: number) =>
    ['gratitude journal', 'daily planner']
      .map((phrase) => ({
        keywordId: facts.keywordId('ios', phrase),
        phrase,
        ...facts.score('ios', phrase, day),
      }))
      .toSorted((a, b) => b.opportunity - a.opportunity || b.traffic - a.traffic)
      .map(({ difficulty: _difficulty, ...shown }) => shown);
  return [
    missing('daily planner', ['daily', 'planner'], { opened: 0, gone: 6 }),
    missing('gratitude journal', ['gratitude'], { opened: 5, gone: 11 }),
    {
      opened: 5,
      severity: 'low',
      type: 'unused-title',
      appId: facts.appIds.ios,
      keywordIds: (day) => fitting(day).map(({ keywordId }) => keywordId),
      evidence: (day) => ({
        countries: [country],
        unusedSpaces: [{ field: 'subtitle', text: texts.subtitle[1], unused: 18, limit: 30 }],
        readOn: dayOf(day),
        fitting: fitting(day),
      }),
    },
    {
      opened: 6,
      gone: 11,
      severity: 'medium',
      type: 'keyword-field-waste',
      appId: facts.appIds.ios,
      keywordIds: () => [],
      evidence: () => ({
        locale: 'default',
        normalized: texts.field,
        savedOn: dayOf(5),
        wastedCharacters: 'habit,'.length,
        unusedCharacters: 100 - texts.field.length,
        limit: 100,
        wastedWords: [{ word: 'habit', because: 'in the title' }],
        title: texts.title[1],
        subtitle: texts.subtitle[1],
      }),
    },
  ];
}

function competitorActions(facts: AnnsFacts): ExpectedAction[] {
  const changed = (
    competitor: 'steady' | 'android',
    after: string,
    words: string[],
    given: Omit<Given, 'severity'>,
  ): ExpectedAction => ({
    ...given,
    severity: 'medium',
    type: 'competitor-changed',
    appId: facts.appIds[competitors[competitor].store],
    keywordIds: () => (words.includes('habit') ? [facts.keywordId('ios', 'habit tracker')] : []),
    evidence: () => ({
      competitorId: facts.competitorIds[competitor],
      competitor: after,
      detectedOn: dayOf(given.opened),
      changes: [
        { country, field: 'name', before: facts.nameOf(competitors[competitor], 0), after },
      ],
      changesInAll: 1,
      countries: [country],
      wordsGained: words,
      keywordsTouched: words.includes('habit') ? 1 : 0,
    }),
  });
  return [
    // After two weeks it is no news.
    changed('android', texts.androidCompetitorTitle, ['diary'], { opened: 5, gone: 19 }),
    changed('steady', texts.competitorTitle, ['habit'], {
      opened: 6,
      ended: { by: 'resolved', day: 6 },
    }),
    {
      opened: 8,
      gone: 22,
      severity: 'medium',
      type: 'competitor-entered',
      appId: facts.appIds.ios,
      keywordIds: () => [facts.keywordId('ios', 'mood journal')],
      evidence: (day) => ({
        phrase: 'mood journal',
        country,
        device: 'iphone',
        competitorId: facts.competitorIds.newcomer,
        competitor: facts.nameOf(competitors.newcomer, day),
        enteredOn: dayOf(8),
        comparedDays: 7,
        position: 6,
        date: dayOf(day),
        own: checkOf('ios', 'mood journal', day),
        traffic: facts.score('ios', 'mood journal', day).traffic,
      }),
    },
    {
      opened: 6,
      gone: 8,
      severity: 'medium',
      type: 'keyword-gap',
      appId: facts.appIds.ios,
      keywordIds: () => [facts.keywordId('ios', 'habit tracker')],
      evidence: (day) => ({
        phrase: 'habit tracker',
        country,
        device: 'iphone',
        own: checkOf('ios', 'habit tracker', day),
        competitors: [
          {
            keywordId: facts.keywordId('ios', 'habit tracker'),
            competitorId: facts.competitorIds.steady,
            name: texts.competitorTitle,
            position: 12,
            date: dayOf(day),
          },
        ],
        competitorsInAll: 1,
        traffic: facts.score('ios', 'habit tracker', day).traffic,
      }),
    },
  ];
}

function reviewActions(facts: AnnsFacts): ExpectedAction[] {
  return [
    {
      opened: flood.day,
      ended: { by: 'dismissed', day: flood.day },
      severity: 'medium',
      type: 'review-theme',
      appId: facts.appIds.ios,
      keywordIds: () => [],
      evidence: () => ({
        phrase: 'sync fails',
        reviews: 6,
        lowReviews: 6,
        lowReviewsInAll: 6,
        share: 1,
        maxRating: 2,
        stars: [6, 0, 0, 0, 0],
        exampleReviewIds: flood.low
          .toReversed()
          .slice(0, 3)
          .map(({ storeReviewId }) => facts.reviewId(storeReviewId)),
      }),
    },
    {
      opened: 30,
      severity: 'high',
      type: 'rating-fell',
      appId: facts.appIds.ios,
      keywordIds: () => [],
      evidence: (day) => ({
        country,
        before: { country, date: dayOf(day - 30), rating: 4.40432, ratingCount: 324 },
        now: { country, date: dayOf(day), rating: 4, ratingCount: 324 },
        fall: 0.404,
      }),
    },
  ];
}

function operationalActions(facts: AnnsFacts): ExpectedAction[] {
  const unanswered = (
    store: StoreName,
    silent: readonly string[],
    days: { from: number; lastOn: number },
    given: Given,
  ): ExpectedAction => ({
    ...given,
    type: 'store-check-failing',
    appId: facts.appIds[store],
    keywordIds: () => silent.map((phrase) => facts.keywordId(store, phrase)),
    evidence: (day) => ({
      country,
      failingKeywords: silent.length,
      keywords: phrases[store].length,
      since: dayOf(days.from),
      lastOn: dayOf(Math.min(day, days.lastOn)),
      markers: ['503'],
    }),
  });
  const { webhookId, host, since } = facts.failing;
  return [
    unanswered(
      'ios',
      ['goal tracker'],
      { from: 1, lastOn: 3 },
      { opened: 3, gone: 4, severity: 'medium' },
    ),
    unanswered(
      'ios',
      ['habit tracker'],
      { from: 16, lastOn: 19 },
      { opened: 18, gone: 20, severity: 'medium' },
    ),
    // No work waits for a store that is down: on its fourth day the three before are known.
    unanswered(
      'android',
      phrases.android,
      { from: 26, lastOn: 28 },
      { opened: 29, gone: 30, severity: 'high' },
    ),
    {
      opened: receiverDown.from + 1,
      gone: receiverDown.to + 1,
      severity: 'medium',
      type: 'webhook-failing',
      appId: null,
      keywordIds: () => [],
      // The number of attempts by the instant of the search is not determined.
      evidence: () => ({
        webhookId,
        host,
        disabledBy: null,
        failures: expect.any(Number),
        failingSince: since().toISOString(),
      }),
    },
  ];
}
