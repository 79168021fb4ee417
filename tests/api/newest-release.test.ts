import { createServer, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiVersion } from '#contract/index.ts';
import { checkForUpdate } from '#domain/scheduling/updates/check-for-update.ts';
import { isNewerRelease, parseRelease } from '#lib/release-version.ts';
import { createUpdateSource } from '#outbound/update-source.ts';
import { startAdminApi } from '../harness/admin-api.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { listenOn } from '../harness/listen-on.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

let api: TestApi;
let operator: Account;
let receiver: Receiver;

beforeAll(async () => {
  ({ api, operator } = await startAdminApi());
});
beforeEach(async () => {
  receiver = await startReceiver();
  await api.db.pool.query(
    'update instance set newest_version = null, newest_version_asked_at = null',
  );
});
afterEach(async () => {
  api.services.updates = null;
  await receiver.close();
});
afterAll(() => api.close());

const respondWith = (text: string, status = 200) => {
  receiver.respond = (response) => response.writeHead(status).end(text);
};
const respondWithVersion = (version: string) => respondWith(JSON.stringify({ version }));
const source = () => createUpdateSource(`${receiver.url}/newest`);
const newest = async () =>
  (await api.db.pool.query('select newest_version as version from instance')).rows[0].version;
const getUpdate = () => api.ok('GET /admin/updates', null, operator);

describe('the newest release', () => {
  test.each([
    ['version of a package', { name: 'toprung', version: '9.10.11', 'dist-tags': {} }],
    ['tag of a release', { tag_name: 'v9.10.11', html_url: 'http://127.0.0.1/' }],
    ['latest version', { latest: { version: '9.10.11' } }],
    ['tag of a package', { 'dist-tags': { latest: '9.10.11' } }],
  ])('is the %s', async (_kind, document) => {
    respondWith(JSON.stringify(document));
    expect(await source().readNewest()).toBe('9.10.11');
  });

  test('is requested without a word about this instance', async () => {
    respondWithVersion('9.0.0');
    await source().readNewest();
    expect(receiver.requests).toMatchObject([{ path: '/newest', body: '' }]);
    expect(Object.keys(receiver.requests[0]!.headers).toSorted()).toEqual([
      'accept',
      'connection',
      'host',
      'user-agent',
    ]);
    // GitHub refuses a request without one.
    expect(receiver.requests[0]!.headers['user-agent']).toBe('toprung');
  });

  const hostile: [string, (response: ServerResponse) => void][] = [
    ['a captcha', (response) => response.end('<html><form>Are you human?</form></html>')],
    ['10 MB', (response) => response.end(Buffer.alloc(10_000_000, 32))],
    ['a script', (response) => response.end('{"version":"9.0.0<script>alert(1)</script>"}')],
    ['a terminal escape', (response) => response.end('{"version":"\\u001b[2J9.0.0"}')],
    ['a pre-release', (response) => response.end('{"version":"9.0.0-rc.1"}')],
    ['a huge number', (response) => response.end(`{"version":"${'9'.repeat(400)}.0.0"}`)],
    ['a list', (response) => response.end('[]')],
    ['null', (response) => response.end('null')],
    ['another type', (response) => response.end('{"version":{"toString":"9.0.0"}}')],
    ['deep JSON', (response) => response.end('['.repeat(60_000))],
    ['a prototype', (response) => response.end('{"__proto__":{"version":"9.0.0"}}')],
    ['a redirect', (response) => response.writeHead(302, { location: '/newest?again' }).end()],
    ['a refusal', (response) => response.writeHead(403).end('{"version":"9.0.0"}')],
    ['a cut connection', (response) => response.destroy()],
  ];
  test.each(hostile)('is not believed in a response with %s', async (_kind, respond) => {
    receiver.respond = respond;
    const failure = await source()
      .readNewest()
      .catch((error: Error) => error.message);
    expect(failure).not.toMatch(/9\.0\.0|script|\p{Cc}/u);
    expect(receiver.requests.length).toBe(1);
  });
});

describe('the daily request', () => {
  test('makes a newer release known to operators', async () => {
    api.services.updates = source();
    respondWithVersion('99.1.2');
    await checkForUpdate(api.services);
    await expect.poll(newest).toBe('99.1.2');
    expect(await getUpdate()).toEqual({
      running: apiVersion,
      newer: '99.1.2',
      askedAt: api.clock.now().toISOString(),
    });
  });

  test('is one a day for all processes, whatever its outcome', async () => {
    api.services.updates = source();
    respondWithVersion('99.1.2');
    await Promise.all([1, 2, 3].map(() => checkForUpdate(api.services)));
    await expect.poll(newest).toBe('99.1.2');
    const { askedAt } = await getUpdate();
    api.clock.advance(23 * 3_600_000);
    await checkForUpdate(api.services);
    expect((await getUpdate()).askedAt).toBe(askedAt);
    expect(receiver.requests).toHaveLength(1);
    api.clock.advance(3_600_000);
    respondWith('no', 500);
    await checkForUpdate(api.services);
    await receiver.waitFor(2);
    await checkForUpdate(api.services);
    expect(receiver.requests).toHaveLength(2);
    expect((await getUpdate()).newer).toBe('99.1.2');
  });

  test('does not wait for the time of a clock that was ahead', async () => {
    api.services.updates = source();
    respondWithVersion('99.1.2');
    const now = api.clock.now();
    api.clock.advance(365 * 86_400_000);
    await checkForUpdate(api.services);
    await receiver.waitFor(1);
    api.clock.set(now);
    await checkForUpdate(api.services);
    await expect.poll(() => receiver.requests.length).toBe(2);
  });

  test('never offers the same or an older release', async () => {
    api.services.updates = source();
    for (const version of [apiVersion, '0.0.1']) {
      respondWithVersion(version);
      await checkForUpdate(api.services);
      await expect.poll(newest).toBe(version);
      expect((await getUpdate()).newer).toBeNull();
      api.clock.advance(24 * 3_600_000);
    }
  });

  test('does not hold up the scheduler while the server is silent', async () => {
    api.services.updates = source();
    receiver.respond = () => {};
    await checkForUpdate(api.services);
    expect(await getUpdate()).toMatchObject({ newer: null });
  });

  test('is not sent without an address, and a known release is then not shown', async () => {
    await api.db.pool.query("update instance set newest_version = '99.1.2'");
    await checkForUpdate(api.services);
    expect(await getUpdate()).toEqual({ running: apiVersion, newer: null, askedAt: null });
  });

  test('survives a server that is gone', async () => {
    const { port, close } = await listenOn(createServer());
    await close();
    const updates = createUpdateSource(`http://127.0.0.1:${port}`);
    await expect(updates.readNewest()).rejects.toThrow('ECONNREFUSED');
  });
});

test('releases are compared by their numbers', () => {
  expect(['v1.2.3', '1.02.3', '1.2', '1.2.3.4', ' 1.2.3', '1.2.3\n'].map(parseRelease)).toEqual([
    '1.2.3',
    '1.2.3',
    null,
    null,
    null,
    null,
  ]);
  const pairs = [
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
    ['0.4.1', '0.4.0-beta.3'],
  ] as const;
  for (const [newer, older] of pairs) {
    expect(isNewerRelease(newer, older)).toBe(true);
    expect(isNewerRelease(parseRelease(older) ?? '0.4.0', newer)).toBe(false);
  }
  expect(isNewerRelease('0.4.0', '0.4.0')).toBe(false);
});
