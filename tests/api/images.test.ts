import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readMigrationFiles } from '#db/migrate.ts';
import { findImage } from '#db/queries/images/images.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import {
  startImageFetches,
  waitForImageFetches,
} from '#domain/tracking/images/start-image-fetches.ts';
import { imageIdentityOf, StoreError, type ImageSource } from '#domain/base/ports.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { createEgressPool, createImageSource } from '#stores/index.ts';
import { readImage } from '#stores/read-image.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { createUnlimitedPacer } from '../stores/unlimited-pacer.ts';
import { readAt } from './changes.fixtures.ts';
import { insertApp } from './keywords.fixtures.ts';

let simulator: Simulator;
let api: TestApi;
let ann: Account;
let bob: Account;
const egress = createEgressPool({ proxies: [] });
beforeAll(async () => {
  simulator = await startSimulator();
  const { pacer } = createUnlimitedPacer();
  const images: ImageSource = {
    read: (picture, signal) => {
      const { clock } = api;
      const source = createImageSource({ baseUrl: simulator.baseUrl, pacer, egress, clock });
      return source.read(picture, signal);
    },
  };
  api = await startApi({ services: { images } });
});
beforeEach(async () => {
  api.clock.set('2026-11-21T12:00:00Z');
  // Retention deletes sessions too.
  ann = await api.signUp();
  bob = await api.signUp();
  simulator.clearLog();
});
afterEach(async () => {
  simulator.setFaults([]);
  await api.db.pool.query('delete from image_sources');
  await api.db.pool.query('delete from images');
});
afterAll(async () => {
  await api.close();
  await egress.close();
  await simulator.close();
});

const cdn = 'https://is1-ssl.mzstatic.com/image/thumb';
const iconUrl = `${cdn}/icon-1500000001-0-0/512x512bb.jpg`;
const shotUrl = (number: number, revision = 0) =>
  `${cdn}/screenshot-1500000001-${number}-${revision}/392x696bb.jpg`;

interface Options {
  credential?: Credential;
  kind?: string;
  headers?: Record<string, string>;
}

async function get(url: string, { credential = ann, kind = 'icon', headers = {} }: Options = {}) {
  const query = new URLSearchParams({ store: 'ios', kind, url });
  const response = await fetch(`${api.url}/images?${query.toString()}`, {
    headers: { ...credential.headers, ...headers },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}
const statusOf = async (url: string, options?: Parameters<typeof get>[1]) =>
  (await get(url, options)).response.status;

/** What the scheduler does every second. */
async function fetchDue(): Promise<void> {
  await startImageFetches(api.services);
  await waitForImageFetches(api.services);
}

const requests = () => simulator.log().filter(({ kind }) => kind === 'image').length;
const count = async (table: 'images' | 'image_sources') =>
  Number((await api.db.pool.query(`select count(*) from ${table}`)).rows[0].count);

describe('a picture', () => {
  test('is fetched once for everybody who looks at it, and kept by clients', async () => {
    expect([await statusOf(iconUrl), await statusOf(iconUrl, { credential: bob })]).toEqual([
      202, 202,
    ]);
    await fetchDue();
    const { response, bytes } = await get(iconUrl);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(readImage(bytes)).toMatchObject({ width: 128, height: 128 });
    expect((await get(iconUrl, { credential: bob })).bytes.equals(bytes)).toBe(true);
    // Another server and size of the same picture.
    const other = iconUrl.replace('is1', 'is3').replace('512x512', '100x100');
    expect((await get(other)).bytes.equals(bytes)).toBe(true);
    const etag = response.headers.get('etag')!;
    expect(await statusOf(iconUrl, { headers: { 'if-none-match': etag } })).toBe(304);
    await fetchDue();
    expect(requests()).toBe(1);
  });

  test('of a screenshot is larger', async () => {
    await statusOf(shotUrl(1), { kind: 'screenshot' });
    await fetchDue();
    const { bytes } = await get(shotUrl(1), { kind: 'screenshot' });
    expect(readImage(bytes)).toMatchObject({ width: 369, height: 800 });
  });

  test('with the same bytes as another one is stored once', async () => {
    const real = api.services.images.read;
    const same = await real(
      { store: 'ios', kind: 'icon', identity: imageIdentityOf('ios', iconUrl)! },
      new AbortController().signal,
    );
    api.services.images.read = () => Promise.resolve(same);
    for (const url of [iconUrl, shotUrl(7)]) await statusOf(url);
    await fetchDue();
    api.services.images.read = real;
    expect([await count('image_sources'), await count('images')]).toEqual([2, 1]);
  });

  test('needs a credential, which may be read-only', async () => {
    const readOnly = await api.token(ann, { readOnly: true });
    expect(await statusOf(iconUrl, { credential: readOnly })).toBe(202);
    expect(await statusOf(iconUrl, { credential: { headers: {} } })).toBe(401);
  });

  test.each([
    'https://169.254.169.254/latest/meta-data/icon.png',
    'http://is1-ssl.mzstatic.com/image/thumb/a/1x1bb.jpg',
    'https://is1-ssl.mzstatic.com:444/image/thumb/a/1x1bb.jpg',
    'https://play-lh.googleusercontent.com/abc',
    'file:///etc/passwd',
    'x',
  ])('at %s is none of the store, and nothing is requested', async (url) => {
    expect(await statusOf(url)).toBe(400);
    await fetchDue();
    expect([requests(), await count('image_sources')]).toEqual([0, 0]);
  });

  test('that the server lacks is given up after six attempts', async () => {
    const missing = `${cdn}/nothing/512x512bb.jpg`;
    const statuses = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      statuses.push(await statusOf(missing));
      await fetchDue();
      api.clock.advance(25 * 3_600_000);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 404, 404]);
    expect(requests()).toBe(6);
  });

  test.each(['huge', 'truncated-gzip', 'reset', '403', '502'] as const)(
    'whose delivery fails with %s comes later, and everything else goes on',
    async (fault) => {
      simulator.setFaults([{ fault, kind: 'image', times: 1 }]);
      await statusOf(iconUrl);
      await fetchDue();
      expect([await statusOf(iconUrl), await count('images')]).toEqual([202, 0]);
      api.clock.advance(60 * 60_000);
      await fetchDue();
      expect(await statusOf(iconUrl)).toBe(200);
    },
  );

  test('comes when its server can be reached again', async () => {
    const real = api.services.images.read;
    const message = 'connection refused';
    const credential = await api.token(ann);
    api.services.images.read = () =>
      Promise.reject(
        new StoreError({ store: 'ios', failure: 'unavailable', marker: 'ECONNREFUSED', message }),
      );
    await statusOf(iconUrl);
    for (let attempt = 0; attempt < 8; attempt++) {
      await fetchDue();
      api.clock.advance(24 * 3_600_000);
    }
    api.services.images.read = real;
    await fetchDue();
    expect(await statusOf(iconUrl, { credential })).toBe(200);
  });

  test('that was given up before unreachable servers were tried daily is due again', async () => {
    const gone = `${cdn}/gone/512x512bb.jpg`;
    for (const url of [iconUrl, gone]) await statusOf(url);
    await api.db.pool.query(
      `update image_sources set due_at = null, attempts = 6,
         last_marker = case when identity like '%gone%' then '404' else 'timeout' end`,
    );
    await fetchDue();
    expect(await statusOf(iconUrl)).toBe(404);
    const name = '0099_pictures_and_payment_events.sql';
    const file = (await readMigrationFiles()).find((migration) => migration.name === name)!;
    await api.db.pool.query(file.text.split(';')[0]!);
    await fetchDue();
    expect([await statusOf(iconUrl), await statusOf(gone), requests()]).toEqual([200, 404, 1]);
  });

  test('of an address that no row can have is refused, and holds up no other', async () => {
    const endless = `${cdn}/${'\u{1112}'.repeat(300)}/512x512bb.jpg`;
    expect(await statusOf(endless)).toBe(400);
    await insertApp(api, ann, { storeAppId: '1500000009' });
    const screenshotUrls = [endless];
    await readAt(api, '1500000009', '2026-11-21T09:00:00Z', { iconUrl, screenshotUrls });
    await fetchDue();
    expect(await statusOf(iconUrl)).toBe(200);
  });

  test('that the server refuses is given up, too, and holds up no other', async () => {
    const real = api.services.images.read;
    let refusals = 0;
    api.services.images.read = (picture, signal) => {
      if (!picture.identity.includes('private')) return real(picture, signal);
      refusals += 1;
      return Promise.reject(
        new StoreError({ store: 'ios', failure: 'refused', marker: '403', message: 'refused' }),
      );
    };
    const refused = `${cdn}/private/512x512bb.jpg`;
    await statusOf(refused);
    api.clock.advance(1_000);
    await statusOf(iconUrl);
    for (let attempt = 0; attempt < 3; attempt++) {
      await fetchDue();
      api.clock.advance(6 * 60_000);
    }
    expect(await statusOf(iconUrl)).toBe(200);
    const statuses = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      api.clock.advance(25 * 3_600_000);
      await fetchDue();
      statuses.push(await statusOf(refused));
    }
    api.services.images.read = real;
    expect([statuses.at(-1), refusals]).toEqual([404, 6]);
  });

  test('that waits longer than any retry does is fetched: a clock was ahead', async () => {
    await statusOf(iconUrl);
    const { rows } = await api.db.pool.query<{ at: Date }>(
      'select due_at as at from image_sources',
    );
    const waitFor = async (hours: number) => {
      const at = new Date(rows[0]!.at.getTime() + hours * 3_600_000);
      await api.db.pool.query('update image_sources set due_at = $1', [at]);
      await fetchDue();
      return statusOf(iconUrl);
    };
    expect([await waitFor(24), await waitFor(26)]).toEqual([202, 200]);
  });

  test('is fetched after a crash, when the lease of the dead process has ended', async () => {
    await statusOf(iconUrl);
    const real = api.services.images.read;
    api.services.images.read = () => Promise.reject(new Error('the process was killed'));
    await fetchDue();
    api.services.images.read = real;
    await fetchDue();
    expect(await statusOf(iconUrl)).toBe(202);
    api.clock.advance(6 * 60_000);
    await fetchDue();
    expect(await statusOf(iconUrl)).toBe(200);
  });

  test('is not fetched for a workspace that has had 3,000 new ones on the day', async () => {
    await api.db.pool.query(
      `insert into image_sources (store, kind, identity, requested_by, priority, created_on,
        used_on) select 'ios', 'icon', '/' || n, $1, 0, '2026-11-21', '2026-11-21'
       from generate_series(1, 3000) n`,
      [ann.workspaceId],
    );
    expect(await statusOf(iconUrl)).toBe(404);
    expect(await statusOf(iconUrl, { credential: bob })).toBe(202);
    api.clock.set('2026-11-22T00:00:01Z');
    expect(await statusOf(shotUrl(9))).toBe(202);
  });
});

describe('the pictures of a snapshot', () => {
  const known = async (url: string, kind: 'icon' | 'screenshot') =>
    findImage(api.db.systemDb, { store: 'ios', kind, identity: imageIdentityOf('ios', url)! });

  test('are fetched when the listing was read, icons first, and new ones later', async () => {
    const app = await insertApp(api, ann, { storeAppId: '1500000001' });
    const screenshotUrls = [1, 2].map((number) => shotUrl(number));
    await readAt(api, '1500000001', '2026-11-21T09:00:00Z', { iconUrl, screenshotUrls });
    await fetchDue();
    expect(simulator.log().map(({ path }) => /thumb\/(\w+)/.exec(path)![1])).toEqual([
      'icon',
      'screenshot',
      'screenshot',
    ]);
    expect(app.id).toBeGreaterThan(0);
    await readAt(api, '1500000001', '2026-11-22T09:00:00Z', {
      iconUrl,
      screenshotUrls: [shotUrl(1, 1), shotUrl(2)],
    });
    await fetchDue();
    expect(requests()).toBe(4);
    expect((await known(shotUrl(1, 1), 'screenshot'))?.hash).not.toBe(null);
    // The earlier one is part of the history.
    expect((await known(shotUrl(1), 'screenshot'))?.hash).not.toBe(null);
  });

  test('at other addresses than those of the store are none', async () => {
    await readAt(api, '1500000002', '2026-11-21T09:00:00Z', {
      iconUrl: 'https://10.0.0.1/icon.png',
      screenshotUrls: ['https://example.org/1.png', shotUrl(3)],
    });
    await fetchDue();
    expect(requests()).toBe(1);
  });

  test('wait while a day is too short for the store, unless somebody looks at them', async () => {
    await api.db.pool.query(
      `insert into runs (date, state, opened_at, pressure, shed) values
        ('2026-11-21', 'running', '2026-11-21T02:00:00Z', '{}', '{"ios": ["hints"]}')
       on conflict (date) do update set shed = excluded.shed`,
    );
    await readAt(api, '1500000003', '2026-11-21T09:00:00Z', { iconUrl, screenshotUrls: [] });
    await fetchDue();
    expect(requests()).toBe(0);
    expect(await statusOf(iconUrl)).toBe(202);
    await fetchDue();
    expect(await statusOf(iconUrl)).toBe(200);
    await api.db.pool.query('delete from runs');
  });
});

describe('retention', () => {
  const retain = async () => {
    while ((await applyRetention(api.services, new AbortController().signal)) > 0);
  };

  test('deletes what nobody looked at for 90 days, except of tracked listings', async () => {
    const [tracked, gone] = ['1500000011', '1500000012'];
    for (const [index, storeAppId] of [tracked, gone].entries())
      await readAt(api, storeAppId, '2026-11-21T09:00:00Z', {
        iconUrl: `${cdn}/icon-${storeAppId}-0-0/512x512bb.jpg`,
        screenshotUrls: [shotUrl(20 + index)],
      });
    await api.db.pool.query(
      `insert into listing_schedule (listing_id, country, store)
       select id, 'us', 'ios' from listings where store_app_id = $1`,
      [tracked],
    );
    await statusOf(iconUrl);
    await statusOf(shotUrl(30));
    await fetchDue();
    expect(await count('images')).toBe(6);
    // A session would have expired.
    const credential = await api.token(ann);
    api.clock.set('2027-02-10T12:00:00Z');
    expect(await statusOf(shotUrl(30), { credential })).toBe(200);
    await retain();
    expect(await count('images')).toBe(6);
    api.clock.set('2027-02-20T12:00:00Z');
    await retain();
    expect(await statusOf(iconUrl, { credential })).toBe(202);
    // Of the tracked listing two, and the one that somebody looked at.
    expect(await count('images')).toBe(3);
    expect(await statusOf(shotUrl(30), { credential })).toBe(200);
  });

  test('keeps the bytes of a picture that another address still has', async () => {
    await statusOf(iconUrl);
    await fetchDue();
    expect(await count('images')).toBe(1);
    await api.db.pool.query(
      `insert into image_sources (store, kind, identity, priority, created_on, used_on, image_hash)
       select 'ios', 'icon', '/other', 0, '2027-03-01', '2027-03-01', hash from images limit 1`,
    );
    api.clock.set('2027-03-01T12:00:00Z');
    await retain();
    expect([await count('image_sources'), await count('images')]).toEqual([1, 1]);
  });
});
