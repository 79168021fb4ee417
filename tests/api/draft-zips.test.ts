import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { listingZipBytes } from '#contract/body-limits.ts';
import { readZip } from '#listing-files/zip/read-zip.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { goldenFolders, type Files } from '../listing-files/golden-folders.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function zipOf(files: Files): Promise<string> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return (await buffer(zip.outputStream)).toString('base64');
}

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
