import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { largeZipBytes, listingZipBytes } from '#contract/body-limits.ts';
import { mayBeText } from '#listing-files/zip/may-be-text.ts';
import { readZip } from '#listing-files/zip/read-zip.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { goldenFolders, type Files } from '../listing-files/golden-folders.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

function bytesOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress: !name.endsWith('.png') });
  zip.end();
  return buffer(zip.outputStream);
}
const zipOf = async (files: Files): Promise<string> => (await bytesOf(files)).toString('base64');

async function makeDraft(me: Account, store: 'ios' | 'android' = 'ios'): Promise<number> {
  const app = await insertApp(api, me, { store });
  const body = { name: 'Spring' };
  const params = { id: app.id };
  return (await api.ok('POST /apps/{id}/listing-drafts', { params, body }, me)).id;
}

const preview = (me: Credential, id: number, body: { zip: string; listing?: Chosen }) =>
  api.call('POST /listing-drafts/{id}/zip/preview', { params: { id }, body }, me);
type Chosen = { tool: 'deliver' | 'eas' | 'asc' | 'supply'; root: string };

async function download(me: Credential, id: number, body: object) {
  const response = await fetch(`${api.url}/listing-drafts/${id}/zip`, {
    method: 'POST',
    headers: { ...me.headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (!response.ok) return { status: response.status, body: JSON.parse(bytes.toString()) };
  const files: Record<string, string> = {};
  for (const { name, unpack } of await readZip(bytes)) files[name] = (await unpack()).toString();
  return { status: response.status, files };
}

test('a zip is compared, saved and written back with the bytes that did not change', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const params = { id };
  const folder = goldenFolders.deliver;
  const zip = await zipOf(folder);
  const compared = await api.ok(
    'POST /listing-drafts/{id}/zip/preview',
    { params, body: { zip } },
    me,
  );
  const listing = { tool: 'deliver', root: 'fastlane/metadata' };
  expect(compared).toMatchObject({
    found: [{ ...listing, store: 'ios', locales: ['de-DE', 'en-US'] }],
    chosen: listing,
    faults: [],
    notEmptied: [],
  });
  expect(compared.differences).toContainEqual({
    locale: 'en-US',
    field: 'subtitle',
    folder: 'Small steps every day',
    draft: null,
  });
  // The demo password of the folder is in no response.
  expect(JSON.stringify(compared)).not.toContain('secret-of-the-demo');
  const { locales } = compared;
  await api.ok('PUT /listing-drafts/{id}/texts', { params, body: { locales } }, me);
  expect((await preview(me, id, { zip })).body).toMatchObject({ differences: [], locales: [] });
  expect(await download(me, id, { zip })).toEqual({ status: 200, files: folder });

  const texts = { ...locales.find(({ locale }) => locale === 'en-US')!.texts };
  texts.title = 'Habit Diary';
  texts.subtitle = '';
  await api.ok(
    'PUT /listing-drafts/{id}/texts',
    { params, body: { locales: [{ locale: 'en-US', texts }] } },
    me,
  );
  expect((await preview(me, id, { zip })).body).toMatchObject({
    differences: [
      { locale: 'en-US', field: 'title', folder: 'Habit Tracker', draft: 'Habit Diary' },
      { locale: 'en-US', field: 'subtitle', folder: 'Small steps every day', draft: '' },
    ],
    notEmptied: [{ locale: 'en-US', field: 'subtitle' }],
  });
  const { 'fastlane/metadata/en-US/subtitle.txt': _removed, ...others } = folder;
  expect((await download(me, id, { zip })).files).toEqual({
    ...others,
    'fastlane/metadata/en-US/name.txt': 'Habit Diary\n',
  });
});

test('an emptied text is an empty file for a tool that sends one', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me, 'android');
  const locales = [{ locale: 'en-US', texts: { title: 'Habit Tracker\n', whatsNew: '' } }];
  await api.ok('PUT /listing-drafts/{id}/texts', { params: { id }, body: { locales } }, me);
  const zip = await zipOf(goldenFolders.supply);
  expect((await preview(me, id, { zip })).body.notEmptied).toEqual([]);
  const notes = 'fastlane/metadata/android/en-US/changelogs/10.txt';
  expect((await download(me, id, { zip })).files).toEqual({ ...goldenFolders.supply, [notes]: '' });
});

test('a draft becomes a new folder of a tool', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const locales = [{ locale: 'ja', texts: { title: '習慣', keywordField: 'a,b', subtitle: '' } }];
  await api.ok('PUT /listing-drafts/{id}/texts', { params: { id }, body: { locales } }, me);
  expect(await download(me, id, {})).toEqual({
    status: 200,
    files: { 'ja/keywords.txt': 'a,b\n', 'ja/name.txt': '習慣\n' },
  });
  const listing = { tool: 'asc', root: 'metadata' };
  expect((await download(me, id, { listing })).files).toEqual({
    'metadata/app-info/ja.json': '{"name":"習慣"}',
    'metadata/version/1.0/ja.json': '{"keywords":"a,b"}',
  });
  expect(await download(me, id, { listing: { tool: 'supply', root: '' } })).toMatchObject({
    status: 400,
    body: { issues: [{ path: 'listing.tool' }] },
  });
  for (const root of ['/fastlane/metadata', '../x', 'C:/x', 'a\\b', 'a/', 'a//b', '.'])
    expect(await download(me, id, { listing: { tool: 'deliver', root } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', issues: [{ path: 'listing.root', actual: root }] },
    });
});

test('one of several listings is chosen', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const zip = await zipOf({ ...goldenFolders.deliver, ...goldenFolders.eas });
  const { body } = await preview(me, id, { zip });
  expect(body).toMatchObject({ chosen: null, differences: [], locales: [] });
  expect(body.found.map(({ tool }: { tool: string }) => tool)).toEqual(['eas', 'deliver']);
  expect(await download(me, id, { zip })).toMatchObject({
    status: 400,
    body: { code: 'unusable_zip', issues: [{ actual: 'several_listings' }] },
  });
  const listing = { tool: 'eas', root: '' } as const;
  expect((await preview(me, id, { zip, listing })).body.chosen).toEqual(listing);
  expect((await download(me, id, { zip, listing })).status).toBe(200);
});

test('a zip that cannot be used says why, and where', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const refused = async (zip: string) => {
    const { status, body } = await preview(me, id, { zip });
    const [{ path, actual }] = body.issues;
    return [status, body.code, path, actual];
  };
  const plain = Buffer.from('no zip').toString('base64');
  expect(await refused(plain)).toEqual([400, 'unusable_zip', 'zip', 'not_a_zip']);
  expect(await refused(await zipOf(goldenFolders.supply))).toEqual([
    400,
    'unusable_zip',
    'zip',
    'no_listing',
  ]);
  const cut = Buffer.from(await zipOf({ 'en-US/subtitle.txt': 'x'.repeat(50) }), 'base64');
  // A byte of the first file: the list of files is whole.
  cut[50]! ^= 0xff;
  expect(await refused(cut.toString('base64'))).toEqual([
    400,
    'unusable_zip',
    'zip[en-US/subtitle.txt]',
    'damaged',
  ]);
  const broken = await zipOf({ 'app-info/en-US.json': '{', 'version/1/en-US.json': '{}' });
  expect((await preview(me, id, { zip: broken })).body).toMatchObject({
    chosen: { tool: 'asc' },
    faults: [{ file: 'app-info/en-US.json' }],
    locales: [],
  });
  expect((await download(me, id, { zip: broken })).body).toMatchObject({
    code: 'unusable_zip',
    issues: [{ path: 'zip[app-info/en-US.json]', actual: 'unusable_text' }],
  });
  const long = await zipOf({ 'en-US/subtitle.txt': 'x'.repeat(1_001) });
  expect((await preview(me, id, { zip: long })).body).toMatchObject({
    faults: [{ message: 'subtitle of en-US: at most 1000 characters' }],
    locales: [],
  });
  const large = 'A'.repeat(4 * Math.ceil(listingZipBytes / 3) + 4);
  expect((await preview(me, id, { zip: large })).body.issues).toMatchObject([{ path: 'zip' }]);
});

/** Sends a zip as it is, in pieces when it is a stream. */
async function sendLarge(
  me: Credential,
  path: string,
  body: Buffer | AsyncIterable<Uint8Array>,
  type = 'application/zip',
) {
  const response = await fetch(`${api.url}/listing-drafts/${path}`, {
    method: 'POST',
    headers: { ...me.headers, 'content-type': type },
    body,
    duplex: 'half',
  } as RequestInit);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isZip = response.headers.get('content-type') === 'application/zip';
  return { status: response.status, bytes, body: isZip ? null : JSON.parse(bytes.toString()) };
}

test('a zip of 60 MB with screenshots is compared and comes back with its texts', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const reader = await api.token(me, { readOnly: true });
  const folder = goldenFolders.deliver;
  const screens = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [
      `fastlane/screenshots/en-US/${at}.png`,
      randomBytes(1024 * 1024),
    ]),
  );
  const zip = await bytesOf({ ...screens, ...folder });
  expect(zip.length).toBeGreaterThan(60_000_000);
  const texts = Object.fromEntries(Object.entries(folder).filter(([path]) => mayBeText(path)));
  const small = (await preview(me, id, { zip: await zipOf(folder) })).body;
  const compared = await sendLarge(reader, `${id}/large-zip/preview`, zip);
  expect([compared.status, compared.body]).toEqual([200, small]);
  expect(JSON.stringify(compared.body)).not.toContain('secret-of-the-demo');
  async function* inPieces() {
    for (let at = 0; at < zip.length; at += 100_000) yield zip.subarray(at, at + 100_000);
  }
  const root = encodeURIComponent('fastlane/metadata');
  const back = await sendLarge(reader, `${id}/large-zip?tool=deliver&root=${root}`, inPieces());
  const files: Record<string, string> = {};
  for (const { name, unpack } of await readZip(back.bytes)) files[name] = String(await unpack());
  expect([back.status, files]).toEqual([200, texts]);
  const { locales } = compared.body;
  await api.ok('PUT /listing-drafts/{id}/texts', { params: { id }, body: { locales } }, me);
  const again = await sendLarge(me, `${id}/large-zip/preview`, zip);
  expect(again.body).toMatchObject({ differences: [], locales: [] });
});

test('a file that is longer than any text is in no download of a large zip', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const texts = Object.fromEntries(
    Object.entries(goldenFolders.deliver).filter(([path]) => mayBeText(path)),
  );
  const zip = await bytesOf({
    ...texts,
    // Large once it is unpacked, and large as it is.
    'x/y/video.txt': Buffer.alloc(40 * 1024 * 1024),
    'docs/description.txt': randomBytes(1_500_000).toString('base64'),
  });
  expect((await sendLarge(me, `${id}/large-zip/preview`, zip)).status).toBe(200);
  const root = encodeURIComponent('fastlane/metadata');
  const back = await sendLarge(me, `${id}/large-zip?tool=deliver&root=${root}`, zip);
  expect(back.status).toBe(200);
  const names = (await readZip(back.bytes)).map(({ name }) => name);
  expect(names).toEqual(Object.keys(texts));
});

test('a large zip that cannot be used is refused, and the connection serves the next', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const path = `${id}/large-zip/preview`;
  const faultOf = async (body: Buffer | AsyncIterable<Uint8Array>) => {
    const response = await sendLarge(me, path, body);
    const [{ actual, path: at }] = response.body.issues;
    return [response.status, response.body.code, at, actual];
  };
  async function* endless() {
    const head = await bytesOf({ 'en-US/name.txt': 'Name' });
    head.writeUInt32LE(0x12345678, 0);
    yield head;
    for (let piece = 0; piece < 200; piece += 1) yield Buffer.alloc(100_000);
  }
  expect(await faultOf(endless())).toEqual([400, 'unusable_zip', 'zip', 'not_a_zip']);
  expect(await faultOf(Buffer.alloc(0))).toEqual([400, 'unusable_zip', 'zip', 'not_a_zip']);
  const none = await bytesOf({ 'a.png': 'picture' });
  expect(await faultOf(none)).toEqual([400, 'unusable_zip', 'zip', 'no_listing']);
  const zip = await bytesOf(goldenFolders.deliver);
  expect(await faultOf(zip.subarray(0, 300))).toEqual([400, 'unusable_zip', 'zip', 'damaged']);
  expect((await sendLarge(me, `${path}?root=x`, zip)).body.issues).toMatchObject([
    { path: 'query.root' },
  ]);
  expect((await sendLarge(me, path, Buffer.from('{}'), 'application/json')).status).toBe(415);
  // No other operation accepts a zip.
  expect((await sendLarge(me, `${id}/zip/preview`, zip)).status).toBe(415);
  const other = await api.signUp();
  expect((await sendLarge(other, path, zip)).status).toBe(404);
  const announced = await new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(api.url);
    const sent = request(
      {
        hostname,
        port,
        path: `/listing-drafts/${path}`,
        method: 'POST',
        headers: {
          ...me.headers,
          'content-type': 'application/zip',
          'content-length': largeZipBytes + 1,
        },
      },
      (response) => {
        resolve(response.statusCode!);
        sent.destroy();
      },
    );
    sent.on('error', reject);
    sent.flushHeaders();
  });
  expect(announced).toBe(413);
  expect((await sendLarge(me, path, zip)).status).toBe(200);
});

test('a read-only token compares and downloads, and saves nothing', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const reader = await api.token(me, { readOnly: true });
  const zip = await zipOf(goldenFolders.deliver);
  expect((await preview(reader, id, { zip })).status).toBe(200);
  expect((await download(reader, id, { zip })).files).toEqual(goldenFolders.deliver);
  const { locales } = (await preview(reader, id, { zip })).body;
  const saved = { params: { id }, body: { locales } };
  expect((await api.call('PUT /listing-drafts/{id}/texts', saved, reader)).body.code).toBe(
    'read_only_token',
  );
  const other = await api.signUp();
  expect([
    (await preview(other, id, { zip })).status,
    (await download(other, id, {})).status,
  ]).toEqual([404, 404]);
});

test('a refused zip that was not read to its end does not block its connection', async () => {
  const me = await api.signUp();
  const id = await makeDraft(me);
  const { hostname, port } = new URL(api.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string, body: Buffer, type: string) =>
    new Promise<Record<'status' | 'port', number | undefined>>((resolve, reject) => {
      const headers = { ...me.headers, 'content-type': type, 'content-length': body.length };
      const sent = request({ hostname, port, agent, path, method: 'POST', headers }, (response) => {
        const { localPort: port } = response.socket;
        response.resume().once('end', () => resolve({ status: response.statusCode, port }));
      });
      sent.once('error', reject).end(body);
    });
  const path = `/listing-drafts/${id}/large-zip/preview`;
  const refused = await send(path, Buffer.alloc(400_000), 'application/zip');
  const next = await send(path, Buffer.from('{}'), 'application/json');
  expect([refused.status, next]).toEqual([400, { status: 415, port: refused.port }]);
  agent.destroy();
});
