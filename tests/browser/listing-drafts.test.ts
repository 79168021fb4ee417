import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { mayBeText } from '#listing-files/zip/may-be-text.ts';
import { readZip } from '#listing-files/zip/read-zip.ts';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw } from '../harness/short-form.ts';
import { goldenFolders, makeFolder, readFiles } from '../listing-files/golden-folders.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
const main = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
const run = promisify(execFile);
let testApp: DemoTestApp;
keepOrder('later tests change the draft that the first one pushes');

/** Calls the API with the page's session. */
const send = <Result>(page: Page, method: string, path: string, body?: object): Promise<Result> =>
  page.evaluate(
    async ({ at, ...request }) =>
      (await fetch(`/api/backend${at}`, request)).json() as Promise<Result>,
    {
      at: path,
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    },
  );

function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files))
    zip.addBuffer(Buffer.from(content), name, { compress: !name.endsWith('.png') });
  zip.end();
  return buffer(zip.outputStream);
}

/** One of its texts is a symbolic link. */
function linkedZip(): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('/etc/passwd'), 'en-US/subtitle.txt', { mode: 0o120_777 });
  zip.end();
  return buffer(zip.outputStream);
}

const nameOf = async (page: Page, id: number): Promise<string> =>
  (await send<{ name: string }>(page, 'GET', `/listing-drafts/${id}`)).name;

async function unzip(zip: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const { name, unpack } of await readZip(zip)) files.set(name, await unpack());
  return files;
}

describe.skipIf(!browser)('listing drafts', () => {
  const path = (rest = '') => `/apps/${testApp.apps.ios}/listing-drafts${rest}`;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('a folder becomes a draft, a better draft, and a folder again', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path());
    await page.getByText('No drafts yet').waitFor();
    const { token } = await send<{ token: string }>(page, 'POST', '/tokens', {
      name: 'repository',
    });
    const folder = await makeFolder(goldenFolders.deliver);
    const listing = (command: string) =>
      run(process.execPath, [main, 'listing', command, folder, '--app', String(testApp.apps.ios)], {
        env: { ...process.env, TOPRUNG_URL: testApp.webUrl, TOPRUNG_TOKEN: token },
      });
    try {
      expect((await listing('push')).stdout).toContain('Locales saved: 2.');
      await page.reload();
      await loaded();
      const subtitle = page.getByRole('textbox', { name: 'Subtitle, en-US', exact: true });
      await expect.poll(() => subtitle.inputValue()).toBe('Small steps every day');
      await subtitle.fill('x'.repeat(31));
      await page.getByText('Longer than the store accepts.').waitFor();
      await page.getByText('31/30').waitFor();
      await subtitle.fill('Daily steps and mood');
      await page.getByText('Longer than the store accepts.').waitFor({ state: 'detached' });
      await page.getByRole('switch', { name: 'Compare with live' }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('group', { name: 'Changes of Title, en-US', exact: true }).waitFor();
      await loaded();
      expect(await audit(page)).toEqual([]);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.getByText('Draft saved').waitFor();
      expect((await listing('pull')).stdout).toContain('Files written: 1.');
      expect(await readFiles(folder)).toEqual({
        ...goldenFolders.deliver,
        'fastlane/metadata/en-US/subtitle.txt': 'Daily steps and mood\n',
      });
      expect(await listing('diff')).toMatchObject({ stdout: 'Texts that differ: 0.\n' });
      expect(consoleErrors).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
      await close();
    }
  });

  test('two people who changed the same text see both, and neither is lost', async () => {
    const { page, loaded, close } = await testApp.open(browser!, path());
    const { items } = await send<{ items: { id: number }[] }>(
      page,
      'GET',
      `/apps/${testApp.apps.ios}/listing-drafts`,
    );
    const { id } = items[0]!;
    await loaded();
    const title = page.getByRole('textbox', { name: 'Title, en-US', exact: true });
    await title.fill('Mine');
    const before = await send<{ texts: { texts: object }[] }>(
      page,
      'GET',
      `/listing-drafts/${id}?locale=en-US`,
    );
    const texts = { ...before.texts[0]!.texts, title: 'Theirs' };
    await send(page, 'PUT', `/listing-drafts/${id}/texts`, {
      locales: [{ locale: 'en-US', texts }],
    });
    await page.getByRole('button', { name: 'Save draft' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('definition').getByText('Theirs', { exact: true }).waitFor();
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button').last().click();
    await page.getByText('Draft saved').waitFor();
    await expect.poll(() => title.inputValue()).toBe('Mine');
    await page.getByText('Use these texts').first().waitFor();
    await close();
  });

  test('text typed while a save is merged keeps what somebody else saved', async () => {
    const { page, loaded, close } = await testApp.open(browser!, path());
    const list = `/apps/${testApp.apps.ios}/listing-drafts`;
    const { items } = await send<{ items: { id: number }[] }>(page, 'GET', list);
    const draft = `/listing-drafts/${items[0]!.id}`;
    const readTexts = async () => {
      const saved = await send<{ texts: { texts: Record<string, string> }[] }>(
        page,
        'GET',
        `${draft}?locale=en-US`,
      );
      return saved.texts[0]!.texts;
    };
    await loaded();
    const title = page.getByRole('textbox', { name: 'Title, en-US', exact: true });
    await title.fill('First');
    const texts = { ...(await readTexts()), subtitle: 'Added by somebody else' };
    await send(page, 'PUT', `${draft}/texts`, { locales: [{ locale: 'en-US', texts }] });
    const isTyped = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route('**/listing-drafts/*/texts', async (route) => {
      sent.push(route.request().postData() ?? '');
      if (sent.length === 2) await isTyped.promise;
      await route.continue();
    });
    const save = page.getByRole('button', { name: 'Save draft' });
    await save.click();
    await expect.poll(() => sent.length).toBe(2);
    await title.fill('First and second');
    isTyped.resolve();
    await expect
      .poll(readTexts)
      .toMatchObject({ title: 'First', subtitle: 'Added by somebody else' });
    await save.and(page.locator(':not([data-loading])')).click();
    await expect
      .poll(readTexts)
      .toMatchObject({ title: 'First and second', subtitle: 'Added by somebody else' });
    await close();
  });

  test('a keyword field that is saved is compared with drafts at once', async () => {
    const { page, loaded, close } = await testApp.open(browser!, path());
    await loaded();
    await goTo(page, `/apps/${testApp.apps.ios}/keyword-field?locale=vi`);
    await page.getByRole('textbox', { name: 'Keyword field' }).fill('calm,steps');
    await page.getByRole('button', { name: 'Save version' }).click();
    await page.getByText('Version saved').waitFor();
    const asked = new Set<string>();
    page.on('request', (request) => {
      const [found] = /live-listings|locale-coverage\/preview/.exec(request.url()) ?? [];
      if (found) asked.add(found);
    });
    await goTo(page, path());
    await expect
      .poll(() => [...asked].toSorted())
      .toEqual(['live-listings', 'locale-coverage/preview']);
    await close();
    await testApp.pool.query("delete from keyword_fields where locale = 'vi'");
  });

  test('a zip is compared, saved in a draft, and comes back with the draft’s texts', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path());
    const made = await send<{ id: number }>(page, 'POST', path(), {
      name: 'Zip',
    });
    await page.goto(`${testApp.webUrl}${path(`?draft=${made.id}`)}`);
    await loaded();
    const upload = page.getByRole('button', { name: 'Upload folder (zip)' });
    const dialog = page.getByRole('dialog');
    const choose = (name: string, buffer: Buffer) =>
      dialog
        .locator('input[type=file][accept]')
        .setInputFiles({ name, mimeType: 'application/zip', buffer });
    await upload.click();
    await choose('android.zip', await zipOf(goldenFolders.supply));
    await dialog.getByText('The zip has no listing for the store of this app.').waitFor();
    await choose('notes.zip', Buffer.from('no zip'));
    await dialog.getByText('The file is not a zip.').waitFor();
    await choose('texts.zip', await zipOf({ 'en-US/changelogs/1.txt': randomBytes(1_200_000) }));
    await dialog.getByText('The texts have more than 1.1 MB.').waitFor();
    await choose('link.zip', await linkedZip());
    await dialog.getByText('The zip has a symbolic link').waitFor();
    expect(await audit(page)).toEqual([]);
    // Screenshots beside the texts are neither read nor sent.
    const pictures = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [
        `fastlane/screenshots/en-US/${at}.png`,
        randomBytes(1024 * 1024),
      ]),
    );
    const sent = await zipOf({ ...pictures, ...goldenFolders.deliver });
    let mostSent = 0;
    page.on('request', (request) => {
      mostSent = Math.max(mostSent, request.postDataBuffer()?.length ?? 0);
    });
    await choose('fastlane.zip', sent);
    await dialog.getByText('deliver in fastlane/metadata').waitFor();
    const texts = Object.keys(goldenFolders.deliver).filter(mayBeText).length;
    await dialog.getByText(`${texts} text files are sent.`).waitFor();
    await dialog.getByText(/^.*1\d other files stay with you\./).waitFor();
    expect(mostSent).toBeGreaterThan(0);
    expect(mostSent).toBeLessThan(10_000);
    await dialog.getByText('5 texts of the draft change').waitFor();
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save into the draft' }).click();
    await page.getByText('Texts of the zip saved').waitFor();
    const subtitle = page.getByRole('textbox', { name: 'Subtitle, en-US', exact: true });
    await expect.poll(() => subtitle.inputValue()).toBe('Small steps every day');
    await subtitle.fill('Daily steps and mood');
    await expect.poll(() => upload.isDisabled()).toBe(true);
    const field = page.getByRole('textbox', { name: 'Keyword field, en-US' });
    await field.fill('');
    await page.getByRole('button', { name: 'Empty it in the store: Keyword field, en-US' }).click();
    await page.getByText('The text will be empty in the store.').waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved').waitFor();
    const saved = await send<{ texts: { texts: object }[] }>(
      page,
      'GET',
      `/listing-drafts/${made.id}?locale=en-US`,
    );
    expect(saved.texts[0]!.texts).toMatchObject({ keywordField: '' });
    await page.getByRole('button', { name: 'Download zip' }).click();
    await dialog.getByText('2 texts of the zip change').waitFor();
    await dialog.getByText('deliver cannot empty texts.').waitFor();
    const [got] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download zip' }).click(),
    ]);
    const [before, after] = [await unzip(sent), await unzip(readFileSync(await got.path()))];
    for (const name of before.keys()) if (!mayBeText(name)) before.delete(name);
    before.delete('fastlane/metadata/en-US/keywords.txt');
    before.set('fastlane/metadata/en-US/subtitle.txt', Buffer.from('Daily steps and mood\n'));
    expect([...after]).toEqual([...before]);
    expect(consoleErrors.filter((text) => !text.includes('400'))).toEqual([]);
    await close();
  });

  test('a folder is chosen instead of a zip, and its texts come back', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path());
    const made = await send<{ id: number }>(page, 'POST', path(), { name: 'Folder' });
    const folder = await makeFolder({
      ...goldenFolders.deliver,
      'fastlane/screenshots/en-US/1.png': 'picture',
    });
    try {
      await page.goto(`${testApp.webUrl}${path(`?draft=${made.id}`)}`);
      await loaded();
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Upload folder (zip)' }).click();
      await dialog.locator('input[webkitdirectory]').setInputFiles(join(folder, 'fastlane'));
      await dialog.getByText('deliver in fastlane/metadata').waitFor();
      await dialog.getByText('other files stay with you.').waitFor();
      expect(await audit(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save into the draft' }).click();
      await page.getByText('Texts of the zip saved').waitFor();
      const subtitle = page.getByRole('textbox', { name: 'Subtitle, en-US', exact: true });
      await expect.poll(() => subtitle.inputValue()).toBe('Small steps every day');
      await page.getByRole('button', { name: 'Download zip' }).click();
      await dialog.getByText('The zip and the draft have the same texts.').waitFor();
      const [got] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'Download zip' }).click(),
      ]);
      const files = await unzip(readFileSync(await got.path()));
      const texts = Object.entries(goldenFolders.deliver).filter(([name]) => mayBeText(name));
      expect(Object.fromEntries([...files].map(([name, bytes]) => [name, String(bytes)]))).toEqual(
        Object.fromEntries(texts),
      );
      expect(consoleErrors).toEqual([]);
    } finally {
      await rm(folder, { recursive: true });
      await close();
    }
  });

  test('two names of a draft, notes of a row and colours of a tag are both shown', async () => {
    const { page, loaded, close } = await testApp.open(browser!, path());
    const made = await send<{ id: number }>(page, 'POST', path(), { name: 'First name' });
    await page.goto(`${testApp.webUrl}${path(`?draft=${made.id}`)}`);
    await loaded();
    const conflict = page.getByRole('dialog').filter({ hasText: 'Theirs' });
    const both = async (theirs: string, mine: string) => {
      await conflict.getByText(theirs, { exact: true }).waitFor();
      await conflict.getByText(mine, { exact: true }).waitFor();
      expect(await audit(page)).toEqual([]);
      await conflict.getByRole('button', { name: 'Keep mine' }).click();
      await conflict.waitFor({ state: 'detached' });
    };
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('My name');
    await send(page, 'PATCH', `/listing-drafts/${made.id}`, { name: 'Their name' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await both('Their name', 'My name');
    await page.getByRole('combobox', { name: 'Draft' }).waitFor();
    await expect.poll(() => nameOf(page, made.id)).toBe('My name');

    await page.goto(`${testApp.webUrl}${path('?tab=storefronts&country=gb')}`);
    await loaded();
    await page.getByRole('combobox', { name: 'Language', exact: true }).fill('ja');
    await page.getByRole('option', { name: 'ja', exact: true }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('My note');
    // Somebody adds the same row between its reading and its writing.
    const row = { country: 'gb', locale: 'ja', enabled: true, note: 'Their note' };
    let isFirst = true;
    await page.route('**/api/backend/storefront-locales', async (route) => {
      if (isFirst && route.request().method() === 'PUT') {
        isFirst = false;
        await send(page, 'PUT', '/storefront-locales?', row);
      }
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add language (United Kingdom)' }).click();
    await both('Their note', 'My note');
    await page.getByText('My note').waitFor();
    await send(page, 'PUT', '/storefront-locales?', { ...row, enabled: null });

    const tag = { color: '#123456' };
    await send(page, 'PATCH', `/apps/${testApp.apps.ios}`, { tags: ['shared'] });
    await page.goto(`${testApp.webUrl}/settings?tab=tags`);
    await loaded();
    await page.getByRole('button', { name: 'Edit shared' }).click();
    await page.getByRole('checkbox', { name: 'With a colour' }).check();
    await page.getByLabel('Colour', { exact: true }).fill('#abcdef');
    await send(page, 'PATCH', '/tags/shared', tag);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await Promise.all([page.getByText('Tag saved').waitFor(), both('#123456', '#abcdef')]);
    const { items } = await send<{ items: { name: string; color: string }[] }>(
      page,
      'GET',
      '/tags',
    );
    expect(items.find(({ name }) => name === 'shared')).toMatchObject({ color: '#abcdef' });
    await close();
  });

  test('languages without texts and names that are no language tag stay in the draft', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path());
    const made = await send<{ id: number }>(page, 'POST', path(), { name: 'Languages' });
    await send(page, 'PUT', `/listing-drafts/${made.id}/texts`, {
      locales: ['main', 'en-US-US'].map((locale) => ({ locale, texts: { title: 'Steps' } })),
    });
    await page.goto(`${testApp.webUrl}${path(`?draft=${made.id}`)}`);
    await loaded();
    const row = (name: string) => page.getByRole('region', { name, exact: true });
    for (const name of ['main', 'en-US-US']) await row(name).waitFor();
    for (const locale of ['fr-FR', 'ja']) {
      await page.getByRole('combobox', { name: 'Add language' }).fill(locale);
      await page.getByRole('option', { name: locale, exact: true }).click();
      await row(locale).waitFor();
    }
    // There is nothing to save.
    const save = page.getByRole('button', { name: 'Save draft' });
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    expect(await page.getByRole('button', { name: 'Discard changes' }).count()).toBe(0);
    await page.getByRole('textbox', { name: 'Title, ja', exact: true }).fill('歩数');
    await save.click();
    await page.getByText('Draft saved').waitFor();
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true');
    await page.reload();
    await loaded();
    for (const name of ['main', 'en-US-US', 'ja', 'fr-FR']) await row(name).waitFor();
    await page.getByRole('textbox', { name: 'Title, ja', exact: true }).fill('歩数計');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await row('fr-FR').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('fr-FR').waitFor();
    await page.getByRole('button', { name: 'Remove fr-FR' }).click();
    await row('fr-FR').waitFor({ state: 'detached' });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the coverage of an Android app says which listing counts', async () => {
    const android = `/apps/${testApp.apps.android}/listing-drafts`;
    const { page, loaded, close } = await testApp.open(browser!, android);
    await send(page, 'POST', android, { name: 'Play' });
    await page.reload();
    await loaded();
    await page.getByText(/tracked phrases covered/).waitFor();
    await page.getByText(/^The listing in .* counts\.$/).waitFor();
    await page.getByText(/Google documents no list of searched texts/).waitFor();
    expect(await page.getByText('Free characters of the keyword field').count()).toBe(0);
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Begin with the live texts' }).click();
    await page.getByRole('region', { name: 'en-US', exact: true }).waitFor();
    expect(await page.getByText('The store has no such language').count()).toBe(0);
    await close();
  });

  test.each(draw('widths of listing drafts', 1, [1_440, 768, 375]))(
    'fits %i px, also in Arabic and Japanese',
    async (width) => {
      const { page, loaded, close } = await testApp.open(browser!, path('?draft=0'), {
        width,
        height: 900,
      });
      await loaded();
      for (const locale of ['ar-SA', 'ja']) {
        await page.getByRole('combobox', { name: 'Add language' }).fill(locale);
        await page.getByRole('option', { name: locale, exact: true }).click();
      }
      await page
        .getByRole('textbox', { name: 'Title, ar-SA', exact: true })
        .fill('متتبع العادات اليومية');
      await page.getByRole('textbox', { name: 'Keyword field, ja' }).fill('習慣、日記');
      await page.getByText('Only a comma separates keywords.').waitFor();
      await loaded();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await audit(page)).toEqual([]);
      await page.getByRole('button', { name: 'New draft' }).click();
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      expect(await audit(page)).toEqual([]);
      await close();
    },
  );

  test('a row of a storefront is switched for the workspace, and restored', async () => {
    const { page, loaded, close } = await testApp.open(
      browser!,
      path('?tab=storefronts&country=gb'),
    );
    await loaded();
    const first = page.getByRole('switch').first();
    await first.waitFor();
    await first.focus();
    const before = await first.isChecked();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: /^Restore/ }).waitFor();
    await expect.poll(() => first.isChecked()).toBe(!before);
    await page.getByRole('button', { name: /^Restore/ }).click();
    await page.getByRole('button', { name: /^Restore/ }).waitFor({ state: 'detached' });
    await expect.poll(() => first.isChecked()).toBe(before);
    await close();
  });
});
