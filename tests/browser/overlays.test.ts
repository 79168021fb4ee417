import { globSync, mkdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '#cli/demo-plan.ts';
import { launchBrowser, newPage, type WatchedPage } from '../harness/browser.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
/**
 * A folder for a picture of each of them in each mode, and their widths: `SHOTS=/tmp/shots
 * SHOTS_WIDTHS=1280,375 vitest run tests/browser/overlays.test.ts`.
 */
const { SHOTS: shots, TORTURE: isTorture, SHOTS_WIDTHS: shotWidths } = process.env;
const widths = shotWidths ?? (isTorture ? '1440,1280,768,375' : '1280,375');

/**
 * The long form opens each at all widths in both schemes, the short one half of them at one
 * width, in the scheme that is drawn for it.
 */
const isLong = Boolean(isTorture ?? shots);

const both = ['light', 'dark'] as const;
const [ofWide] = draw('colours of wide overlays', 1, both);
const schemeAt = (isNarrow: boolean): 'light' | 'dark' =>
  (ofWide === 'light') === isNarrow ? 'dark' : 'light';

const sources = new URL('../../web/src/', import.meta.url);
const drawn = /<(?:Modal|Drawer|Menu|MenuButton|Popover|overlays\.AnchoredPopover)[\s>]/;

let testApp: DemoTestApp;
let receiver: Receiver;
const ios = (rest = '') => `/apps/${testApp.apps.ios}${rest}`;

interface Overlay {
  /** In web/src: the files that draw it. */
  files: readonly string[];
  path: () => string;
  /** Resolves to the element that was opened. */
  open: (page: Page) => Promise<Locator>;
  /** What closes it, unless it is Escape. */
  close?: string;
  /** Where it exists. */
  only?: 'wide' | 'narrow' | 'phone' | 'signed out';
}

const press = (within: Page | Locator, name: string | RegExp) =>
  within.getByRole('button', { name, exact: true }).first().click();
const pressItem = (page: Page, name: string) => page.getByRole('menuitem', { name }).click();
const dialog = async (page: Page, name?: string | RegExp) =>
  page.getByRole('dialog', name === undefined ? {} : { name });
/** The dialog that a button of the page opens. */
const dialogOf = (button: string | RegExp) => async (page: Page) => {
  await press(page, button);
  return dialog(page);
};
const openMenu = async (within: Page | Locator, button: string | RegExp): Promise<Locator> => {
  await press(within, button);
  return within.getByRole('menu');
};
/** The filters of keywords are folded on a phone. */
async function openFilter(page: Page, name: string): Promise<Locator> {
  const folded = page.getByRole('button', { name: 'Filters and order', expanded: false });
  if (await folded.isVisible()) await folded.click();
  return openMenu(page, name);
}
/** The menu of the frame, which is a drawer on a phone. */
async function frameOf(page: Page): Promise<Locator> {
  if (page.viewportSize()!.width > 991) return page.getByRole('complementary', { name: 'Menu' });
  await press(page, 'Open menu');
  return page.getByRole('dialog', { name: 'Menu' });
}
const ofWebhook = (item: string) => async (page: Page) => {
  await press(page, 'More');
  await pressItem(page, item);
  return dialog(page);
};
const write = (page: Page, path: string, body?: object, method = 'POST') =>
  page.evaluate(
    async (request) => {
      const response = await fetch(`/api/backend${request.path}`, {
        method: request.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body ?? {}),
      });
      return response.json();
    },
    { path, body, method },
  );
let edits = 0;

const overlays: Record<string, Overlay> = {
  'add keywords': {
    files: ['pages/keywords/dialog.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await press(page, 'Add keywords');
      const opened = await dialog(page, 'Add keywords');
      await opened.getByLabel('Phrases').fill('sketch planner\none two three four five six');
      await opened.getByRole('button', { name: 'Leave out 1 phrase' }).waitFor();
      return opened;
    },
  },
  'copy to other countries': {
    files: ['pages/keywords/dialog.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await press(page, 'More options');
      await pressItem(page, 'Copy to other countries');
      return dialog(page, 'Copy to other countries');
    },
  },
  'removed keywords': {
    files: ['pages/keywords/dialog.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await press(page, 'More options');
      await pressItem(page, 'Removed keywords');
      const opened = await dialog(page, 'Removed keywords');
      await opened.getByRole('checkbox', { name: /paper bin/ }).check();
      return opened;
    },
  },
  'more about keywords': {
    files: ['pages/keywords/more-menu.tsx'],
    path: () => ios('/keywords'),
    open: (page) => openMenu(page, 'More options'),
  },
  columns: {
    files: ['pages/keywords/column-choice.tsx'],
    path: () => ios('/keywords'),
    open: (page) => openFilter(page, 'Columns'),
    only: 'wide',
  },
  countries: {
    files: ['pages/keywords/country-choice.tsx'],
    path: () => ios('/keywords'),
    open: (page) => openFilter(page, 'Any country'),
  },
  'tags of a selection': {
    files: ['pages/keywords/bulk-bar.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await page.locator('[data-index="0"]').getByRole('checkbox').check();
      await press(page.getByRole('toolbar', { name: 'Selected keywords' }), 'Tag');
      return dialog(page, 'Tag');
    },
  },
  'annotations of a day': {
    files: ['annotations/day-annotations.tsx'],
    path: () => `/keywords/${testApp.keywordId}`,
    async open(page) {
      const cursor = page.getByRole('slider', { name: 'Values of the chart' }).first();
      await cursor.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      const opened = await dialog(page, /^Annotations on/);
      await press(opened, 'Add annotation');
      return opened;
    },
  },
  'save a chart': {
    files: ['components/chart/chart-card.tsx'],
    path: () => `/keywords/${testApp.keywordId}`,
    open: (page) => openMenu(page, 'Save: Position history'),
  },
  apps: {
    files: ['frame/app-switcher.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      const opened = await openMenu(await frameOf(page), /^Switch app/);
      await page.keyboard.press('ArrowDown');
      return opened;
    },
  },
  account: {
    files: ['frame/user-menu.tsx'],
    path: () => '/capacity',
    open: async (page) => openMenu(await frameOf(page), /^Account menu/),
  },
  'frame of a phone': {
    files: ['frame/menu-drawer.tsx'],
    path: () => ios('/keywords'),
    open: frameOf,
    only: 'narrow',
  },
  'country and period': {
    files: ['frame/scope-button.tsx'],
    path: () => ios(),
    async open(page) {
      await press(page.locator('[data-frame="top"]'), /^Country, device and period/);
      return dialog(page, 'Country, device and period');
    },
    only: 'phone',
  },
  'country list': {
    files: [],
    path: () => ios(),
    async open(page) {
      await page.getByRole('combobox', { name: 'Country' }).click();
      return page.getByRole('listbox');
    },
    only: 'wide',
  },
  'range of days': {
    files: ['frame/days-select.tsx'],
    path: () => ios(),
    async open(page) {
      await page.getByRole('combobox', { name: 'Period', exact: true }).click();
      await page.getByRole('option', { name: 'Custom range…' }).click();
      return dialog(page, 'Custom range');
    },
    only: 'wide',
  },
  theme: {
    files: ['frame/theme-toggle.tsx'],
    path: () => '/capacity',
    open: (page) => openMenu(page, /^Theme/),
  },
  language: {
    files: ['frame/language-menu.tsx'],
    path: () => '/sign-in',
    open: (page) => openMenu(page, 'Language'),
    only: 'signed out',
  },
  workspaces: {
    files: ['frame/workspace-menu.tsx'],
    path: () => '/welcome',
    open: (page) => openMenu(page, /^Switch workspace/),
  },
  palette: {
    files: ['frame/palette/palette.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
      return dialog(page);
    },
  },
  keys: {
    files: ['keys/key-map.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await page.locator('h1').first().focus();
      await page.keyboard.press('?');
      return dialog(page, 'Keyboard shortcuts');
    },
  },
  'keys of the menu': {
    files: ['keys/key-map.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await openMenu(await frameOf(page), /^Account menu/);
      await pressItem(page, 'Keyboard shortcuts');
      return dialog(page, 'Keyboard shortcuts');
    },
    only: 'wide',
  },
  'new view': {
    files: ['views/view-dialog.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      await page.locator('h1').first().focus();
      await page.keyboard.press('v');
      return dialog(page);
    },
  },
  'menu of a view': {
    files: ['views/view-list.tsx'],
    path: () => ios('/keywords'),
    async open(page) {
      const frame = await frameOf(page);
      await frame.getByRole('link', { name: 'Not found' }).hover();
      return openMenu(frame, 'Options for Not found');
    },
  },
  'two editors': {
    files: ['conflict/conflict-dialog.tsx'],
    path: () => '/settings?tab=tags',
    async open(page) {
      await press(page, 'Edit brand');
      const opened = await dialog(page);
      const color = opened.getByLabel('Colour', { exact: true });
      edits += 1;
      await color.fill(`#11111${edits}`);
      await write(page, '/tags/brand', { color: `#22222${edits}` }, 'PATCH');
      await opened.getByRole('button', { name: 'Save' }).click();
      const conflict = page.getByRole('dialog').filter({ hasText: 'Keep mine' });
      await conflict.waitFor();
      return conflict;
    },
    close: 'Keep mine',
  },
  tag: {
    files: ['pages/settings/edit-tag.tsx'],
    path: () => '/settings?tab=tags',
    open: dialogOf(/^Edit/),
  },
  token: {
    files: ['pages/settings/create-token.tsx'],
    path: () => '/settings?tab=tokens',
    open: dialogOf('Create token'),
  },
  'delete the account': {
    files: ['pages/settings/account-card.tsx'],
    path: () => '/settings?tab=account',
    open: dialogOf('Delete my account'),
  },
  'delete the workspace': {
    files: ['pages/settings/danger-card.tsx'],
    path: () => '/settings?tab=workspace',
    open: dialogOf('Delete workspace'),
  },
  invite: {
    files: ['pages/members/invite-dialog.tsx'],
    path: () => '/members',
    open: dialogOf('Invite member'),
  },
  'share a report': {
    files: ['pages/imports-exports/reports/report-dialog.tsx'],
    path: () => '/imports-exports?tab=reports',
    open: dialogOf('Share a report'),
  },
  'snooze an action': {
    files: ['pages/actions/action-buttons.tsx'],
    path: () => '/actions',
    async open(page) {
      if (page.viewportSize()!.width < 992)
        await page.locator('main ul li').first().getByRole('link').first().click();
      return openMenu(page, 'Snooze');
    },
  },
  'dismiss an action': {
    files: ['pages/actions/dismiss-dialog.tsx'],
    path: () => '/actions',
    async open(page) {
      if (page.viewportSize()!.width < 992)
        await page.locator('main ul li').first().getByRole('link').first().click();
      await press(page.getByRole('toolbar'), 'Dismiss');
      return dialog(page);
    },
  },
  'new competitor': {
    files: ['pages/competitors/add-competitor.tsx'],
    path: () => ios('/competitors'),
    open: dialogOf('Add competitor'),
  },
  'track a word': {
    files: ['pages/keyword-field/follow-switch.tsx'],
    path: () => ios('/keyword-field'),
    async open(page) {
      await page
        .getByRole('switch', { name: /^Track /, checked: false })
        .first()
        .press('Space');
      const opened = await dialog(page);
      await opened
        .getByText(/search/)
        .first()
        .waitFor();
      return opened;
    },
  },
  'evidence of a score': {
    files: ['pages/suggestions/score-dialog.tsx'],
    path: () => ios('/suggestions?source=listing'),
    async open(page) {
      const table = page.getByRole('table');
      const scored = table.getByRole('button', { name: /^Evidence / }).first();
      if (!(await scored.isVisible())) await press(table, /^Score /);
      await scored.click();
      return dialog(page);
    },
  },
  'name of a draft': {
    files: ['pages/listing-drafts/draft-bar.tsx'],
    path: () => ios('/listing-drafts'),
    open: dialogOf('New draft'),
  },
  'words of a text': {
    files: ['pages/listing-drafts/marked-text.tsx'],
    path: () => ios('/listing-drafts'),
    open: dialogOf(/keyword terms?/),
  },
  'zip of a folder': {
    files: ['pages/listing-drafts/zip/zip-dialog.tsx'],
    path: () => ios('/listing-drafts'),
    open: dialogOf('Upload folder (zip)'),
  },
  'new webhook': {
    files: ['pages/alerts/webhooks/register-dialog.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: dialogOf('Add webhook'),
  },
  'secret of a webhook': {
    files: ['pages/alerts/webhooks/rotate-dialog.tsx'],
    path: () => '/alerts?tab=webhooks',
    async open(page) {
      const opened = await ofWebhook('Rotate secret')(page);
      await press(opened, 'Rotate secret');
      await opened.getByRole('button', { name: 'Done' }).waitFor();
      return opened;
    },
    close: 'Done',
  },
  'new secret of a webhook': {
    files: ['pages/alerts/webhooks/rotate-dialog.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: ofWebhook('Rotate secret'),
  },
  'edit a webhook': {
    files: ['pages/alerts/webhooks/edit-dialog.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: ofWebhook('Edit'),
  },
  'delete a webhook': {
    files: ['pages/alerts/webhooks/remove-dialog.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: ofWebhook('Delete'),
  },
  'menu of a webhook': {
    files: ['pages/alerts/webhooks/webhook-buttons.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: (page) => openMenu(page, 'More'),
  },
  'test events': {
    files: ['pages/alerts/webhooks/webhook-buttons.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: (page) => openMenu(page, 'Send test event'),
  },
  'failed deliveries': {
    files: ['pages/alerts/webhooks/redeliver.tsx'],
    path: () => '/alerts?tab=webhooks',
    open: (page) => openMenu(page, 'Resend failed deliveries'),
  },
  delivery: {
    files: ['pages/alerts/webhooks/delivery-drawer.tsx'],
    path: () => '/alerts?tab=webhooks',
    async open(page) {
      const log = page.getByRole('region', { name: 'Deliveries', exact: true });
      await log.getByRole('table').getByRole('link').first().click();
      const opened = await dialog(page);
      await opened.getByRole('heading', { name: 'Request body' }).waitFor();
      return opened;
    },
  },
  'menu of a tenant': {
    files: ['pages/admin/workspace-menu.tsx'],
    path: () => '/admin',
    open: (page) => openMenu(page, 'Actions for Harbour Games'),
  },
  'suspend a tenant': {
    files: ['pages/admin/suspend-dialog.tsx'],
    path: () => '/admin',
    async open(page) {
      await press(page, 'Actions for Harbour Games');
      await pressItem(page, 'Suspend');
      return dialog(page);
    },
  },
  'plan of a tenant': {
    files: ['pages/admin/plan-dialog.tsx'],
    path: () => '/admin',
    async open(page) {
      await press(page, 'Actions for Harbour Games');
      await pressItem(page, 'Change plan');
      return dialog(page);
    },
  },
};

/** Sideways, in the window and in themselves; and whether something else covers an item. */
const measure = (opened: Locator) =>
  opened.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    const items = [...element.querySelectorAll('[role^=menuitem]')].filter(
      (item) => !item.closest('[class*=_choices_], [class*=_dropdown_], [class*=_long_]'),
    );
    const isCovered = (item: Element) => {
      const box = item.getBoundingClientRect();
      const top = document.elementFromPoint(box.right - 12, box.top + box.height / 2);
      return box.bottom <= innerHeight && !item.contains(top);
    };
    return {
      isInside: left >= 0 && right <= innerWidth,
      isCut: element.scrollWidth > element.clientWidth + 1,
      covered: items.filter(isCovered).map((item) => item.textContent),
    };
  });

describe.skipIf(!browser)('dialogs, menus and drawers', () => {
  beforeAll(async () => {
    receiver = await startReceiver();
    testApp = await startDemoTestApp({
      environment: {
        BILLING_ENABLED: 'true',
        OPERATOR_EMAILS: demoEmail,
        WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8',
      },
    });
    if (shots) mkdirSync(shots, { recursive: true });
    const { pool, workspaceId } = testApp;
    await pool.query(
      `update workspaces set status = 'trial', trial_ends_at = now() + interval '9 days'
       where id = $1`,
      [workspaceId],
    );
    await pool.query(
      `with w as (insert into workspaces (name) values ('Harbour Games') returning id)
       insert into memberships (workspace_id, user_id, role)
       select w.id, m.user_id, 'member' from w, memberships m where m.workspace_id = $1`,
      [workspaceId],
    );
    const { page, close } = await testApp.open(browser!, '/methodology');
    const events = ['rank.dropped', 'review.negative'];
    const webhook = await write(page, '/webhooks', { url: receiver.url, events });
    await write(page, `/webhooks/${webhook.id}/test`, { type: events[0] });
    await write(page, '/views', {
      name: 'Not found',
      path: ios('/keywords?state=not_found'),
      appId: testApp.apps.ios,
    });
    const phrases = ['sketch bin', 'paper bin'];
    const { added } = await write(page, ios('/keywords'), { phrases, countries: ['us'] });
    const ids = added.map(({ id }: { id: number }) => id);
    await write(page, ios('/keywords/delete'), { ids });
    const draft = await write(page, ios('/listing-drafts'), { name: 'Spring' });
    await write(
      page,
      `/listing-drafts/${draft.id}/texts`,
      { locales: [{ locale: 'en-US', texts: { title: 'Habit tracker and daily planner' } }] },
      'PUT',
    );
    await close();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await Promise.all([testApp.stop(), receiver.close()]);
  });

  test('are all among these', () => {
    const files = globSync('**/*.tsx', { cwd: sources }).filter(
      (file) =>
        !file.startsWith('components/overlays/') &&
        drawn.test(readFileSync(new URL(file, sources), 'utf8')),
    );
    expect(files.length).toBeGreaterThan(40);
    const opened = Object.values(overlays).flatMap((overlay) => overlay.files);
    expect(files.toSorted()).toEqual([...new Set(opened)].toSorted());
  });

  test.each([
    [/^Account menu/, 'Keyboard shortcuts'],
    ['More options', 'Removed keywords'],
  ])('the button of the menu %s has the focus after its dialog', async (button, item) => {
    const { page, loaded, close } = await testApp.open(browser!, ios('/keywords'));
    await loaded();
    // On a busy device, the library returns the focus of a menu later than usual.
    await page.evaluate(() => {
      const { setTimeout } = window;
      Object.assign(window, {
        setTimeout: (run: () => void, ms: number) => setTimeout(run, ms === 10 ? 600_000 : ms),
      });
    });
    const menu = await openMenu(page, button);
    await menu.waitFor();
    await page.route('**/*.js', async (route) => {
      await menu.waitFor({ state: 'detached' });
      await route.continue();
    });
    await pressItem(page, item);
    const opened = await dialog(page, item);
    await opened.waitFor();
    await page.locator('[role=dialog] :focus').waitFor();
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
    await close();
  });

  test('conflicts of two saves are decided one after the other', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, ios('/reviews'));
    const rows = page.locator('main li').filter({ has: page.getByRole('article') });
    const gate = Promise.withResolvers<void>();
    const sent: string[] = [];
    await page.route(/\/reviews\/\d+$/, async (route) => {
      if (route.request().method() === 'PATCH') sent.push(new URL(route.request().url()).pathname);
      if (route.request().method() === 'PATCH') await gate.promise;
      await route.continue();
    });
    for (const index of [0, 1]) {
      const row = rows.nth(index);
      await row.getByRole('button', { name: 'Tags and note' }).click();
      await row.getByRole('combobox', { name: 'Tags' }).fill(`mine${index}`);
      await row.getByRole('combobox', { name: 'Tags' }).press('Enter');
      await expect.poll(() => sent.length).toBe(index + 1);
    }
    const ids = sent.map((path) => Number(path.split('/').at(-1)));
    await testApp.pool.query(
      `insert into review_marks (workspace_id, app_id, country, store_review_id, tags)
       select $1, $2, country, store_review_id, array['theirs' || id] from reviews
       where id = any($3)`,
      [testApp.workspaceId, testApp.apps.ios, ids],
    );
    gate.resolve();
    const conflict = page.getByRole('dialog', { name: 'Somebody else changed this too' });
    const theirs = conflict.getByText(/^theirs\d+$/);
    await theirs.waitFor();
    const first = await theirs.textContent();
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(() => theirs.textContent()).not.toBe(first);
    await conflict.getByRole('button', { name: 'Keep mine' }).and(page.locator(':focus')).click();
    await conflict.waitFor({ state: 'detached' });
    const read = async () =>
      (
        await testApp.pool.query(
          "select tags[1] tag from review_marks where tags[1] like 'mine%' order by 1",
        )
      ).rows.map(({ tag }) => tag);
    await expect.poll(read).toEqual(['mine0', 'mine1']);
    expect(consoleErrors.filter((text) => !text.includes('412'))).toEqual([]);
    await close();
  });

  describe.each(widths.split(',').map(Number))('at %i px', (width) => {
    const isNarrow = width < 992;
    const kinds = width < 768 ? ['narrow', 'phone'] : [isNarrow ? 'narrow' : 'wide'];
    const isHere = ([, { only }]: [string, Overlay], index: number) =>
      only !== undefined && only !== 'signed out'
        ? kinds.includes(only)
        : isLong || (index % 2 === 0) === isNarrow;
    const ofWidth = Object.entries(overlays).filter(isHere);
    const here = isLong
      ? ofWidth
      : draw(`overlays at ${width}`, Math.ceil(ofWidth.length / 2), ofWidth);
    const first = schemeAt(isNarrow);
    const schemes = isLong ? both : [first];
    const look = { width, colorScheme: first };
    let signedIn: WatchedPage;
    let signedOut: WatchedPage;
    beforeAll(async () => {
      signedIn = await testApp.open(browser!, '/methodology', look);
      signedOut = await newPage(browser!, look);
      await signedOut.page.goto(`${testApp.webUrl}/sign-in`);
      for (const { page } of [signedIn, signedOut]) page.setDefaultTimeout(30_000);
    });
    afterAll(() => Promise.all([signedIn.close(), signedOut.close()]));

    test.each(here)('%s', async (name, { path, open, close, only }) => {
      const { page, loaded, consoleErrors } = only === 'signed out' ? signedOut : signedIn;
      await goTo(page, path());
      await loaded();
      try {
        const opened = await open(page);
        await opened.waitFor();
        await loaded();
        const found = [];
        for (const [index, colorScheme] of schemes.entries()) {
          if (schemes.length > 1) await setColorScheme(page, colorScheme);
          if (shots)
            await page.screenshot({
              path: `${shots}/${name.replaceAll(' ', '-')}-${colorScheme}-${width}.png`,
            });
          found.push(...(await audit(page, index > 0 ? 'colours' : 'all', opened)));
        }
        expect({ found, ...(await measure(opened)) }).toEqual({
          found: [],
          isInside: true,
          isCut: false,
          covered: [],
        });
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        if (close) await press(opened, close);
        // Escape closes the list of a field first.
        else await page.keyboard.press('Escape');
        if (await opened.isVisible()) await page.keyboard.press('Escape');
        await opened.waitFor({ state: 'hidden' });
        // A drawer may be behind it.
        await page.keyboard.press('Escape');
        // The keyboard goes on where it was.
        await expect
          .poll(() => page.evaluate(() => document.activeElement?.tagName))
          .not.toBe('BODY');
        if (schemes.length > 1) await setColorScheme(page, first);
      } catch (error) {
        // Left open, it would be in the way of the next one.
        await page.reload();
        throw error;
      }
      expect(consoleErrors.splice(0).filter((text) => !text.includes('412'))).toEqual([]);
    });
  });
});
