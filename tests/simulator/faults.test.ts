import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator, type FaultRule, type Simulator } from '#simulator/server.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ seed: 5, now: new Date('2026-07-01T09:00:00Z') });
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.setFaults([]);
  simulator.clearLog();
});

const iosSearch = '/itunes.apple.com/search?term=habit+tracker&country=us&limit=200';
const playSearch = '/play.google.com/store/search?q=habit%20tracker&c=apps&hl=en&gl=us';
const details = '/play.google.com/store/apps/details?id=app.lumen.habits&hl=en&gl=us';
const ask = (path: string, init?: RequestInit) =>
  fetch(simulator.baseUrl + path, { redirect: 'manual', ...init });
const text = async (path: string) => (await ask(path)).text();
const strike = (fault: FaultRule['fault'], more: Partial<FaultRule> = {}) =>
  simulator.setFaults([{ fault, ...more }]);
const count = (body: string) => (JSON.parse(body) as { resultCount: number }).resultCount;

/** Raw bytes, so that no client hides a broken transfer. */
function requestRaw(path: string): Promise<{ body: Buffer; ended: 'whole' | 'broken' }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = (ended: 'whole' | 'broken') => resolve({ body: Buffer.concat(chunks), ended });
    const sent = httpRequest(
      simulator.baseUrl + path,
      { headers: { 'accept-encoding': 'gzip' } },
      (response) => {
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done('whole'));
        response.on('error', () => done('broken'));
      },
    );
    sent.on('error', () => done('broken'));
    sent.end();
  });
}

describe('refusals', () => {
  it('403 has an empty body and no Retry-After', async () => {
    strike('403', { store: 'ios' });
    const refused = await ask(iosSearch);
    expect([refused.status, await refused.text(), refused.headers.get('retry-after')]).toEqual([
      403,
      '',
      null,
    ]);
    expect((await ask(playSearch)).status).toBe(200);
  });

  it('429, 502 and 503 have the configured Retry-After', async () => {
    strike('429', { retryAfterSeconds: 90 });
    const refused = await ask(playSearch);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '90']);
    expect(await refused.text()).toContain('reduce your request rate');
    for (const status of ['502', '503'] as const) {
      strike(status);
      expect((await ask(iosSearch)).status).toBe(Number(status));
    }
  });

  it('a captcha comes at once, and after a redirect to /sorry/index', async () => {
    strike('captcha', { store: 'android' });
    expect(await text(playSearch)).toMatch(/recaptcha[\s\S]*unusual traffic/);
    strike('sorry', { store: 'android' });
    const moved = await ask(playSearch);
    expect([moved.status, moved.headers.get('location')]).toEqual([
      302,
      expect.stringContaining('/sorry/index'),
    ]);
    expect((await ask(playSearch, { redirect: 'follow' })).status).toBe(429);
  });

  it('the consent page comes until the cookie is sent', async () => {
    strike('consent', { store: 'android' });
    const page = await ask(playSearch, { redirect: 'follow' });
    expect(new URL(page.url).pathname).toContain('consent.google.com');
    expect(await page.text()).toContain('Before you continue');
    const cookie = await ask(playSearch, { headers: { cookie: 'SOCS=CAI' } });
    expect(cookie.status).toBe(200);
  });
});

describe('broken transfers', () => {
  it('hang sends nothing', async () => {
    strike('hang');
    await expect(ask(iosSearch, { signal: AbortSignal.timeout(200) })).rejects.toThrow(
      /timeout|aborted/i,
    );
    await expect.poll(() => simulator.log()).toMatchObject([{ fault: 'hang', status: 0 }]);
  });

  it('drip is so slow that a client times out', async () => {
    strike('drip', { intervalMs: 50 });
    const leaving = new AbortController();
    const started = await ask(iosSearch, { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 300);
    await expect(started.text()).rejects.toThrow();
  });

  it('reset breaks the connection in the middle', async () => {
    const { body: whole } = await requestRaw(iosSearch);
    strike('reset');
    const { body, ended } = await requestRaw(iosSearch);
    expect(ended).toBe('broken');
    expect(body.length).toBeLessThan(gunzipSync(whole).length);
  });

  it('truncated gzip and an empty 200 are sent', async () => {
    strike('truncated-gzip');
    const { body, ended } = await requestRaw(iosSearch);
    expect(ended).toBe('whole');
    expect(() => gunzipSync(body)).toThrow(/unexpected end/);
    strike('empty');
    expect(await text(playSearch)).toBe('');
  });

  it('a huge body, and a small one that decompresses to a huge one, are sent', async () => {
    strike('huge', { bytes: 8 * 1024 * 1024 });
    expect((await requestRaw(iosSearch)).body.length).toBe(8 * 1024 * 1024);
    strike('gzip-bomb', { bytes: 32 * 1024 * 1024 });
    const { body } = await requestRaw(iosSearch);
    expect(body.length).toBeLessThan(100_000);
    expect(gunzipSync(body).length).toBe(32 * 1024 * 1024);
  });
});

describe('false responses', () => {
  it('no results, or far fewer, come where the market has plenty', async () => {
    const plenty = count(await text(iosSearch));
    strike('no-results');
    expect(count(await text(iosSearch))).toBe(0);
    const page = await text(playSearch);
    expect(page).toContain("id:'lGYRle'");
    expect(page).not.toContain('/store/apps/details?id=');
    strike('shorter');
    expect(count(await text(iosSearch))).toBeLessThan(plenty / 4);
  });

  it('shifted ds keys still have the rpc id of the data', async () => {
    strike('ds-shifted');
    const page = await text(details);
    const dataKey = /'(ds:\d+)' : \{id:'Ws7gDc'/.exec(page)?.[1];
    expect(dataKey).not.toBe('ds:5');
    expect(page).toContain(`key: '${dataKey}'`);
  });

  it('renamed rpc ids or a moved index leave nothing where it usually is', async () => {
    strike('rpc-renamed');
    expect(await text(details)).not.toContain("id:'Ws7gDc'");
    expect(await text(playSearch)).not.toContain("id:'lGYRle'");
    strike('index-moved');
    const data = JSON.parse(
      /key: 'ds:4', hash: '\d+', data:(.*?), sideChannel/.exec(await text(playSearch))![1]!,
    ) as never[][][][];
    expect(data[0]![1]!.every((section) => !section[22])).toBe(true);
    expect(JSON.parse(await text(iosSearch))).not.toHaveProperty('results');
    expect(await text('/apps.apple.com/us/app/id1500000001')).not.toContain('"shelfMapping"');
  });

  it('a stale response is that of the day before', async () => {
    strike('stale');
    const stale = await text(iosSearch);
    simulator.setFaults([]);
    simulator.setNow(new Date('2026-06-30T09:00:00Z'));
    expect(await text(iosSearch)).toBe(stale);
    simulator.setNow(new Date('2026-07-01T09:00:00Z'));
  });

  it('an app removed from one country is absent there only', async () => {
    simulator.setFaults([
      { fault: 'gone', storeAppId: '1500000001', country: 'de' },
      { fault: 'gone', storeAppId: 'app.lumen.habits', country: 'de' },
    ]);
    const lookup = (country: string) =>
      text(`/itunes.apple.com/lookup?id=1500000001,1&country=${country}`);
    expect([count(await lookup('de')), count(await lookup('us'))]).toEqual([0, 1]);
    expect((await ask('/apps.apple.com/de/app/id1500000001')).status).toBe(404);
    expect((await ask(details.replace('gl=us', 'gl=de'))).status).toBe(404);
    expect((await ask(details)).status).toBe(200);
    expect(await text(iosSearch.replace('country=us', 'country=de'))).not.toContain(
      'app.lumen.journal',
    );
  });
});

describe('a field of every listing', () => {
  const lookup = '/itunes.apple.com/lookup?id=1500000001&country=us';
  const page = '/apps.apple.com/us/app/id1500000001';

  it('is empty as for an app that has none, from an instant on', async () => {
    const notes = async () =>
      (JSON.parse(await text(lookup)) as { results: { releaseNotes: string }[] }).results[0]!
        .releaseNotes;
    strike('field-null', { field: 'releaseNotes', from: '2026-07-01T12:00:00Z' });
    expect(await notes()).not.toBe('');
    simulator.setNow(new Date('2026-07-01T12:00:00Z'));
    expect(await notes()).toBe('');
    strike('field-null', { field: 'subtitle' });
    expect(await text(page)).toContain('"developerTagline":null');
    strike('field-null', { field: 'rating' });
    expect(await text(lookup)).not.toContain('averageUserRating');
    simulator.setFaults([]);
    expect(await notes()).not.toBe('');
    expect(await text(page)).not.toContain('"developerTagline":null,"rating"');
    simulator.setNow(new Date('2026-07-01T09:00:00Z'));
  });

  it('is under another name, in a share of the responses', async () => {
    strike('field-renamed', { field: 'releaseNotes', probability: 0.5 });
    const renamed = [];
    for (let round = 0; round < 40; round++)
      renamed.push((await text(lookup)).includes('"releaseNotesV2":'));
    expect(renamed.filter(Boolean).length).toBeGreaterThan(8);
    expect(renamed.filter((is) => !is).length).toBeGreaterThan(8);
  });

  it('must be a fact that apps may lack', async () => {
    const rules = [
      { fault: 'field-null', field: 'title' },
      { fault: 'field-null' },
      { fault: 'field-renamed' },
    ];
    for (const rule of rules) {
      const response = await ask('/_sim/faults', {
        method: 'POST',
        body: JSON.stringify({ rules: [rule] }),
      });
      expect(response.status).toBe(400);
    }
  });
});

describe('fault rules', () => {
  it('apply where, when and as often as they say', async () => {
    simulator.setFaults([
      { fault: '503', store: 'ios', kind: 'search', after: 1, times: 2, phrase: 'Habit  Tracker' },
    ]);
    const statuses = [];
    for (let round = 0; round < 4; round++) statuses.push((await ask(iosSearch)).status);
    expect(statuses).toEqual([200, 503, 503, 200]);
    expect((await ask('/itunes.apple.com/lookup?id=1500000001')).status).toBe(200);
  });

  it('apply to one address and no other', async () => {
    strike('403', { address: '10.0.0.1' });
    const from = async (address: string) =>
      (await ask(iosSearch, { headers: { 'x-sim-client': address } })).status;
    expect([await from('10.0.0.1'), await from('10.0.0.2')]).toEqual([403, 200]);
  });

  it('apply with a probability that is the same every time', async () => {
    const run = async () => {
      strike('503', { probability: 0.5 });
      const statuses = [];
      for (let round = 0; round < 12; round++) statuses.push((await ask(iosSearch)).status);
      return statuses;
    };
    const first = await run();
    expect(new Set(first).size).toBe(2);
    expect(await run()).toEqual(first);
  });

  it('are set over HTTP, and invalid ones are refused', async () => {
    const post = (rules: unknown[]) =>
      ask('/_sim/faults', { method: 'POST', body: JSON.stringify({ rules }) });
    expect((await post([{ fault: '429', store: 'ios' }])).status).toBe(200);
    expect((await ask(iosSearch)).status).toBe(429);
    expect((await post([{ fault: 'plague' }])).status).toBe(400);
    await post([]);
    expect((await ask(iosSearch)).status).toBe(200);
  });
});
