import { setTimeout as delay } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '#lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { draw } from '../harness/short-form.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;
const ios = (rest: string) => `/apps/${testApp.apps.ios}${rest}`;

interface List {
  path: () => string;
  /** Adds a row, perhaps by a request; the demo has some without it. */
  add?: (name: string) => [path: string, body: object] | Promise<unknown>;
  /** In the row; its menu has the item, or it is confirmed with the other button. */
  button: RegExp;
  item?: string;
  /** What is read and heard before it is confirmed. */
  asks?: RegExp;
  sure?: string;
  /** What a toast says, unless it offers to undo the removal. */
  says?: RegExp;
  /** What has the focus when no row is left, if the demo has no others. */
  end?: string;
}

const names = ['amber', 'brick', 'cedar'];
const lost = 'the response is lost';
const interferences = ['somebody else was faster', lost];
const lists: Record<string, List> = {
  tokens: {
    path: () => '/settings?tab=tokens',
    add: (name) => ['/tokens', { name }],
    button: /^Revoke/,
    sure: 'Revoke now',
    says: /^Token .* revoked/,
    end: 'API tokens',
  },
  tags: {
    path: () => '/settings?tab=tags',
    add: (name) => [ios('/keywords'), { phrases: [name], countries: ['us'], tags: [name] }],
    button: /^Remove/,
    asks: / from all apps and keywords\?$/,
    sure: 'Remove tag',
    says: / removed$/,
  },
  sessions: {
    path: () => '/settings?tab=account',
    add: () => testApp.signIn(),
    button: /^Sign out$/,
    end: 'Sessions',
  },
  members: {
    path: () => '/members',
    add: (name) =>
      testApp.pool.query(
        `with added as (
           insert into users (email, password_hash) values ($1, '') returning id)
         insert into memberships (workspace_id, user_id, role) select $2, id, 'member' from added`,
        [`${name}@example.com`, testApp.workspaceId],
      ),
    button: /^Remove/,
    asks: /\? Their sessions and tokens end immediately\.$/,
    sure: 'Remove now',
    says: / was removed from the workspace/,
    end: 'People',
  },
  invitations: {
    path: () => '/members',
    add: (name) => ['/workspace/invites', { email: `${name}@example.org`, role: 'member' }],
    button: /^Revoke/,
    end: 'Invitations',
  },
  reports: {
    path: () => '/imports-exports?tab=reports',
    add: (name) => ['/reports', { name, appId: testApp.apps.ios, days: 7 }],
    button: /^Stop sharing/,
    says: / is no longer shared/,
    end: 'Shared reports',
  },
  webhooks: {
    path: () => '/alerts?tab=webhooks',
    add: (name) => ['/webhooks', { url: `https://example.com/${name}`, events: ['rank.dropped'] }],
    button: /^More$/,
    item: 'Delete',
    sure: 'Delete',
    says: /^Webhook to .* deleted/,
    end: 'Alerts',
  },
  'saved views': {
    path: () => ios('/keywords'),
    add: (name) => ['/views', { name, path: ios(`/keywords?q=${name}`), appId: testApp.apps.ios }],
    button: /^Options for/,
    item: 'Delete',
    end: 'Save view',
  },
  annotations: {
    path: () => ios('/timeline'),
    add: (text) => [ios('/annotations'), { date: utcDayOf(new Date()), text }],
    button: /^Delete annotation: (amber|brick|cedar|elder|fern)/,
    end: 'Timeline',
  },
  competitors: { path: () => ios('/competitors'), button: /^Archive/, end: 'Competitors' },
};

/** Marks the row that gets the focus. False if there is none. */
const markSuccessor = (button: Locator) =>
  button.evaluate((element) => {
    const row = element.closest('li, tbody > tr')!;
    const all = [...row.parentElement!.children];
    const others = [...all.slice(all.indexOf(row)), ...all.slice(0, all.indexOf(row)).toReversed()];
    const controls = 'a, button:enabled, input:enabled';
    const successor = others.find((one) => one !== row && one.querySelector(controls));
    document.querySelector('[data-successor]')?.removeAttribute('data-successor');
    successor?.setAttribute('data-successor', '');
    return successor !== undefined;
  });

/** Presses a key that is not released. */
async function holdEnter(button: Locator): Promise<void> {
  const { keyboard } = button.page();
  await keyboard.up('Enter');
  await button.focus();
  await keyboard.down('Enter');
}

const focusOf = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement!;
    if (element.closest('[data-successor]')) return 'successor';
    return element === document.body ? 'nowhere' : element.textContent;
  });

describe.skipIf(!browser)('the focus of what is removed', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const post = (page: Page, request: [path: string, body: object]) =>
    page.evaluate(async ([path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const text = JSON.stringify(body);
      return (await fetch(`/api/backend${path}`, { method: 'POST', headers, body: text })).status;
    }, request);
  const addRow = async (page: Page, added: ReturnType<NonNullable<List['add']>>) => {
    if (Array.isArray(added)) expect(await post(page, added)).toBeLessThan(300);
    else await added;
  };
  /** What the page deletes is gone before its own request, or its response is lost. */
  const interfere = (page: Page, how: string) =>
    page.route('**/api/backend/**', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      await route.fetch();
      return how === lost ? route.abort() : route.fallback();
    });
  const press = async (
    button: Locator,
    { item, asks, sure }: Pick<List, 'item' | 'asks' | 'sure'>,
  ) => {
    const page = button.page();
    await button.press('Enter');
    if (item) await page.getByRole('menuitem', { name: item }).press('Enter');
    if (asks) await page.getByRole('group', { name: asks }).getByText(asks).waitFor();
    if (sure) await page.getByRole('button', { name: sure, exact: true }).press('Enter');
  };
  const expectToasts = async (page: Page, how: string, says?: RegExp) => {
    if (how === lost) await page.locator('[aria-live=assertive] [data-toast]').waitFor();
    else if (says) await page.getByText(says).waitFor();
    else expect(await page.locator('.toasts[aria-label]').count()).toBe(0);
  };

  test.each(draw('lists whose rows are deleted', 4, Object.entries(lists)))(
    'moves to the next row, the one before, or what is left: %s',
    async (_name, { path, add, button, item, sure, end }) => {
      const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
      if (add) for (const name of names) await addRow(page, add(name));
      await page.goto(`${testApp.webUrl}${path()}`);
      await loaded();
      const buttons = page.getByRole('button', { name: button });
      await buttons.nth(1).waitFor();
      // One in the middle, the last, and the only one.
      for (const at of [1, 1, 0].slice(add ? 0 : 1)) {
        const before = await buttons.count();
        const hasSuccessor = await markSuccessor(buttons.nth(at));
        await holdEnter(buttons.nth(at));
        if (item) await holdEnter(page.getByRole('menuitem', { name: item }));
        if (sure) await holdEnter(page.getByRole('button', { name: sure, exact: true }));
        await expect.poll(() => buttons.count()).toBe(before - 1);
        await expect.poll(() => focusOf(page)).toBe(hasSuccessor ? 'successor' : end);
        // The key is still held: it deletes and opens no other row.
        await page.keyboard.down('Enter');
        await page.keyboard.up('Enter');
        expect(await buttons.count()).toBe(before - 1);
        expect(await page.getByRole('dialog').count()).toBe(0);
      }
      // The deliveries of a deleted webhook are not found.
      expect(consoleErrors.filter((text) => !/404.*deliveries/.test(text))).toEqual([]);
      await close();
    },
  );

  const growing = Object.entries(lists).filter(([, { add }]) => add);
  test.each(draw('lists whose rows others delete', 2, growing))(
    'moves on from what somebody else has removed, and after a lost response: %s',
    async (_name, { path, add, button, says, end, ...confirmation }) => {
      const { page, loaded, close } = await testApp.open(browser!, '/methodology');
      for (const name of ['elder', 'fern']) await addRow(page, add!(name));
      await page.goto(`${testApp.webUrl}${path()}`);
      await loaded();
      const buttons = page.getByRole('button', { name: button });
      await buttons.nth(1).waitFor();
      for (const how of interferences) {
        const before = await buttons.count();
        await interfere(page, how);
        const hasSuccessor = await markSuccessor(buttons.first());
        await press(buttons.first(), confirmation);
        await expect.poll(() => buttons.count()).toBe(before - 1);
        await expect.poll(() => focusOf(page)).toBe(hasSuccessor ? 'successor' : end);
        await expectToasts(page, how, says);
        await page.unrouteAll();
      }
      await close();
    },
  );

  test('moves to the next keyword when a selection is removed', async () => {
    const { page, loaded, close } = await testApp.open(browser!, ios('/keywords'));
    await loaded();
    const boxes = page.locator('[role=row][data-index] input[type=checkbox]');
    for (const at of [1, 2]) await boxes.nth(at).press('Space');
    const next = await boxes.nth(3).getAttribute('aria-label');
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove' }).press('Enter');
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.closest('[role=row]')?.querySelector('input')?.ariaLabel,
      );
    await expect.poll(focused).toBe(next);
    await close();
  });

  test.each(['nobody interferes', ...interferences])(
    'stays with the drafts when one of them is deleted, and %s',
    async (how) => {
      const { page, loaded, close } = await testApp.open(browser!, '/methodology');
      for (const name of names)
        await addRow(page, [ios('/listing-drafts'), { name: `${name}, ${how}` }]);
      await page.goto(`${testApp.webUrl}${ios('/listing-drafts')}`);
      await loaded();
      const draft = page.getByRole('combobox', { name: 'Draft', exact: true });
      const deleted = await draft.inputValue();
      if (interferences.includes(how)) await interfere(page, how);
      await press(page.getByRole('button', { name: 'Delete draft' }), { sure: 'Delete' });
      await expect.poll(() => draft.inputValue()).not.toBe(deleted);
      await expect.poll(() => draft.evaluate((one) => one === document.activeElement)).toBe(true);
      await expectToasts(page, how);
      await close();
    },
  );

  test('leaves a member and a draft that are gone when a change of them is refused', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await addRow(page, lists.members!.add!('hazel'));
    for (const name of ['ivy', 'jasmine']) await addRow(page, [ios('/listing-drafts'), { name }]);
    await page.goto(`${testApp.webUrl}/members`);
    const role = page.getByRole('combobox', { name: 'Role of hazel@example.com' });
    await role.waitFor();
    await testApp.pool.query("delete from users where email = 'hazel@example.com'");
    await role.click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await role.waitFor({ state: 'detached' });
    await expectToasts(page, lost);
    await page.goto(`${testApp.webUrl}${ios('/listing-drafts')}`);
    await loaded();
    const draft = page.getByRole('combobox', { name: 'Draft', exact: true });
    await draft.click();
    await page.getByRole('option', { name: 'jasmine' }).click();
    const makeCurrent = page.getByRole('button', { name: 'Make current' });
    await makeCurrent.waitFor();
    await testApp.pool.query("delete from listing_drafts where name = 'jasmine'");
    await makeCurrent.click();
    await expect.poll(() => draft.inputValue()).not.toBe('jasmine');
    await expectToasts(page, lost);
    await close();
  });

  test('moves from an empty state to the heading when there is something to show', async () => {
    const { page, close } = await testApp.open(browser!, ios('/keywords?q=nosuchphrase'));
    const empty = page.locator('main div').filter({ has: page.getByText('No matching keywords') });
    await empty.getByRole('button', { name: 'Reset filters' }).last().press('Enter');
    await page.getByText('No matching keywords').waitFor({ state: 'hidden' });
    await expect.poll(() => focusOf(page)).toBe('Keywords');
    await close();
  });

  test.each(['before', 'after'])(
    'moves there %s the dialog of its button has closed',
    async (order) => {
      const { page, close } = await testApp.open(browser!, '/methodology');
      let isEmpty = true;
      await page.route('**/api/backend/apps/*/keywords?*', async (route) => {
        if (isEmpty) return route.fulfill({ json: { items: [], total: 0, nextCursor: null } });
        if (order === 'after') await delay(1_500);
        return route.continue();
      });
      await page.goto(`${testApp.webUrl}${ios('/keywords')}`);
      await page.getByRole('button', { name: 'Add your first keywords' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Add keywords' });
      await dialog.getByRole('textbox').first().fill(`first ${order}`);
      isEmpty = false;
      await dialog.getByRole('button', { name: 'Add 1 keyword' }).press('Enter');
      await dialog.waitFor({ state: 'hidden' });
      await page.locator('[role=row][data-index]').first().waitFor();
      await expect.poll(() => focusOf(page)).toBe('Keywords');
      await close();
    },
  );
});
