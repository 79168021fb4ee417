import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseExact } from '#lib/json.ts';
import {
  demoPhrases,
  startSimulator,
  type LogEntry,
  type Simulator,
  type GroundTruth,
} from '#simulator/server.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 5,
    now: new Date('2026-07-01T09:00:00Z'),
    world: { hugeInstalls: true },
  });
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.setNow(new Date('2026-07-01T09:00:00Z'));
  simulator.setSearchModes([]);
  simulator.clearLog();
});

const getText = async (path: string, init?: RequestInit) =>
  (await fetch(simulator.baseUrl + path, init)).text();
const getJson = async <Shape>(path: string, init?: RequestInit) =>
  JSON.parse(await getText(path, init)) as Shape;
const searchIos = (term: string, country = 'us', limit = 200) =>
  getText(
    `/itunes.apple.com/search?term=${encodeURIComponent(term)}&country=${country}&entity=software&limit=${limit}`,
  );
const idsOf = (body: string) =>
  (JSON.parse(body) as { results: { trackId: number }[] }).results.map((app) =>
    String(app.trackId),
  );

describe('ground truth', () => {
  it('equals the order in responses', async () => {
    const ids = idsOf(await searchIos('Daily  Planner', 'fr'));
    const question = {
      store: 'ios',
      phrase: 'daily planner',
      country: 'fr',
      shownOn: 'api',
    } as const;
    for (const position of [1, 2, 57, 200]) {
      const truth = simulator.groundTruth({ ...question, storeAppId: ids[position - 1]! });
      expect(truth).toMatchObject({
        position: position,
        visiblePosition: position,
        visible: 200,
        day: '2026-07-01',
      });
    }
    const overHttp = await getJson<GroundTruth>(
      `/_sim/ground-truth?store=ios&phrase=daily+planner&country=fr&shownOn=api&storeAppId=${ids[9]}`,
    );
    expect(overHttp.position).toBe(10);
  });

  it('includes what a client cannot see', () => {
    const question = { store: 'android', phrase: 'habit', country: 'us' } as const;
    const hidden = simulator.order(question)[39]!;
    simulator.setSearchModes([{ store: 'android', mode: 'web30' }]);
    expect(simulator.groundTruth({ ...question, storeAppId: hidden })).toMatchObject({
      position: 40,
      visible: 30,
      visiblePosition: null,
      mode: 'web30',
    });
    expect(simulator.groundTruth({ ...question, storeAppId: 'no.such.app' }).position).toBeNull();
  });

  it('follows an index that ends early', async () => {
    simulator.setSearchModes([{ store: 'ios', country: 'se', results: 37 }]);
    expect(idsOf(await searchIos('habit tracker', 'se'))).toHaveLength(37);
    expect(
      simulator.groundTruth({
        store: 'ios',
        phrase: 'habit tracker',
        country: 'se',
        storeAppId: '1',
      }).available,
    ).toBe(37);
  });
});

describe('a day', () => {
  it('has repeatable responses that differ from the next day’s', async () => {
    const first = await searchIos('habit tracker');
    expect(await searchIos('habit tracker')).toBe(first);
    simulator.setNow(new Date('2026-07-01T23:59:59Z'));
    expect(await searchIos('habit tracker')).toBe(first);
    simulator.setNow(new Date('2026-07-02T00:00:00Z'));
    expect(idsOf(await searchIos('habit tracker'))).not.toEqual(idsOf(first));
    simulator.setNow(new Date('2026-07-01T00:00:00Z'));
    expect(await searchIos('habit tracker')).toBe(first);
  });

  it('is the same in another simulator with the same seed', async () => {
    const twin = await startSimulator({ seed: 5, now: new Date('2026-07-01T09:00:00Z') });
    const market = { store: 'android', phrase: 'anything at all', country: 'jp' } as const;
    expect(twin.order(market)).toEqual(simulator.order(market));
    await twin.close();
  });

  it('is set over HTTP', async () => {
    await getText('/_sim/clock', {
      method: 'POST',
      body: JSON.stringify({ now: '2026-08-09T01:00:00Z' }),
    });
    expect(await getJson('/_sim/clock')).toEqual({
      now: '2026-08-09T01:00:00.000Z',
      day: '2026-08-09',
    });
  });
});

describe('the world', () => {
  it('has results for any phrase: mostly 200 and more, sometimes few or almost none', () => {
    const counts = Array.from(
      { length: 300 },
      (_, index) =>
        simulator.order({
          store: index % 2 ? 'ios' : 'android',
          phrase: `phrase ${index}`,
          country: 'gb',
        }).length,
    );
    const share = (test: (count: number) => boolean) => counts.filter(test).length / counts.length;
    expect(share((count) => count >= 200)).toBeGreaterThan(0.7);
    expect(share((count) => count >= 20 && count <= 150)).toBeGreaterThan(0.08);
    expect(share((count) => count <= 5)).toBeGreaterThan(0.01);
  });

  it('moves the demo apps, inside 200 and beyond', () => {
    const positions = demoPhrases.flatMap(({ phrase }) =>
      (['ios', 'android'] as const).flatMap((store) => {
        const storeAppId = store === 'ios' ? '1500000001' : 'app.lumen.habits';
        return [0, 9, 18, 27].map((day) => {
          const text = `2026-07-${String(day + 1).padStart(2, '0')}`;
          return simulator.groundTruth({ store, phrase, country: 'us', storeAppId, day: text })
            .position;
        });
      }),
    );
    expect(
      positions.filter((position) => position !== null && position <= 10).length,
    ).toBeGreaterThan(10);
    expect(
      positions.filter((position) => position !== null && position > 200).length,
    ).toBeGreaterThan(3);
    expect(new Set(positions).size).toBeGreaterThan(30);
  });

  it('lets apps enter, drop and change: releases, prices, titles, versions', async () => {
    const shots = ['2026-02-01', '2026-05-02', '2026-08-03'].map((day) => {
      simulator.setNow(new Date(`${day}T00:00:00Z`));
      const apps = simulator.world.catalogues.ios.apps;
      return new Map(
        apps.flatMap((app) => {
          const offered = simulator.world.findApp('ios', app.storeAppId, 'us', day);
          return offered
            ? [
                [
                  app.storeAppId,
                  simulator.world.listing(app, { country: 'us', language: 'en', day }),
                ] as const,
              ]
            : [];
        }),
      );
    });
    const [early, , late] = shots as [(typeof shots)[0], unknown, (typeof shots)[0]];
    const changed = (fact: 'title' | 'version' | 'priceCents') =>
      [...late].filter(([id, now]) => early.has(id) && early.get(id)?.[fact] !== now[fact]).length;
    expect([...late.keys()].filter((id) => !early.has(id)).length).toBeGreaterThan(20);
    expect([...early.keys()].filter((id) => !late.has(id)).length).toBeGreaterThan(2);
    expect(changed('title')).toBeGreaterThan(100);
    expect(changed('version')).toBeGreaterThan(100);
    expect(changed('priceCents')).toBeGreaterThan(5);
  });

  it('keeps big installs exact on the page', async () => {
    for (const [id, installs] of [
      ['app.exact.counter', 9_007_199_254_740_993n],
      ['app.limit.counter', 9_223_372_036_854_775_807n],
    ] as const) {
      const page = await getText(`/play.google.com/store/apps/details?id=${id}&hl=en&gl=us`);
      const island = /key: 'ds:5', hash: '\d+', data:(.*?), sideChannel/.exec(page)?.[1] ?? '';
      const data = parseExact(island) as unknown[][][][][];
      expect(data[1]?.[2]?.[13]?.[2]).toBe(installs);
    }
  });

  it('omits ratings of new apps', async () => {
    const fresh = simulator.world.catalogues.ios.apps.find(
      (app) => app.releasedOn > 20_560 && app.releasedOn < 20_900,
    )!;
    simulator.setNow(new Date((fresh.releasedOn + 3) * 86_400_000));
    const countries = ['us', 'gb', 'fr'];
    const bodies = await Promise.all(
      countries.map((country) =>
        getText(`/itunes.apple.com/lookup?id=${fresh.storeAppId}&country=${country}`),
      ),
    );
    const found = bodies.flatMap((body) => (JSON.parse(body) as { results: object[] }).results);
    expect(found.length).toBeGreaterThan(0);
    for (const app of found) expect(app).not.toHaveProperty('averageUserRating');
  });
});

describe('the log', () => {
  it('has every request, and can be cleared', async () => {
    await searchIos('habit tracker');
    await fetch(`${simulator.baseUrl}/play.google.com/store/apps/details?id=no.such&gl=de`, {
      headers: { 'x-sim-client': '10.0.0.9' },
    });
    const { entries } = await getJson<{ entries: LogEntry[] }>('/_sim/log');
    expect(entries).toMatchObject([
      {
        store: 'ios',
        kind: 'search',
        phrase: 'habit tracker',
        country: 'us',
        status: 200,
        fault: null,
        address: '127.0.0.1',
      },
      { store: 'android', kind: 'details', country: 'de', status: 404, address: '10.0.0.9' },
    ]);
    const { entries: later } = await getJson<{ entries: LogEntry[] }>(
      `/_sim/log?since=${entries[0]!.seq}`,
    );
    expect(later).toHaveLength(1);
    expect(simulator.counts()).toMatchObject({
      total: 2,
      byKind: { 'ios:search': 1, 'android:details': 1 },
    });
    await getText('/_sim/log', { method: 'DELETE' });
    expect(simulator.log()).toEqual([]);
  });
});
