import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenOn } from '../harness/listen-on.ts';
import { insertApp } from '../api/keywords.fixtures.ts';
import type { Account } from '../harness/api.ts';
import { startMcpTestApp, type McpTestApp } from '../mcp/mcp-test-app.ts';
import { goldenFolders, makeFolder, readFiles, type Files } from './golden-folders.ts';

const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
let testApp: McpTestApp;
const folders: string[] = [];
beforeAll(async () => {
  testApp = await startMcpTestApp();
});
afterAll(async () => {
  await testApp.close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

async function make(files: Files): Promise<string> {
  const folder = await makeFolder(files);
  folders.push(folder);
  return folder;
}

/** The output and exit code of a command, run with the account's token. */
async function runAs(account: Account, args: string[]) {
  const { secret } = await testApp.api.token(account);
  return run(args, { TOPRUNG_URL: testApp.url, TOPRUNG_TOKEN: secret });
}

async function run(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/tmp', ...environment },
  });
  const output = { out: '', error: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.error += text.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...output };
}

test('a folder is pushed, edited in the draft, compared and pulled', async () => {
  const me = await testApp.api.signUp();
  const { id } = await insertApp(testApp.api, me);
  const folder = await make(goldenFolders.deliver);
  const app = ['--app', String(id)];

  const pushed = await runAs(me, ['listing', 'push', folder, ...app]);
  expect(pushed).toMatchObject({ code: 0, error: '' });
  expect(pushed.out).toContain('Locales saved: 2.');
  const { items } = await testApp.api.ok('GET /apps/{id}/listing-drafts', { params: { id } }, me);
  const [draft] = items;
  expect(draft).toMatchObject({ name: 'Repository', current: true, locales: ['de-DE', 'en-US'] });
  // Nothing differs after it, so a pull changes no byte.
  expect(await runAs(me, ['listing', 'diff', folder, ...app])).toMatchObject({ code: 0 });
  expect((await runAs(me, ['listing', 'pull', folder, ...app])).out).toContain('Files written: 0.');
  expect(await readFiles(folder)).toEqual(goldenFolders.deliver);

  const texts = { title: 'Gewohnheiten', subtitle: 'Jeden Tag' };
  await testApp.api.ok(
    'PUT /listing-drafts/{id}/texts',
    { params: { id: draft!.id }, body: { locales: [{ locale: 'de-DE', texts }] } },
    me,
  );
  const compared = await runAs(me, ['listing', 'diff', folder, ...app, '--json']);
  expect(compared.code).toBe(1);
  expect(JSON.parse(compared.out)).toEqual({
    differences: [{ locale: 'de-DE', field: 'subtitle', folder: null, draft: 'Jeden Tag' }],
  });
  const dry = await runAs(me, ['listing', 'pull', folder, ...app, '--dry-run']);
  expect(dry.out).toContain('Files that would be written: 1.');
  expect(await readFiles(folder)).toEqual(goldenFolders.deliver);
  expect(await runAs(me, ['listing', 'pull', folder, ...app])).toMatchObject({ code: 0 });
  expect(await readFiles(folder)).toEqual({
    ...goldenFolders.deliver,
    'fastlane/metadata/de-DE/subtitle.txt': 'Jeden Tag\n',
  });

  const emptied = { title: 'Gewohnheiten', subtitle: '' };
  await testApp.api.ok(
    'PUT /listing-drafts/{id}/texts',
    { params: { id: draft!.id }, body: { locales: [{ locale: 'de-DE', texts: emptied }] } },
    me,
  );
  const pulled = await runAs(me, ['listing', 'pull', folder, ...app]);
  expect(pulled.error).toBe(
    'toprung: deliver cannot empty a text: empty subtitle of de-DE in the store.\n',
  );
  expect(pulled.out).toContain('draft   ""');
  expect(await readFiles(folder)).not.toHaveProperty('fastlane/metadata/de-DE/subtitle.txt');
});

test('a plan shows no control character of a locale', async () => {
  const me = await testApp.api.signUp();
  const { id } = await insertApp(testApp.api, me);
  const folder = await make({
    ...goldenFolders.deliver,
    'fastlane/metadata/x\u001b[2J/name.txt': 'x',
  });
  const { out } = await runAs(me, ['listing', 'push', folder, '--app', String(id), '--dry-run']);
  expect(out).toContain('x [2J title\n');
  expect(out).not.toContain('\u001b');
});

test('a push after the current draft was deleted makes its own draft the current one', async () => {
  const me = await testApp.api.signUp();
  const { id } = await insertApp(testApp.api, me);
  const folder = await make(goldenFolders.deliver);
  const add = (name: string) =>
    testApp.api.ok('POST /apps/{id}/listing-drafts', { params: { id }, body: { name } }, me);
  const remove = (draft: { id: number }) =>
    testApp.api.ok('DELETE /listing-drafts/{id}', { params: { id: draft.id } }, me);
  const list = async () => {
    const { items } = await testApp.api.ok('GET /apps/{id}/listing-drafts', { params: { id } }, me);
    return items.map(({ name, current, locales }) => [name, current, locales.length]);
  };
  const listing = (name: string, ...more: string[]) =>
    runAs(me, ['listing', name, folder, '--app', String(id), ...more]);

  const first = await add('First');
  await add('Second');
  await remove(first);
  for (const push of [1, 2])
    expect([push, await listing('push')]).toMatchObject([push, { code: 0 }]);
  expect((await list()).toSorted()).toEqual([
    ['Repository', true, 2],
    ['Second', false, 0],
  ]);
  expect(await listing('diff')).toMatchObject({ code: 0 });

  // An earlier version left its draft behind without making it the current one.
  const third = await add('Third');
  await testApp.api.ok(
    'PATCH /listing-drafts/{id}',
    { params: { id: third.id }, body: { current: true } },
    me,
  );
  await remove(third);
  expect(await listing('push')).toMatchObject({ code: 0 });
  expect(await list()).toContainEqual(['Repository', true, 2]);
  expect(await listing('push', '--draft', 'Other')).toMatchObject({ code: 0 });
  expect(await list()).toContainEqual(['Other', false, 2]);
});

test('a push overwrites no text that is saved after its comparison', async () => {
  const me = await testApp.api.signUp();
  const { id } = await insertApp(testApp.api, me);
  const draft = await testApp.api.ok(
    'POST /apps/{id}/listing-drafts',
    { params: { id }, body: { name: 'Shared' } },
    me,
  );
  const save = (title: string) =>
    testApp.api.ok(
      'PUT /listing-drafts/{id}/texts',
      { params: { id: draft.id }, body: { locales: [{ locale: 'en-US', texts: { title } }] } },
      me,
    );
  // Somebody saves while the command is between its reading and its writing.
  const between = createServer((request, response) => {
    void (async () => {
      const body = await text(request);
      if (request.method === 'PUT') await save('Theirs');
      const passed = await fetch(`${testApp.url}${request.url}`, {
        method: request.method!,
        headers: Object.fromEntries(
          ['authorization', 'content-type', 'if-match'].flatMap((name) =>
            request.headers[name] === undefined ? [] : [[name, String(request.headers[name])]],
          ),
        ),
        ...(body !== '' && { body }),
      });
      response.writeHead(passed.status, { 'content-type': 'application/json' });
      response.end(await passed.text());
    })();
  });
  const { port, close } = await listenOn(between);
  const folder = await make(goldenFolders.deliver);
  const { secret } = await testApp.api.token(me);
  const pushed = await run(['listing', 'push', folder, '--app', String(id)], {
    TOPRUNG_URL: `http://127.0.0.1:${port}`,
    TOPRUNG_TOKEN: secret,
  });
  await close();
  expect(pushed.code).not.toBe(0);
  expect(pushed.error).toContain('This was changed after it was read');
  const params = { id: draft.id };
  const { texts } = await testApp.api.ok('GET /listing-drafts/{id}', { params }, me);
  expect(texts.map(({ locale, texts: saved }) => [locale, saved])).toEqual([
    ['en-US', { title: 'Theirs' }],
  ]);
});

test('errors of listing commands say what to do', async () => {
  const me = await testApp.api.signUp();
  const { id } = await insertApp(testApp.api, me);
  const app = ['--app', String(id)];
  const android = await make(goldenFolders.supply);
  const said = async (args: string[]) => {
    const { code, error } = await runAs(me, ['listing', ...args]);
    expect(code).toBe(1);
    return error;
  };
  expect(await said(['push', android, ...app])).toMatch(/no listing for ios. Name the folder/);
  const both = await make({ ...goldenFolders.deliver, ...goldenFolders.eas });
  expect(await said(['push', both, ...app])).toMatch(/eas in ., deliver in .*--tool/);
  const twice = await make({
    'a\u001b[2J/en-US/name.txt': 'x',
    'a\u001b[2J/en-US/keywords.txt': 'x',
    ...goldenFolders.deliver,
  });
  expect(await said(['push', twice, ...app])).toMatch(/deliver in a \[2J, deliver in fastlane/);
  const named = await make({ 'x\u001b[2J/en-US/keywords.txt': 'x' });
  await writeFile(join(named, 'x\u001b[2J/en-US/name.txt'), Buffer.from([0xff]));
  expect(await said(['push', named, ...app])).toMatch(
    /^toprung: x \[2J\/en-US\/name.txt: The file/,
  );
  const folder = await make(goldenFolders.deliver);
  expect(await said(['pull', folder, ...app])).toMatch(/no current draft.*push creates one/);
  expect(await said(['pull', folder, '--app', '999999'])).toMatch(/not_found/);
  const missing = await run(['listing', 'push', folder, ...app], { TOPRUNG_URL: testApp.url });
  expect(missing).toMatchObject({ code: 78, error: expect.stringContaining('Set TOPRUNG_TOKEN') });
});

test('lint exits with 0, 1 or 2, and compares with a baseline', async () => {
  const folder = await make({
    ...goldenFolders.deliver,
    'fastlane/metadata/en-US/name.txt': 'x'.repeat(31),
  });
  const baseline = ['--baseline', `${folder}/baseline.json`];
  const found = await run(['lint', folder, '--format', 'json']);
  expect(found.code).toBe(1);
  expect(JSON.parse(found.out)).toMatchObject({ findings: [{ rule: 'too-long' }, {}] });
  expect(await run(['lint', folder, '--fail-on', 'never'])).toMatchObject({ code: 0 });
  expect((await run(['lint', folder, ...baseline, '--write-baseline'])).code).toBe(0);
  expect((await run(['lint', folder, ...baseline, '--fail-on', 'info'])).code).toBe(0);
  const unusable = await run(['lint', `${folder}/nowhere`]);
  expect(unusable).toMatchObject({ code: 2, error: expect.stringContaining('Check the path') });
});
