import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventTypes } from '#contract/choices.ts';
import type { EventData, EventObject } from '#contract/events.ts';
import { addDays } from '#lib/dates.ts';
import type { Account } from '../harness/api.ts';
import {
  everyDrop,
  everyLowReview,
  everyMoveRules,
  everyRise,
} from '../harness/every-move-rules.ts';
import { trackProgress } from '../harness/progress.ts';
import {
  startMonth,
  type Action,
  type Endpoint,
  type Month,
  type Sent,
  type Tracked,
} from '../harness/thirty-days.ts';
import { expectedActions } from './thirty-days-actions.ts';
import * as bobs from './thirty-days-movement.ts';
import { expectedDigest } from './thirty-days-digest.ts';
import {
  checksOf,
  expectedEvents,
  type AnnsFacts,
  type ExpectedEvent,
} from './thirty-days-outcome.ts';
import {
  dayOf,
  days,
  faultsOf,
  firstDay,
  own,
  phrases,
  overrides,
  receiverDown,
  competitors,
  scale,
  texts,
  world,
} from './thirty-days-plan.ts';

const keywordEvents: EventObject['type'][] = ['rank.dropped', 'rank.improved', 'serp.entrant'];
const isKeywordEvent = ({ type }: EventObject) => keywordEvents.includes(type);
const numberOf = (instant: string) => days.indexOf(instant.slice(0, 10));

type Scores = { traffic: number; difficulty: number; opportunity: number };
const unscored: Scores = { traffic: 0, difficulty: 0, opportunity: 0 };

let month: Month;
let ann: Account;
let bob: Account;
let annsApps: Record<'ios' | 'android', Tracked>;
let facts: AnnsFacts;
let endpoints: Record<'/all' | '/ranks' | '/flaky' | '/chat' | '/bob', Endpoint>;
let annsEvents: EventObject[];
let annsActions: Action[];
let bobsEvents: EventObject[];
let bobsStranger: string;

beforeAll(async () => {
  month = await startMonth({ day: firstDay, world, overrides });
  await setUpAccounts();
  const scores = new Map<string, Scores>();
  const part = { name: 'virtual days', total: days.length, limitMs: 1_200_000 };
  await trackProgress(part, ({ add }) => liveThroughDays(scores, add));
  [annsEvents, bobsEvents, annsActions] = [
    await month.events(ann),
    await month.events(bob),
    await month.actions(ann),
  ];
  facts = {
    ...facts,
    score: (store, phrase, day) => scores.get(`${store} ${phrase} ${day}`) ?? unscored,
    ...(await readReviewIds()),
  };
}, 1_260_000);
afterAll(() => month.close());

async function liveThroughDays(scores: Map<string, Scores>, onDay: () => void): Promise<void> {
  for (const [number, day] of days.entries()) {
    if (number === receiverDown.from) month.down.add('/flaky');
    await month.simulateDay(day, faultsOf(number));
    if (number === receiverDown.to) month.down.clear();
    await atNoon(number);
    for (const store of ['ios', 'android'] as const) {
      const { items } = await month.api.ok(
        'GET /apps/{id}/keywords',
        { params: { id: annsApps[store].id } },
        ann,
      );
      for (const { phrase, traffic, difficulty, opportunity } of items) {
        scores.set(`${store} ${phrase} ${number}`, {
          traffic: traffic!,
          difficulty: difficulty!,
          opportunity: opportunity!,
        });
      }
    }
    onDay();
  }
}

/** Two people sign up before the first run, over the API. */
async function setUpAccounts(): Promise<void> {
  const { api, pipeline } = month;
  [ann, bob] = [await month.join(), await month.join()];
  endpoints = {
    '/all': await month.listen(ann, '/all', [...eventTypes]),
    '/ranks': await month.listen(ann, '/ranks', keywordEvents),
    '/flaky': await month.listen(ann, '/flaky', ['metadata.changed', 'action.opened']),
    '/chat': await month.listen(ann, '/chat', [...eventTypes], 'slack'),
    '/bob': await month.listen(bob, '/bob', [...eventTypes]),
  };
  annsApps = {
    ios: await month.trackApp(ann, own.ios, 'us', phrases.ios),
    android: await month.trackApp(ann, own.android, 'us', phrases.android),
  };
  const follow = async (account: Account, appId: number, { storeAppId }: { storeAppId: string }) =>
    (
      await api.ok(
        'POST /apps/{id}/competitors',
        { params: { id: appId }, body: { storeAppId } },
        account,
      )
    ).competitor.id;
  const competitorIds = {
    steady: await follow(ann, annsApps.ios.id, competitors.steady),
    newcomer: await follow(ann, annsApps.ios.id, competitors.newcomer),
    android: await follow(ann, annsApps.android.id, competitors.android),
  };
  const scope = { appIds: [annsApps.android.id] };
  const rules = [
    { ...everyDrop, scope, minPositions: 10, thresholds: [10], cooldownDays: 5 },
    everyDrop,
    everyRise,
    {
      event: 'metadata.changed' as const,
      fields: ['name' as const, 'subtitle' as const, 'price' as const, 'version' as const],
    },
    { ...everyLowReview, scope, maxRating: 1 },
    everyLowReview,
  ];
  await api.ok('PUT /alerts/rules', { body: { rules } }, ann);
  await api.ok('PUT /alerts/rules', { body: { rules: everyMoveRules } }, bob);
  const { simulator } = pipeline;
  const appOf = ({ store, storeAppId }: { store: 'ios' | 'android'; storeAppId: string }) =>
    simulator.world.catalogues[store].byId.get(storeAppId)!;
  facts = {
    appIds: { ios: annsApps.ios.id, android: annsApps.android.id },
    keywordId: (store, phrase) => annsApps[store].keywordIds.get(phrase)!,
    competitorIds,
    reviewId: () => 0,
    score: () => unscored,
    nameOf: (app, day) =>
      simulator.world.listing(appOf(app), { country: 'us', language: 'en', day: dayOf(day) }).title,
    developerOf: (app) => appOf(app).developer,
    failing: {
      webhookId: endpoints['/flaky'].id,
      host: new URL(endpoints['/flaky'].url).host,
      since: () => month.sent('/flaky').find(({ status }) => status !== 200)!.at,
    },
  };
  bobsStranger = bobs.overridesForBob(simulator).stranger;
  const bobsApp = await month.trackApp(bob, bobs.bobsApp, 'gb', bobs.bobsPhrases);
  await follow(bob, bobsApp.id, bobs.bobsCompetitor);
}

/** Ann's operations on her suggested actions. */
async function atNoon(number: number): Promise<void> {
  const { api } = month;
  const idOf = async (type: Action['type']) =>
    (await api.ok('GET /actions', { query: { type, state: 'open' } }, ann)).items.find(
      (action) => action.appId === annsApps.ios.id,
    )!.id;
  if (number === 2) {
    const body = { until: `${dayOf(5)}T00:00:00Z` };
    await api.ok(
      'POST /actions/{id}/snooze',
      { params: { id: await idOf('striking-distance') }, body },
      ann,
    );
  }
  if (number === 3)
    await api.ok(
      'POST /actions/{id}/dismiss',
      { params: { id: await idOf('review-theme') }, body: { reason: 'We know.' } },
      ann,
    );
  if (number === 6)
    await api.ok(
      'POST /actions/{id}/resolve',
      { params: { id: await idOf('competitor-changed') } },
      ann,
    );
  const text = number === 5 ? texts.field : number === 10 ? texts.betterField : null;
  if (text !== null)
    await api.ok(
      'PUT /apps/{id}/keyword-field',
      { params: { id: annsApps.ios.id }, body: { text } },
      ann,
    );
}

async function readReviewIds(): Promise<Pick<AnnsFacts, 'reviewId'>> {
  const ids = new Map<string, number>();
  for (const { id } of Object.values(annsApps)) {
    const { items } = await month.api.ok(
      'GET /apps/{id}/reviews',
      { params: { id }, query: { limit: '500' } },
      ann,
    );
    for (const review of items) ids.set(review.storeReviewId, review.id);
  }
  return { reviewId: (storeReviewId) => ids.get(storeReviewId)! };
}

describe(`Ann, in a country with only planned changes in ${scale.days} days,`, () => {
  const isDerived = ({ type }: EventObject) => type === 'action.opened' || type === 'digest.weekly';
  const byKey = <T extends object>(list: T[], keyOf: (one: T) => unknown[]) =>
    list.toSorted((a, b) => (JSON.stringify(keyOf(a)) < JSON.stringify(keyOf(b)) ? -1 : 1));
  const keyOfAction = ({
    opened,
    type,
    appId,
    keywordIds,
  }: {
    opened: number;
    type: string;
    appId: number | null;
    keywordIds: number[];
  }) => [opened, type, appId, keywordIds];

  test('gets an alert for each planned fact, on its day and in full, and no other', () => {
    const keyOf = ({ day, type, appId, data }: ExpectedEvent) => {
      const { keywordId, reviewId } = data as { keywordId?: number; reviewId?: number };
      return [day, type, appId, keywordId ?? reviewId ?? 0];
    };
    const reported = annsEvents
      .filter((event) => !isDerived(event))
      .map(({ type, timestamp, app, data }) => ({
        day: numberOf(timestamp),
        type,
        appId: app!.id,
        data: data as object,
      }));
    expect(byKey(reported, keyOf)).toEqual(byKey(expectedEvents(facts), keyOf));
  });

  test('gets each action on its day with evidence, and one event about it', () => {
    const opened = annsEvents.filter(({ type }) => type === 'action.opened');
    const asOpened = opened.map(({ timestamp, app, data }) => {
      const { actionType, severity, keywordIds, evidence } = data as EventData['action.opened'];
      return {
        opened: numberOf(timestamp),
        type: actionType,
        appId: app?.id ?? null,
        severity,
        keywordIds,
        evidence,
      };
    });
    const expected = expectedActions(facts).map(
      ({ opened: day, type, appId, severity, keywordIds, evidence }) => {
        return {
          opened: day,
          type,
          appId,
          severity,
          keywordIds: keywordIds(day),
          evidence: evidence(day),
        };
      },
    );
    expect(byKey(asOpened, keyOfAction)).toEqual(byKey(expected, keyOfAction));
    const ids = opened.map(({ data }) => (data as EventData['action.opened']).actionId);
    expect(ids.toSorted((a, b) => a - b)).toEqual(
      annsActions.map(({ id }) => id).toSorted((a, b) => a - b),
    );
  });

  test('sees each action end with its evidence or when dismissed, with its last evidence', () => {
    const asTheyAre = annsActions.map(
      ({ type, appId, keywordIds, openedAt, state: status, resolvedBy, resolvedAt, evidence }) => {
        const end = resolvedAt && numberOf(resolvedAt);
        return {
          opened: numberOf(openedAt),
          type,
          appId,
          keywordIds,
          status,
          resolvedBy,
          end,
          evidence,
        };
      },
    );
    const expected = expectedActions(facts).map(
      ({ opened, type, appId, keywordIds, gone, ended, evidence }) => {
        const seen = ended?.day ?? (gone ?? scale.days) - 1;
        const status = ended?.by ?? (gone === undefined ? 'open' : 'resolved');
        const resolvedBy = ended ? `user:${ann.userId}` : gone === undefined ? null : 'gone';
        return {
          opened,
          type,
          appId,
          keywordIds: keywordIds(seen),
          status,
          resolvedBy,
          end: ended?.day ?? gone ?? null,
          evidence: evidence(seen),
        };
      },
    );
    expect(byKey(asTheyAre, keyOfAction)).toEqual(byKey(expected, keyOfAction));
  });

  test('has a position or a reason for every day, and no outage looks like a loss', async () => {
    for (const store of ['ios', 'android'] as const) {
      const query = { from: firstDay, to: days.at(-1)!, fill: 'gaps' as const, limit: '500' };
      const { items } = await month.api.ok(
        'GET /apps/{id}/rankings',
        { params: { id: annsApps[store].id }, query },
        ann,
      );
      const cells = items.map((cell) => {
        const outcome =
          cell.state === 'not_checked' ? cell.reason : `${cell.position} of ${cell.depth}`;
        return `${cell.date} ${cell.keywordId} ${outcome}`;
      });
      const planned = phrases[store].flatMap((phrase) => {
        const checks = new Map(
          checksOf(store, phrase, scale.days - 1).map(({ date, ...check }) => [date, check]),
        );
        return days.map((day) => {
          const check = checks.get(day);
          return (
            `${day} ${facts.keywordId(store, phrase)} ` +
            `${check ? `${check.position} of ${check.depth}` : 'store_error'}`
          );
        });
      });
      expect(cells.toSorted()).toEqual(planned.toSorted());
    }
  });

  test('has a digest each Monday that counts her alerts', () => {
    const digests = annsEvents.filter(({ type }) => type === 'digest.weekly');
    const mondays = days.filter((_, number) => number > 0 && number % 7 === 0);
    expect(digests.map(({ timestamp }) => timestamp.slice(0, 10))).toEqual(mondays);
    for (const [week, { data }] of digests.entries())
      expect(data).toMatchObject(expectedDigest(facts, { week, events: annsEvents }));
  });
});

describe('Bob, in a country with ordinary changes,', () => {
  const simulator = () => month.pipeline.simulator;

  test('gets alerts for the moves of his true positions, and no others', () => {
    const expected = bobs.expectedMoves(simulator());
    expect(expected.length).toBeGreaterThan(scale.days / 2);
    expect(bobs.notifiedMoves(bobsEvents).toSorted()).toEqual(expected.toSorted());
  });

  test('gets an alert for a new top 10 app after seven known days without it', () => {
    const expected = bobs.expectedEntrants(
      simulator(),
      month.pipeline.runtime.services.settings.serpStoredDepth,
    );
    expect(expected).toContain(`${dayOf(9)} ${bobs.bobsPhrases[2]} ${bobsStranger} 4`);
    expect(bobs.notifiedEntrants(bobsEvents).toSorted()).toEqual(expected.toSorted());
  });

  test('gets alerts with each changed field of his app and of his competitor, Ann’s app', () => {
    const expected = bobs.expectedChanges(simulator());
    expect(expected).toEqual(
      expect.arrayContaining([
        `${dayOf(3)} ${bobs.bobsApp.storeAppId} name`,
        `${dayOf(2)} ${own.ios.storeAppId} name`,
      ]),
    );
    expect(bobs.notifiedChanges(bobsEvents).toSorted()).toEqual(expected.toSorted());
  });

  test('gets one alert for a low review, when it is new or edited to be low', () => {
    const expected = bobs.expectedReviews(simulator());
    expect(expected).toEqual(
      expect.arrayContaining([
        `${dayOf(3)} 1 ${dayOf(2)}T10:00:00.000Z`,
        `${dayOf(8)} 2 ${dayOf(7)}T10:00:00.000Z`,
      ]),
    );
    expect(bobs.notifiedReviews(bobsEvents).toSorted()).toEqual(expected.toSorted());
  });

  test('gets actions that were true on their day', () => {
    const reported = bobsEvents
      .filter(({ type }) => type === 'action.opened')
      .map(({ data }) => data as EventData['action.opened']);
    expect(bobs.falseEvidence(simulator(), reported)).toEqual([]);
    expect(reported.length).toBeGreaterThan(3);
  });
});

describe('every webhook', () => {
  const eventsFor = (path: keyof typeof endpoints) =>
    (path === '/bob' ? bobsEvents : annsEvents).filter(({ type }) =>
      endpoints[path].events.includes(type),
    );
  const idOf = ({ headers }: Sent) => String(headers['webhook-id']);

  test.each(['/all', '/ranks', '/flaky', '/bob'] as const)(
    '%s gets each of its events once, signed, as GET /events returns it',
    (path) => {
      const reader = new Webhook(endpoints[path].secret);
      const events = new Map(eventsFor(path).map((event) => [event.id, event]));
      vi.useFakeTimers({ toFake: ['Date'] });
      for (const sent of month.sent(path)) {
        vi.setSystemTime(sent.at);
        expect(reader.verify(sent.body, sent.headers as Record<string, string>)).toEqual(
          events.get(idOf(sent)),
        );
      }
      vi.useRealTimers();
      const taken = month.sent(path).filter(({ status }) => status === 200);
      expect(taken.map(idOf).toSorted()).toEqual([...events.keys()].toSorted());
    },
  );

  test.each(['/all', '/ranks', '/bob'] as const)(
    '%s gets them in order, except two in parallel',
    (path) => {
      const sequences = month
        .sent(path)
        .map(({ body }) => (JSON.parse(body) as EventObject).sequence);
      const inOrder = sequences.toSorted((a, b) => a - b);
      for (const [index, sequence] of sequences.entries())
        expect(Math.abs(inOrder.indexOf(sequence) - index)).toBeLessThanOrEqual(1);
    },
  );

  test('for a chat gets one message for a run’s keyword events, and one for each other', () => {
    const [keyword, other] = [
      annsEvents.filter(isKeywordEvent),
      annsEvents.filter((event) => !isKeywordEvent(event)),
    ];
    const runs = Map.groupBy(keyword, ({ timestamp }) => numberOf(timestamp));
    const perDay = Map.groupBy(month.sent('/chat'), ({ at }) => numberOf(at.toISOString()));
    for (const number of days.keys()) {
      const expected =
        other.filter(({ timestamp }) => numberOf(timestamp) === number).length +
        (runs.has(number) ? 1 : 0);
      expect([number, perDay.get(number)?.length ?? 0]).toEqual([number, expected]);
    }
    const together = [...runs.values()]
      .filter((ofRun) => ofRun.length > 1)
      .map((ofRun) => `${ofRun.length} keyword events`);
    const titles = month
      .sent('/chat')
      .map(({ body }) => JSON.parse(body).blocks[0].text.text as string);
    expect(together.length).toBeGreaterThan(0);
    expect(titles.flatMap((title) => /\d+ keyword events$/.exec(title)?.[0] ?? [])).toEqual(
      together,
    );
  });

  test('has every attempt in its log, also of its downtime, and nothing pending', async () => {
    const kept = `${addDays(days.at(-1)!, -30)}T02:00:00Z`;
    for (const [path, { id }] of Object.entries(endpoints)) {
      const account = path === '/bob' ? bob : ann;
      const { items } = await month.api.ok(
        'GET /webhooks/{id}/deliveries',
        { params: { id }, query: { limit: '500' } },
        account,
      );
      expect(new Set(items.map(({ state: status }) => status))).toEqual(new Set(['succeeded']));
      if (path === '/chat') continue;
      const attempts = new Map(items.map(({ messageId, attempts: count }) => [messageId, count]));
      const sent = Map.groupBy(month.sent(path), idOf);
      for (const [messageId, requests] of sent) {
        if (requests.at(-1)!.at.toISOString() > kept)
          expect([messageId, attempts.get(messageId)]).toEqual([messageId, requests.length]);
      }
      expect(attempts.size).toBeLessThanOrEqual(sent.size);
    }
    expect(month.sent('/flaky').filter(({ status }) => status === 503).length).toBeGreaterThan(10);
    const { items } = await month.api.ok('GET /webhooks', {}, ann);
    expect(items.map(({ state }) => state)).toEqual(['healthy', 'healthy', 'healthy', 'healthy']);
  });
});

test('no evaluation is pending, and event numbers have no gap in any workspace', async () => {
  const { rows } = await month.pipeline.db.pool.query(
    'select (select count(*) from pending_evaluations) + (select count(*) from changes where ' +
      `not evaluated) + (select count(*) from deliveries where state = 'pending') as left`,
  );
  expect(Number(rows[0].left)).toBe(0);
  for (const events of [annsEvents, bobsEvents])
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
});
