import { defaultDeviceOf } from '#domain/base/ports.ts';
import {
  dayOf,
  flood,
  isReachable,
  own,
  positions,
  reviews,
  competitors,
  scale,
  stranger,
  texts,
} from './thirty-days-plan.ts';

type StoreName = 'ios' | 'android';
type Score = { traffic: number; difficulty: number; opportunity: number };

/** Values that only the run can provide: ids, and scores as the API returned them on a day. */
export interface AnnsFacts {
  appIds: Record<StoreName, number>;
  keywordId(store: StoreName, phrase: string): number;
  competitorIds: Record<keyof typeof competitors, number>;
  reviewId(storeReviewId: string): number;
  score(store: StoreName, phrase: string, day: number): Score;
  /** As the store formats them. */
  nameOf(app: { store: StoreName; storeAppId: string }, day: number): string;
  developerOf(app: { store: StoreName; storeAppId: string }): string;
  /** The failing receiver, by its own log. */
  failing: { webhookId: number; host: string; since(): Date };
}

/** An event of a day, its `data` in full. */
export interface ExpectedEvent {
  day: number;
  type: string;
  appId: number;
  data: object;
}

/** An action as it is created, and as it reads from then on. */
export interface ExpectedAction {
  opened: number;
  /** The first day whose search does not find it any more. */
  gone?: number;
  /** Dismissed by Ann at noon of a day, permanently. */
  ended?: { by: 'dismissed' | 'resolved'; day: number };
  type: string;
  appId: number | null;
  severity: string;
  keywordIds(day: number): number[];
  evidence(day: number): object;
}

const depths = { ios: 60, android: 30 } as const;
const country = 'us';

/** The checked days of a keyword up to a day, as planned. */
export function checksOf(
  store: StoreName,
  phrase: string,
  upTo: number,
): { date: string; position: number | null; depth: number }[] {
  const { from } = positions.find((one) => one.store === store && one.phrase === phrase)!;
  return Array.from({ length: upTo + 1 }, (_, day) => day)
    .filter((day) => isReachable({ store, country, phrase }, day))
    .map((day) => ({
      date: dayOf(day),
      position: from.findLast(([since]) => since <= day)![1],
      depth: depths[store],
    }));
}
export const checkOf = (store: StoreName, phrase: string, day: number) =>
  checksOf(store, phrase, day).at(-1)!;

export function expectedEvents(facts: AnnsFacts): ExpectedEvent[] {
  const all = [...rankEvents(facts), ...entrants(facts), ...changes(facts), ...lowReviews(facts)];
  return all.filter(({ day }) => day < scale.days);
}

function rankEvents(facts: AnnsFacts): ExpectedEvent[] {
  const move = (
    store: StoreName,
    phrase: string,
    [from, to]: [number, number],
    crossed: number[],
    reasons: string[],
  ): ExpectedEvent => {
    const [before, now] = [checkOf(store, phrase, from), checkOf(store, phrase, to)];
    const gained =
      before.position === null || now.position === null ? null : before.position - now.position;
    const isWorse =
      now.position === null || (before.position !== null && now.position > before.position);
    return {
      day: to,
      type: isWorse ? 'rank.dropped' : 'rank.improved',
      appId: facts.appIds[store],
      data: {
        keywordId: facts.keywordId(store, phrase),
        phrase,
        country,
        device: defaultDeviceOf(store),
        from: before,
        to: now,
        positionsGained: gained,
        reasons,
        crossed,
      },
    };
  };
  return [
    move('ios', 'habit tracker', [5, 6], [10, 50], ['left', 'crossed']),
    move('ios', 'habit tracker', [7, 8], [10, 50], ['entered', 'crossed']),
    // It fell to 20 after four days without a result: nothing is compared across those.
    move('ios', 'habit tracker', [23, 24], [10], ['moved', 'crossed']),
    move('ios', 'mood journal', [6, 7], [50], ['moved', 'crossed']),
    move('ios', 'mood journal', [13, 14], [50], ['moved', 'crossed']),
    // From 13 to 15 on day 4 is no news.
    move('ios', 'gratitude journal', [18, 19], [10], ['moved', 'crossed']),
    // It fell while the store was down: reported the day after, compared with the day before. Ann's
    // rule for the app needs ten positions or the top 10.
    move('android', 'habit tracker', [3, 5], [10], ['crossed']),
    // That store shows only thirty positions: 50 was neither held nor lost.
    move('android', 'mood tracker', [1, 2], [], ['left']),
    move('android', 'mood tracker', [2, 3], [], ['entered']),
    // The fall of day 6 is within the five days of the rule's cooldown.
    move('android', 'mood tracker', [6, 7], [], ['entered']),
  ];
}

function entrants(facts: AnnsFacts): ExpectedEvent[] {
  const entrantAlert = (
    phrase: string,
    position: number,
    app: typeof stranger | typeof competitors.newcomer,
    competitorId: number | null,
  ): ExpectedEvent => ({
    day: 8,
    type: 'serp.entrant',
    appId: facts.appIds.ios,
    data: {
      keywordId: facts.keywordId('ios', phrase),
      phrase,
      country,
      device: 'iphone',
      date: dayOf(8),
      position,
      depth: depths.ios,
      entrant: listing(facts, app, 8),
      competitorId,
      daysAbsent: 7,
    },
  });
  return [
    entrantAlert('gratitude journal', 4, stranger, null),
    entrantAlert('mood journal', 6, competitors.newcomer, facts.competitorIds.newcomer),
  ];
}

const listing = (facts: AnnsFacts, app: { store: StoreName; storeAppId: string }, day: number) => ({
  store: app.store,
  storeAppId: app.storeAppId,
  name: facts.nameOf(app, day),
  developer: facts.developerOf(app),
});

function changes(facts: AnnsFacts): ExpectedEvent[] {
  const change = (
    day: number,
    previous: number,
    subject: keyof typeof own | keyof typeof competitors | 'own',
    fields: object[],
  ): ExpectedEvent => {
    const isOwn = subject === 'own';
    const app = isOwn ? own.ios : competitors[subject as keyof typeof competitors];
    return {
      day,
      type: 'metadata.changed',
      appId: facts.appIds[app.store],
      data: {
        subject: isOwn ? 'app' : 'competitor',
        competitorId: isOwn ? null : facts.competitorIds[subject as keyof typeof competitors],
        listing: listing(facts, app, day),
        country,
        date: dayOf(day),
        previousDate: dayOf(previous),
        changes: fields,
      },
    };
  };
  return [
    change(2, 1, 'own', [
      { field: 'name', before: texts.title[0], after: texts.title[1] },
      { field: 'version', before: '8.0.0', after: '9.0.0' },
    ]),
    change(3, 2, 'own', [{ field: 'price', before: 0, after: 2.99 }]),
    change(5, 4, 'own', [
      { field: 'subtitle', before: texts.subtitle[0], after: texts.subtitle[1] },
    ]),
    // Its description changed too, which Ann's rule excludes; so did that of her own app on Android
    // on day 7.
    change(6, 5, 'steady', [
      { field: 'name', before: facts.nameOf(competitors.steady, 0), after: texts.competitorTitle },
    ]),
    // It changed while its store was down.
    change(5, 3, 'android', [
      {
        field: 'name',
        before: facts.nameOf(competitors.android, 0),
        after: texts.androidCompetitorTitle,
      },
    ]),
  ];
}

/**
 * No alert: three stars, reviews older than a week when first seen, and two stars on Android, where
 * Ann's rule needs one.
 */
function lowReviews(facts: AnnsFacts): ExpectedEvent[] {
  const alertOf = (
    day: number,
    store: StoreName,
    review: Record<'storeReviewId' | 'body' | 'author' | 'version' | 'at', string>,
    rest: object,
  ) => ({
    day,
    type: 'review.negative',
    appId: facts.appIds[store],
    data: {
      reviewId: facts.reviewId(review.storeReviewId),
      storeReviewId: review.storeReviewId,
      country,
      text: review.body,
      author: review.author,
      version: review.version,
      writtenAt: new Date(review.at).toISOString(),
      ...rest,
    },
  });
  const { turned, android } = reviews;
  return [
    ...flood.low.map((review) =>
      alertOf(flood.day, 'ios', review, { rating: 1, title: review.title }),
    ),
    alertOf(
      6,
      'ios',
      { ...turned, at: `${dayOf(5)}T10:00:00Z`, body: 'The rings are gone.' },
      { rating: 2, title: turned.title },
    ),
    alertOf(
      6,
      'android',
      {
        ...android,
        at: `${dayOf(5)}T10:00:00Z`,
        body: 'It took my money.',
        storeReviewId: '00000000-0000-4000-a000-000000000002',
      },
      { rating: 1, title: null },
    ),
  ];
}
