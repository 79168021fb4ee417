import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventTypes } from '#contract/choices.ts';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;
const ios = (rest: string) => `/apps/${testApp.apps.ios}${rest}`;

const press = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true }).first().click();
const toast = (page: Page, text: string) =>
  page.locator('[data-toast]').filter({ hasText: text }).first();

/** Keeps the responses to writes from the page until they are released, or fails them. */
async function holdWrites(page: Page, path: RegExp) {
  const gate = Promise.withResolvers<'send' | 'fail'>();
  const isSent = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === 'GET' || route.request().url().includes('/preview'))
      return route.fallback();
    isSent.resolve();
    return (await gate.promise) === 'fail' ? route.abort() : route.fallback();
  });
  return { isSent: isSent.promise, release: gate.resolve };
}

const create = <Created>(page: Page, path: string, body: object): Promise<Created> =>
  page.evaluate(
    async ({ at, text }) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`/api/backend${at}`, { method: 'POST', headers, body: text });
      return reply.json() as Promise<Created>;
    },
    { at: path, text: JSON.stringify(body) },
  );
const createWebhook = (page: Page) =>
  create(page, '/webhooks', { url: 'https://example.com/hook', events: eventTypes });

describe.skipIf(!browser)('a response that comes late', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const openWebhooks = async () => {
    const watched = await testApp.open(browser!, '/methodology');
    await createWebhook(watched.page);
    await goTo(watched.page, '/alerts?tab=webhooks');
    return watched;
  };

  test('of an edited webhook leaves the new secret of it on the screen', async () => {
    const { page, close } = await openWebhooks();
    const held = await holdWrites(page, /\/webhooks\/\d+$/);
    await press(page, 'More');
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name (optional)' }).fill('Ours');
    await press(dialog, 'Save');
    await held.isSent;
    await press(dialog, 'Cancel');
    await dialog.waitFor({ state: 'hidden' });
    await press(page, 'More');
    await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
    await press(dialog, 'Rotate secret');
    const secret = dialog.getByTestId('webhook-secret');
    await secret.waitFor();
    held.release('send');
    await toast(page, 'Webhook updated').waitFor();
    expect(await secret.isVisible()).toBe(true);
    await close();
  });

  test('of an edited tag leaves the form of another tag open', async () => {
    const { page, close } = await testApp.open(browser!, '/settings?tab=tags');
    const held = await holdWrites(page, /\/tags\/brand$/);
    const dialog = page.getByRole('dialog');
    await press(page, 'Edit brand');
    await dialog.getByRole('checkbox', { name: 'With a colour' }).click();
    await press(dialog, 'Save');
    await held.isSent;
    await press(dialog, 'Close');
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByRole('button', { name: /^Edit (?!brand$)/ })
      .first()
      .click();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('other');
    held.release('send');
    await toast(page, 'Tag saved').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('other');
    await close();
  });

  test('of a deleted or renamed draft leaves the one that was chosen since', async () => {
    const { page, close } = await testApp.open(browser!, '/methodology');
    for (const name of ['First', 'Second', 'Third'])
      await create(page, ios('/listing-drafts'), { name });
    await goTo(page, ios('/listing-drafts'));
    const draft = page.getByRole('combobox', { name: 'Draft', exact: true });
    const choose = async (name: string) => {
      await draft.click();
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click();
      await expect.poll(() => draft.inputValue()).toContain(name);
    };
    await choose('Third');
    const removal = await holdWrites(page, /\/listing-drafts\/\d+$/);
    await press(page, 'Delete draft');
    await press(page, 'Delete');
    await removal.isSent;
    await choose('Second');
    const address = page.url();
    removal.release('send');
    await draft.click();
    await expect.poll(() => page.getByRole('option').allTextContents()).toHaveLength(2);
    await page.keyboard.press('Escape');
    expect([page.url(), await draft.inputValue()]).toEqual([address, 'Second']);
    await page.unrouteAll({ behavior: 'wait' });

    const creation = await holdWrites(page, /\/apps\/\d+\/listing-drafts$/);
    const dialog = page.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await press(page, 'New draft');
    await name.fill('Fourth');
    await press(dialog, 'Save');
    await creation.isSent;
    await press(dialog, 'Close');
    await dialog.waitFor({ state: 'hidden' });
    await press(page, 'Rename');
    await name.fill('Zweite');
    const isListed = page.waitForResponse(async (response) =>
      (await response.text().catch(() => '')).includes('"name":"Fourth"'),
    );
    creation.release('send');
    await toast(page, 'Draft saved').waitFor();
    await isListed;
    await press(dialog, 'Save');
    await expect.poll(() => draft.inputValue()).toBe('Zweite');
    expect(page.url()).toBe(address);
    await close();
  });

  const secrets: Record<string, [open: (page: Page) => Promise<void>, path: RegExp, id: string]> = {
    token: [
      async (page) => {
        await goTo(page, '/settings?tab=tokens');
        await press(page, 'Create token');
        await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Sheet');
      },
      /\/tokens$/,
      'token',
    ],
    invitation: [
      async (page) => {
        await goTo(page, '/members');
        await press(page, 'Invite member');
        await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).fill('a@b.example');
      },
      /\/invites$/,
      'invite-link',
    ],
    report: [
      async (page) => {
        await goTo(page, `/imports-exports?tab=reports&app=${testApp.apps.ios}`);
        await press(page, 'Share a report');
        await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Week');
      },
      /\/reports$/,
      'report-link',
    ],
    webhook: [
      async (page) => {
        await goTo(page, '/alerts?tab=webhooks');
        await press(page, 'Add webhook');
        const url = page.getByRole('dialog').getByRole('textbox', { name: 'URL' });
        await url.fill('https://example.com/hook');
      },
      /\/webhooks$/,
      'webhook-secret',
    ],
    'rotated secret': [
      async (page) => {
        await createWebhook(page);
        await goTo(page, '/alerts?tab=webhooks');
        await press(page, 'More');
        await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
      },
      /\/webhooks\/\d+\/secret$/,
      'webhook-secret',
    ],
  };

  test.each(Object.entries(secrets))(
    'with a secret is awaited by its dialog: %s',
    async (_, [open, path, id]) => {
      const { page, close } = await testApp.open(browser!, '/methodology');
      await open(page);
      const held = await holdWrites(page, path);
      const dialog = page.getByRole('dialog');
      await dialog.locator('form').getByRole('button').last().click();
      await held.isSent;
      for (const name of ['Cancel', 'Close'])
        await expect.poll(() => dialog.getByRole('button', { name }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      held.release('send');
      await dialog.getByTestId(id).waitFor();
      await press(dialog, 'Done');
      await dialog.waitFor({ state: 'hidden' });
      await close();
    },
  );

  const leave = (page: Page) => goTo(page, '/methodology');
  const closeDialog = async (page: Page) => {
    await press(page.getByRole('dialog'), 'Close');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  };
  interface Save {
    path: RegExp;
    send: (page: Page) => Promise<void>;
    leave: (page: Page) => Promise<void>;
  }
  const saves: Record<string, Save> = {
    settings: {
      path: /\/settings$/,
      async send(page) {
        await goTo(page, '/settings?tab=general');
        await page.getByRole('textbox', { name: 'Large change (positions)' }).fill('17');
        await press(page, 'Save');
      },
      leave,
    },
    'the colour of a tag': {
      path: /\/tags\/core$/,
      async send(page) {
        await goTo(page, '/settings?tab=tags');
        await press(page, 'Edit core');
        await page.getByRole('checkbox', { name: 'With a colour' }).click();
        await press(page.getByRole('dialog'), 'Save');
      },
      leave: closeDialog,
    },
    'a webhook': {
      path: /\/webhooks\/\d+$/,
      async send(page) {
        await createWebhook(page);
        await goTo(page, '/alerts?tab=webhooks');
        await press(page, 'More');
        await page.getByRole('menuitem', { name: 'Edit' }).click();
        await page.getByRole('textbox', { name: 'Name (optional)' }).fill('Theirs');
        await press(page.getByRole('dialog'), 'Save');
      },
      leave: closeDialog,
    },
    'a draft': {
      path: /\/apps\/\d+\/listing-drafts$/,
      async send(page) {
        await goTo(page, ios('/listing-drafts'));
        await press(page, 'New draft');
        await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Fifth');
        await press(page.getByRole('dialog'), 'Save');
      },
      leave: closeDialog,
    },
    suggestions: {
      path: /\/apps\/\d+\/keywords$/,
      async send(page) {
        await goTo(page, ios('/suggestions?source=listing'));
        const boxes = page.getByRole('region', { name: /^Table: Keyword suggestions/ });
        await boxes.locator('tbody').getByRole('checkbox', { disabled: false }).first().click();
        await press(page, 'Track 1 phrase');
      },
      async leave(page) {
        await page.getByLabel('Seed keyword').fill('sketch');
        await press(page, 'Get suggestions');
        await page.getByRole('button', { name: 'Track 1 phrase' }).waitFor({ state: 'detached' });
      },
    },
    'scores by country': {
      path: /\/country-scores$/,
      async send(page) {
        await goTo(page, ios('/country-scores'));
        await page.getByLabel('Phrases to score').fill('late response');
        await page.getByRole('combobox', { name: 'Countries to score' }).fill('Norway');
        await page.getByRole('option', { name: 'Norway' }).click();
        await page.keyboard.press('Escape');
        await press(page, 'Start 1 score');
      },
      leave,
    },
    'rows of a file': {
      path: /\/apps\/\d+\/keywords\/import$/,
      async send(page) {
        await goTo(page, `/imports-exports?tab=import&csv=keywords&app=${testApp.apps.ios}`);
        const buffer = Buffer.from('Keyword;Country\nlate response;us\n');
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles({ name: 'late.csv', mimeType: 'text/csv', buffer });
        await press(page, 'Import 1 row');
      },
      leave,
    },
  };

  test.each(Object.entries(saves))(
    'that is a failure is shown on whatever page is open: %s',
    async (_, { path, send, leave: leaveIt }) => {
      const { page, close } = await testApp.open(browser!, '/methodology');
      const held = await holdWrites(page, path);
      await send(page);
      await held.isSent;
      await leaveIt(page);
      held.release('fail');
      await toast(page, 'No connection to Toprung').waitFor();
      await close();
    },
  );

  test('of a file that was chosen before another leaves the other', async () => {
    const { page, close } = await testApp.open(browser!, '/imports-exports?tab=import');
    // An import needs a workspace without apps.
    await page.route(/\/api\/backend\/apps(\?|$)/, (route) =>
      route.fulfill({ json: { items: [], total: 0, nextCursor: null } }),
    );
    await page.reload();
    const slowFile = await page.evaluateHandle(() => {
      const [gate, isRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { stream } = Blob.prototype;
      File.prototype.stream = function () {
        if (this.name !== 'slow.ndjson') return stream.call(this);
        const held = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          start: () => gate.promise,
          flush: () => isRead.resolve(),
        });
        return stream.call(this).pipeThrough(held);
      };
      return { release: () => gate.resolve(), isRead: isRead.promise };
    });
    const picker = page.locator('input[type=file]').last();
    const pick = (name: string, text: string) =>
      picker.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await pick('slow.ndjson', 'foreign\n');
    await page.getByRole('status').filter({ hasText: 'Reading the file.' }).waitFor();
    const manifest = { format: 'toprung-workspace' };
    const lines = [{ manifest }, { end: { lines: 1 } }].map((line) => JSON.stringify(line));
    await pick('new.ndjson', lines.join('\n'));
    const contents = page.getByRole('heading', { name: 'File content' });
    await contents.waitFor();
    await slowFile.evaluate(async ({ release, isRead }) => {
      release();
      await isRead;
      for (const _frame of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
    expect(await page.getByText('This file is not an export').count()).toBe(0);
    expect(await contents.isVisible()).toBe(true);

    // A second import would replace the parts of the one that is sent.
    const held = await holdWrites(page, /\/workspace\/imports$/);
    await press(page, 'Import everything');
    await held.isSent;
    expect(await picker.isDisabled()).toBe(true);
    held.release('fail');
    await expect.poll(() => picker.isDisabled()).toBe(false);
    await close();
  });

  test('says that the password was wrong', async () => {
    const { page, close } = await testApp.open(browser!, '/settings?tab=account');
    const held = await holdWrites(page, /\/auth\/password$/);
    const values = ['never-was-the-one', 'quiet-amber-ladder-7', 'quiet-amber-ladder-7'];
    const fields = ['Current password', 'New password', 'Confirm new password'];
    for (const [index, name] of fields.entries())
      await page.getByRole('textbox', { name, exact: true }).fill(values[index]!);
    await press(page, 'Change password');
    await held.isSent;
    await leave(page);
    held.release('send');
    await toast(page, 'The current password is wrong').waitFor();
    await close();
  });
});
