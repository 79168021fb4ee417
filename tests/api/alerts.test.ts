import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alertTypes } from '#contract/choices.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { everyDrop, everyLowReview, everyRise } from '../harness/every-move-rules.ts';
import { checkDay, eventsOf, trackPhrase, evaluateAllAlerts } from './alerts.fixtures.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { insertCoverage, insertReviews } from './reviews.fixtures.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  api.clock.set('2026-11-01T12:00:00Z');
  const account = await api.signUp();
  me = { ...account, headers: (await api.token(account)).headers };
});

const put = (
  body: unknown,
  who: { headers: Record<string, string> } = me,
  path = '/alerts/rules',
  method = 'PUT',
) =>
  api.raw(
    path,
    { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    who,
  );
const quiet = ['scores', 'tokens', 'sessions', 'market_scores'];

describe('alert rules', () => {
  it('start as the complete defaults', async () => {
    const { rules, defaults, savedAt } = await api.ok('GET /alerts/rules', null, me);
    expect([rules, savedAt, defaults.map((rule) => rule.event)]).toEqual([
      [],
      null,
      [...alertTypes, 'digest.weekly'],
    ]);
    expect(defaults[0]).toEqual({
      event: 'rank.dropped',
      enabled: true,
      scope: {},
      minPositions: 15,
      thresholds: [10],
      depthEdge: false,
      hysteresisPositions: 2,
      sustainedDays: 2,
      maxGapDays: 3,
      cooldownDays: 7,
    });
    expect(defaults).toContainEqual({
      event: 'serp.entrant',
      enabled: true,
      scope: {},
      top: 10,
      minDays: 7,
      cooldownDays: 0,
    });
    expect(defaults).toContainEqual({
      event: 'review.negative',
      enabled: true,
      scope: {},
      maxRating: 2,
      maxAgeDays: 7,
      everyReview: false,
    });
  });

  it('are replaced as a whole, filled with defaults, and can be emptied', async () => {
    const app = await insertApp(api, me);
    const sent = [
      {
        event: 'rank.dropped',
        scope: { appIds: [app.id], tags: ['brand'], minTraffic: 40 },
        minPositions: 3,
        cooldownDays: 7,
      },
      { event: 'metadata.changed', subjects: ['competitor'], fields: ['name', 'price'] },
    ] as const;
    const saved = await api.ok('PUT /alerts/rules', { body: { rules: [...sent] as never } }, me);
    expect(saved.rules[0]).toEqual({ ...saved.defaults[0], ...sent[0] });
    expect([saved.rules.length, saved.savedAt]).toEqual([2, '2026-11-01T12:00:00.000Z']);
    expect(await api.ok('GET /alerts/rules', null, me)).toEqual(saved);
    expect((await api.ok('PUT /alerts/rules', { body: { rules: [] } }, me)).rules).toEqual([]);
    await Promise.all(
      Array.from({ length: 8 }, () =>
        api.ok('PUT /alerts/rules', { body: { rules: [...sent] as never } }, me),
      ),
    );
    expect((await api.ok('GET /alerts/rules', null, me)).rules).toEqual(saved.rules);
  });

  it.each([
    ['no body', undefined],
    ['null', { rules: null }],
    ['an event without rules', { rules: [{ event: 'action.opened' }] }],
    ['an unknown event', { rules: [{ event: 'rank.sunk' }] }],
    ['a malformed rule', { rules: [null] }],
    ['an unknown member', { rules: [{ event: 'rank.dropped', min: 5 }] }],
    ['a member of another event', { rules: [{ event: 'rank.dropped', maxRating: 2 }] }],
    ['text for a number', { rules: [{ event: 'rank.dropped', minPositions: '5' }] }],
    ['a position of 0', { rules: [{ event: 'rank.dropped', thresholds: [0] }] }],
    ['a position of 201', { rules: [{ event: 'rank.dropped', thresholds: [201] }] }],
    [
      'too many thresholds',
      {
        rules: [
          {
            event: 'rank.dropped',
            thresholds: Array.from({ length: 21 }, (_, index) => index + 1),
          },
        ],
      },
    ],
    ['an endless cooldown', { rules: [{ event: 'serp.entrant', cooldownDays: 31 }] }],
    ['an empty scope of apps', { rules: [{ event: 'review.negative', scope: { appIds: [] } }] }],
    [
      'traffic for an event without keywords',
      { rules: [{ event: 'review.negative', scope: { minTraffic: 5 } }] },
    ],
    [
      'a tag with characters that no database stores',
      { rules: [{ event: 'rank.dropped', scope: { tags: ['\ud800'] } }] },
    ],
    [
      'a field that is not tracked',
      { rules: [{ event: 'metadata.changed', fields: ['ratingCount'] }] },
    ],
    ['too many rules', { rules: Array.from({ length: 101 }, () => ({ event: 'rank.dropped' })) }],
    ['deep nothing', { rules: [[[[[]]]]] }],
  ])(
    'with %s are refused with 400 by saving and by backtests, and nothing is written',
    async (_name, body) => {
      await api.ok(
        'PUT /alerts/rules',
        { body: { rules: [{ event: 'rank.dropped', minPositions: 9 }] as never } },
        me,
      );
      const before = await describeTables(api, quiet);
      expect((await put(body)).status).toBe(400);
      expect((await put(body, me, '/alerts/rules/backtest', 'POST')).status).toBe(400);
      expect(await describeTables(api, quiet)).toEqual(before);
    },
  );

  it('are required by saving, and not by a backtest, which has the saved ones', async () => {
    const saved = [{ event: 'rank.dropped', minPositions: 9 }] as never;
    const { rules } = await api.ok('PUT /alerts/rules', { body: { rules: saved } }, me);
    expect((await put({})).status).toBe(400);
    expect((await api.ok('POST /alerts/rules/backtest', { body: {} }, me)).rules).toEqual(rules);
  });

  it('use the workspace’s setting for low reviews unless a rule has its own', async () => {
    await api.ok('PATCH /settings', { body: { reviewNegativeMaxRating: 3 } }, me);
    expect((await api.ok('GET /alerts/rules', null, me)).defaults).toContainEqual(
      expect.objectContaining({ event: 'review.negative', maxRating: 3 }),
    );
  });

  it('follow the setting for low reviews when it changes, unless they name a rating', async () => {
    const app = await insertApp(api, me);
    const saved = await api.ok(
      'PUT /alerts/rules',
      {
        body: { rules: [{ event: 'review.negative', maxAgeDays: 5, everyReview: true }] as never },
      },
      me,
    );
    expect(saved.rules).toEqual([
      { event: 'review.negative', enabled: true, scope: {}, maxAgeDays: 5, everyReview: true },
    ]);
    expect((await api.ok('GET /alerts/rules', null, me)).rules).toEqual(saved.rules);
    const write = async (day: string) => {
      api.clock.set(`${day}T12:00:00Z`);
      await insertReviews(
        api,
        app,
        [1, 2, 3, 4].map((rating) => ({ rating, reviewedAt: `${day}T01:00:00Z` })),
      );
      await insertCoverage(api, app, { syncedAt: `${day}T12:00:00Z` });
      await evaluateAllAlerts(api);
      const reported = (await eventsOf(api, me)).map(
        ({ data }) => data as { rating?: number; writtenAt?: string },
      );
      return reported
        .flatMap(({ rating, writtenAt }) => (writtenAt?.startsWith(day) ? rating : []))
        .toSorted();
    };
    expect(await write('2026-11-02')).toEqual([1, 2]);
    await api.ok('PATCH /settings', { body: { reviewNegativeMaxRating: 3 } }, me);
    expect(await write('2026-11-05')).toEqual([1, 2, 3]);
    await api.ok(
      'PUT /alerts/rules',
      { body: { rules: [{ event: 'review.negative', maxRating: 1, everyReview: true }] as never } },
      me,
    );
    expect(await write('2026-11-08')).toEqual([1]);
    const tried = await api.ok(
      'POST /alerts/rules/backtest',
      { body: { rules: [everyLowReview] as never, days: 10 } },
      me,
    );
    expect(tried.counts['review.negative']).toBe(9);
  });

  it('return 404 for another workspace’s app', async () => {
    const you = await api.signUp();
    const theirs = await insertApp(api, you);
    const rules = (appId: number) => ({
      rules: [{ event: 'rank.dropped', scope: { appIds: [appId] } }],
    });
    const before = await describeTables(api, quiet);
    for (const [path, method] of [
      ['/alerts/rules', 'PUT'] as const,
      ['/alerts/rules/backtest', 'POST'] as const,
    ]) {
      const [foreign, absent] = [
        await put(rules(theirs.id), me, path, method),
        await put(rules(2_147_483_000), me, path, method),
      ];
      expect([foreign.status, foreign.body.code, foreign.body.message]).toEqual([
        404,
        'not_found',
        absent.body.message,
      ]);
    }
    expect(await describeTables(api, quiet)).toEqual(before);
    await put(rules(theirs.id), you);
    expect((await api.ok('GET /alerts/rules', null, me)).rules).toEqual([]);
  });

  it('can be saved and backtested with a deleted app that they had before', async () => {
    const { id } = await insertApp(api, me);
    const theirs = await insertApp(api, await api.signUp());
    await put({ rules: [{ event: 'rank.dropped', scope: { appIds: [id] } }] });
    await api.ok('DELETE /apps/{id}', { params: { id }, query: { purge: 'true' } }, me);
    const { rules } = await api.ok('GET /alerts/rules', null, me);
    expect(rules).toMatchObject([{ scope: { appIds: [id] } }]);
    const backtest = (body: object) => put(body, me, '/alerts/rules/backtest', 'POST');
    const [rule] = rules as [(typeof rules)[0] & { scope: object }];
    const changed = { rules: [{ ...rule, enabled: false }, { event: 'digest.weekly' }] };
    expect((await backtest(changed)).status).toBe(200);
    expect((await put(changed)).status).toBe(200);
    for (const appId of [theirs.id, 2_147_483_000]) {
      const other = { rules: [{ ...rule, scope: { appIds: [id, appId] } }] };
      expect([(await backtest(other)).status, (await put(other)).status]).toEqual([404, 404]);
    }
    expect((await put({ rules: [] })).status).toBe(200);
    expect((await put({ rules })).status).toBe(404);
  });

  it('can be read and backtested with a read-only token, and not saved', async () => {
    const reader = await api.token(me, { readOnly: true });
    await api.ok('GET /alerts/rules', null, reader);
    await api.ok('POST /alerts/rules/backtest', { body: { rules: [] } }, reader);
    expect((await put({ rules: [] }, reader)).body.code).toBe('read_only_token');
    for (const method of ['GET', 'PUT'])
      expect((await api.raw('/alerts/rules', { method })).status).toBe(401);
    expect(
      (await api.db.pool.query('select from alert_rules where workspace_id = $1', [me.workspaceId]))
        .rowCount,
    ).toBe(0);
  });
});

describe('a backtest', () => {
  it('returns the past alerts with their rules, and those of other rules', async () => {
    const app = await insertApp(api, me);
    const followed = await trackPhrase(api, me, { app, tags: ['brand'] });
    const other = await trackPhrase(api, me, { app });
    const rules = [
      { ...everyDrop, scope: { tags: ['brand'] }, minPositions: 3, cooldownDays: 2 },
      everyRise,
      { event: 'review.negative', maxRating: 3 },
    ];
    await put({ rules });
    const positions: (number | null)[] = [20, 24, 28, 33, 38, 9, 30, null, 15, 8];
    for (const [index, position] of positions.entries()) {
      const day = `2026-11-${String(index + 1).padStart(2, '0')}`;
      api.clock.set(`${day}T12:00:00Z`);
      await checkDay(api, followed, day, position);
      await checkDay(api, other, day, position === null ? null : position + 1);
      if (index === 4) {
        await insertReviews(api, app, [
          { rating: 3, reviewedAt: `${day}T01:00:00Z` },
          { rating: 4, reviewedAt: `${day}T01:00:00Z` },
        ]);
        await insertCoverage(api, app, { syncedAt: `${day}T12:00:00Z` });
      }
      await evaluateAllAlerts(api);
    }
    const reported = (await eventsOf(api, me)).map(({ type, data }) => ({ type, data })) as {
      type: string;
      data: unknown;
    }[];
    const before = await describeTables(api, quiet);
    const tried = await api.ok(
      'POST /alerts/rules/backtest',
      { body: { rules: rules as never, days: 90 } },
      me,
    );
    expect(await describeTables(api, quiet)).toEqual(before);
    expect((await api.ok('GET /alerts/rules', null, me)).rules).toEqual(tried.rules);
    expect(
      await api.ok('POST /alerts/rules/backtest', { body: { days: 90 } }, me),
      'without rules',
    ).toEqual(tried);
    expect(tried.alerts.map(({ type, data }) => ({ type, data }))).toEqual(
      expect.arrayContaining(reported),
    );
    expect([tried.total, tried.alerts.length, tried.moreAlerts]).toEqual([
      reported.length,
      reported.length,
      0,
    ]);
    expect(reported.map((event) => event.type)).toEqual(
      expect.arrayContaining(['rank.dropped', 'rank.improved', 'review.negative']),
    );
    expect([tried.days.length, tried.days.at(-1)!.date, tried.to]).toEqual([
      90,
      '2026-11-10',
      '2026-11-10',
    ]);
    expect(tried.days.map(({ followed, checked }) => [followed, checked])).toEqual([
      ...Array(80).fill([0, 0]),
      ...Array(10).fill([2, 2]),
    ]);
    for (const type of alertTypes)
      expect(tried.days.reduce((sum, day) => sum + day.counts[type], 0)).toBe(tried.counts[type]);
    const silent = alertTypes.map((event) => ({ event, enabled: false }));
    expect(
      (await api.ok('POST /alerts/rules/backtest', { body: { rules: silent } }, me)).total,
    ).toBe(0);
    const [short] = [
      await api.ok('POST /alerts/rules/backtest', { body: { rules: rules as never, days: 1 } }, me),
    ];
    expect(short.alerts.every((alert) => alert.date === '2026-11-10')).toBe(true);
    expect(short.total).toBe(
      tried.days.at(-1)!.counts['rank.improved'] + tried.days.at(-1)!.counts['rank.dropped'],
    );
  });

  it.each([0, 91, 1.5, '30', null])('refuses %j days', async (days) => {
    expect((await put({ rules: [], days }, me, '/alerts/rules/backtest', 'POST')).status).toBe(400);
  });
});
