import * as appStore from '@perttu/app-store-scraper';
import gplay from 'google-play-scraper';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '#simulator/server.ts';

// Both libraries were written against the real stores: what they can read is the stores' format.
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 7, now: new Date('2026-07-01T09:00:00Z') });
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.clearLog();
  simulator.setFaults([]);
  simulator.setSearchModes([]);
});

/** google-play-scraper with its requests sent to the simulator. */
function play<Result>(call: (options: object) => Promise<Result>): Promise<Result> {
  const rewrite = (options: { url: URL }) => {
    options.url = new URL(
      `${simulator.baseUrl}/play.google.com${options.url.pathname}${options.url.search}`,
    );
  };
  return call({ requestOptions: { hooks: { beforeRequest: [rewrite] }, retry: { limit: 0 } } });
}

const toSimulator = {
  fetch: ((url: string, init?: RequestInit) =>
    fetch(String(url).replace('https://', `${simulator.baseUrl}/`), init)) as typeof fetch,
};
const searchPlay = (term: string, num = 200) =>
  play((options) => gplay.search({ term, num, country: 'us', ...options } as never)) as Promise<
    { appId: string }[]
  >;
const play200 = { store: 'android', phrase: 'habit tracker', country: 'us' } as const;

const toIds = (apps: readonly (number | { id: number })[]) =>
  apps.map((app) => String(typeof app === 'number' ? app : app.id));

describe('google-play-scraper reads the Android store', () => {
  it('in exactly 8 requests for 200 positions, in the true order', async () => {
    const found = await searchPlay('habit tracker');
    expect(simulator.counts().total).toBe(8);
    expect(found.map((app) => app.appId)).toEqual(simulator.order(play200).slice(0, 200));
  });

  it('in one request where a market has one page', async () => {
    simulator.setSearchModes([{ store: 'android', country: 'us', mode: 'web30' }]);
    const found = await searchPlay('habit tracker');
    expect(simulator.counts().total).toBe(1);
    expect(found.map((app) => app.appId)).toEqual(simulator.order(play200).slice(0, 30));
  });

  it('in two requests when the token is rejected, and none when there are no apps', async () => {
    simulator.setSearchModes([
      { phrase: 'habit tracker', mode: 'reject-token' },
      { phrase: 'void', mode: 'no-results' },
    ]);
    expect(await searchPlay('habit tracker')).toHaveLength(30);
    expect(simulator.counts().total).toBe(2);
    expect(await searchPlay('void')).toEqual([]);
  });

  it('with a featured match first, listed or not', async () => {
    for (const term of [
      'sudoku',
      'weather',
      'vpn',
      'calculator',
      'chess',
      'radio',
      'yoga',
      'notes',
    ]) {
      const found = await searchPlay(term, 30);
      const order = simulator.order({ store: 'android', phrase: term, country: 'us' });
      expect(found.map((app) => app.appId)).toEqual(order.slice(0, 30));
    }
  });

  it('with every fact of a listing', async () => {
    const app = (await play((options) =>
      gplay.app({ appId: 'app.lumen.habits', country: 'us', ...options }),
    )) as unknown as Record<string, unknown>;
    expect(app).toMatchObject({
      title: expect.stringContaining('Lumen'),
      free: true,
      currency: 'USD',
      available: true,
      genreId: 'HEALTH_AND_FITNESS',
    });
    expect(app['version']).toMatch(/^\d+\.\d+\.\d+$/);
    const histogram = Object.values(app['histogram'] as Record<string, number>);
    expect(histogram.reduce((sum, stars) => sum + stars, 0)).toBe(app['ratings']);
    const counted = await play((options) =>
      gplay.app({ appId: 'app.babel.translate', ...options }),
    );
    expect(counted.maxInstalls).toBe(1_619_908_402);
  });

  it('with 404 for an unknown app', async () => {
    await expect(
      play((options) => gplay.app({ appId: 'no.such.app', ...options })),
    ).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('@perttu/app-store-scraper reads the iOS store', () => {
  const market = { store: 'ios', phrase: 'mood journal', shownOn: 'api' } as const;

  it('in one request for 200 positions, in the true order', async () => {
    const found = await appStore.search({
      term: 'mood journal',
      num: 200,
      country: 'de',
      requestOptions: toSimulator,
    });
    expect(simulator.counts().total).toBe(1);
    expect(toIds(found)).toEqual(simulator.order({ ...market, country: 'de' }).slice(0, 200));
  });

  it('without Mac software', async () => {
    const mixed = await startSimulator({
      seed: 7,
      now: new Date('2026-07-01T09:00:00Z'),
      world: { kindMix: 0.2 },
    });
    const fetchMixed = (url: string, init?: RequestInit) =>
      fetch(String(url).replace('https://', `${mixed.baseUrl}/`), init);
    const found = await appStore.search({
      term: 'mood journal',
      num: 100,
      requestOptions: { fetch: fetchMixed as typeof fetch },
    });
    const order = mixed.order({ ...market, country: 'us' });
    expect(found.length).toBeLessThan(100);
    expect(toIds(found)).toEqual(order.slice(0, found.length));
    await mixed.close();
  });

  it('with every fact of a listing, by id and by bundle', async () => {
    const byId = await appStore.app({ id: 1500000001, country: 'us', requestOptions: toSimulator });
    const byBundle = await appStore.app({
      appId: 'app.lumen.journal',
      country: 'us',
      requestOptions: toSimulator,
    });
    expect(byId).toEqual(byBundle);
    expect(byId).toMatchObject({
      id: 1500000001,
      free: true,
      currency: 'USD',
      primaryGenreId: '6013',
    });
    expect(byId.icon).toMatch(/^https:\/\/is1-ssl\.mzstatic\.com\/.*512x512bb/);
  });

  it('with similar apps from the page', async () => {
    expect(await appStore.similar({ id: 1500000001, requestOptions: toSimulator })).toHaveLength(
      10,
    );
  });
});
