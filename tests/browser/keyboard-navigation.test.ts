import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { launchBrowser, type WatchedPage } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw } from '../harness/short-form.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { keyboardOf, type Keyboard } from './keyboard.ts';

keepOrder('later flows of the keyboard change what earlier ones read');

const browser = await launchBrowser();

interface Journey {
  flow: string;
  /** The part of a page that it is mostly about. */
  kind: 'keys' | 'menu' | 'rows' | 'dialog' | 'fields' | 'button';
  from: (testApp: DemoTestApp) => string;
  /** What the browser reports about responses that the flow provokes. */
  expectedError?: RegExp;
  go(page: Page, keyboard: Keyboard, testApp: DemoTestApp): Promise<void>;
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, level: 1 }).waitFor();
const palette = (page: Page) => page.getByRole('dialog').getByRole('combobox').waitFor();
/** In the newest message: older ones may still be visible. */
const undo = (page: Page, message: string) =>
  page.locator('.toast-undo').filter({ hasText: message }).getByRole('button', { name: 'Undo' });
const keywords = ({ apps }: DemoTestApp) => `/apps/${apps.ios}/keywords`;
const value = async (testApp: DemoTestApp, sql: string, ...values: unknown[]) =>
  Object.values((await testApp.pool.query(sql, values)).rows[0] ?? {})[0];

const journeys: Journey[] = [
  {
    flow: 'open a page by its name',
    kind: 'keys',
    from: keywords,
    async go(page, { press, type }) {
      await press('Control+k');
      await palette(page);
      await type('distr');
      await page.getByRole('option', { name: 'Distribution' }).waitFor();
      await press('Enter');
      await heading(page, 'Rank distribution');
    },
  },
  {
    flow: 'open a page with two keys',
    kind: 'keys',
    from: keywords,
    async go(page, { press }) {
      await press('g', 'y');
      await heading(page, 'Capacity');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent))
        .toBe('Capacity');
    },
  },
  {
    flow: 'switch to the other app',
    kind: 'menu',
    from: keywords,
    async go(page, { press }, { apps }) {
      await press('s');
      await page.getByRole('option').nth(1).waitFor();
      await page.locator('[role=combobox]:focus').waitFor();
      await press('ArrowDown');
      await page
        .locator('[role=option][aria-selected=true]')
        .and(page.getByRole('option').nth(1))
        .waitFor();
      await press('Enter');
      await page.waitForURL(`**/apps/${apps.android}`);
    },
  },
  {
    flow: 'sort keywords',
    kind: 'rows',
    from: keywords,
    async go(page, { press, reach }) {
      await reach(page.getByRole('columnheader').getByRole('button', { name: 'Difficulty' }));
      const difficulty = async () =>
        (await page.locator('[data-index] [data-column=difficulty]').allTextContents())
          .map(Number)
          .filter((score) => score > 0);
      const isSorted = (scores: number[], sign: 1 | -1) =>
        scores.every((score, index) => index === 0 || (score - scores[index - 1]!) * sign >= 0);
      await press('Enter');
      await page.waitForURL(/sort=-difficulty/);
      await expect.poll(async () => isSorted(await difficulty(), -1)).toBe(true);
      await press('Enter');
      await page.waitForURL(/sort=difficulty/);
      await expect.poll(async () => isSorted(await difficulty(), 1)).toBe(true);
    },
  },
  {
    flow: 'search keywords and open one',
    kind: 'keys',
    from: keywords,
    async go(page, { press, type, tabTo }) {
      await press('/');
      await type('mood journal');
      await page.waitForURL(/q=mood/);
      await tabTo(page.getByRole('link', { name: 'mood journal' }).first());
      await press('Enter');
      await heading(page, 'mood journal');
    },
  },
  {
    flow: 'track a new keyword',
    kind: 'dialog',
    from: keywords,
    async go(page, { press, type, reach, tabTo }, testApp) {
      await reach(page.getByRole('button', { name: 'Add keywords' }));
      await press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Add keywords' });
      await dialog.getByRole('textbox').first().waitFor();
      await type('quiet evening');
      await tabTo(dialog.getByRole('button', { name: /^Follow|^Add/ }).last());
      await press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(
        await value(
          testApp,
          'select count(*)::int from keywords k join markets m on m.id = k.market_id where ' +
            "m.phrase = 'quiet evening'",
        ),
      ).toBeGreaterThan(0);
    },
  },
  {
    flow: 'select keywords and pause them',
    kind: 'rows',
    from: keywords,
    async go(page, { press, tabTo }, testApp) {
      // Keys pressed before the rows are there have no effect.
      await page.locator('[data-index="1"]').waitFor();
      await press('j', 'x', 'j', 'x');
      await page.getByText('2 selected').waitFor();
      await tabTo(page.getByRole('button', { name: 'Pause', exact: true }));
      await press('Enter');
      await expect
        .poll(() => value(testApp, 'select count(*)::int from keywords where paused'))
        .toBe(2);
    },
  },
  {
    flow: 'mark a keyword as a favourite',
    kind: 'button',
    from: ({ keywordId }) => `/keywords/${keywordId}`,
    async go(page, { press, reach }, testApp) {
      await reach(page.getByRole('button', { name: 'Favourite' }));
      await press('Enter');
      await expect
        .poll(() =>
          value(testApp, 'select favorite from keywords where id = $1', testApp.keywordId),
        )
        .toBe(true);
    },
  },
  {
    flow: 'create an annotation, delete it, and undo that',
    kind: 'fields',
    from: ({ keywordId }) => `/keywords/${keywordId}`,
    async go(page, { press, type, reach, tabTo }) {
      await reach(page.getByRole('button', { name: 'Add annotation' }));
      await press('Enter');
      await type('New icon is live');
      await tabTo(
        page
          .getByRole('region', { name: 'Annotations' })
          .getByRole('button', { name: 'Save', exact: true }),
      );
      await press('Enter');
      const note = page.getByRole('listitem').filter({ hasText: 'New icon is live' });
      await reach(note.getByRole('button', { name: 'Delete annotation: New icon is live' }));
      await press('Enter');
      await note.waitFor({ state: 'detached' });
      await tabTo(undo(page, 'Annotation deleted.'));
      await press('Enter');
      await note.waitFor();
    },
  },
  {
    flow: 'snooze an action and undo that',
    kind: 'rows',
    from: () => '/actions',
    async go(page, { press, tabTo }, testApp) {
      const snoozed = () =>
        value(testApp, "select count(*)::int from actions where status = 'snoozed'");
      await press('j', 's');
      await expect.poll(snoozed).toBe(1);
      await tabTo(undo(page, 'Snoozed'));
      await press('Enter');
      await expect.poll(snoozed).toBe(0);
    },
  },
  {
    flow: 'dismiss an action with a reason',
    kind: 'dialog',
    from: () => '/actions',
    async go(page, { press, type, reach, tabTo }, testApp) {
      await reach(page.getByRole('toolbar').getByRole('button', { name: 'Dismiss' }));
      await press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Dismiss this action' });
      await dialog.getByRole('textbox').waitFor();
      await type('We wait for the redesign');
      await tabTo(dialog.getByRole('button', { name: 'Dismiss', exact: true }));
      await press('Enter');
      await expect
        .poll(() => value(testApp, "select dismiss_reason from actions where status = 'dismissed'"))
        .toBe('We wait for the redesign');
    },
  },
  {
    flow: 'make an alert rule stricter, backtest it, and save it',
    kind: 'fields',
    from: () => '/alerts?tab=rules',
    async go(page, { press, type, reach, tabTo }, testApp) {
      const total = page.getByText(/alerts? in the last \d+ days/);
      const before = await total.textContent();
      await reach(page.getByRole('textbox', { name: 'Minimum change (positions)' }).first());
      await press('Control+a');
      await type('90');
      await expect.poll(() => total.textContent()).not.toBe(before);
      await tabTo(page.getByRole('button', { name: 'Save rules' }));
      await press('Enter');
      await page.getByText('Rules saved. They apply from the next check.').waitFor();
      expect(JSON.stringify(await value(testApp, 'select rules from alert_rules'))).toContain(
        '"minPositions":90',
      );
    },
  },
  {
    flow: 'create a webhook',
    kind: 'dialog',
    from: () => '/alerts?tab=webhooks',
    async go(page, { press, type, reach, tabTo }, testApp) {
      await reach(page.getByRole('button', { name: 'Add webhook' }).first());
      await press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'URL' }).waitFor();
      await type('https://hooks.example.org/toprung');
      await tabTo(dialog.getByRole('button', { name: 'Add webhook' }));
      await press('Enter');
      await tabTo(page.getByRole('button', { name: 'Done' }));
      await press('Enter');
      await page.getByText('Nothing sent yet').waitFor();
      expect(await value(testApp, 'select url from webhooks')).toBe(
        'https://hooks.example.org/toprung',
      );
    },
  },
  {
    flow: 'create a token and revoke it',
    kind: 'dialog',
    from: () => '/settings?tab=tokens',
    async go(page, { press, type, reach, tabTo }, testApp) {
      await reach(page.getByRole('button', { name: 'Create token' }).first());
      await press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
      await type('Spreadsheet');
      await press('Enter');
      await page.getByTestId('token').waitFor();
      await tabTo(dialog.getByRole('button', { name: 'Done' }));
      await press('Enter');
      await reach(page.getByRole('button', { name: 'Revoke Spreadsheet' }));
      await press('Enter');
      await tabTo(page.getByRole('button', { name: /^Revoke/ }).last());
      await press('Enter');
      await expect
        .poll(() => value(testApp, 'select revoked_at is not null from tokens'))
        .toBe(true);
    },
  },
  {
    flow: 'export a table as CSV',
    kind: 'button',
    from: ({ apps }) => `/apps/${apps.ios}/competitors?tab=gaps`,
    async go(page, { press, reach }) {
      await reach(page.getByRole('button', { name: 'Download CSV' }).first());
      const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
      expect(readFileSync(await download.path(), 'utf8').split('\r\n')[0]).toContain('Urgency');
    },
  },
  {
    flow: 'choose dark colours and a compact table',
    kind: 'menu',
    from: keywords,
    async go(page, { press, tabTo, choose }) {
      await tabTo(page.getByRole('button', { name: /^Theme/ }));
      await press('Enter');
      for (const name of ['Dark', 'Compact'])
        await choose(page.getByRole('menuitemradio', { name }));
      await press('Escape');
      await page
        .locator('html[data-mantine-color-scheme="dark"][data-density="compact"]')
        .waitFor({ state: 'attached' });
    },
  },
  {
    flow: 'compare two days',
    kind: 'fields',
    from: ({ apps }) => `/apps/${apps.ios}/distribution`,
    async go(page, { press, type, reach }) {
      const first = page.getByLabel('First day', { exact: true });
      await expect.poll(() => first.inputValue()).not.toBe('');
      const day = addDays(await first.inputValue(), 1);
      await reach(first);
      await type(`${day.slice(5, 7)}${day.slice(8)}${day.slice(0, 4)}`);
      await press('Enter');
      await page.waitForURL((url) => url.searchParams.get('a') === day);
      await page
        .getByRole('region', { name: 'Table: Compare two days' })
        .locator('tbody tr')
        .first()
        .waitFor();
    },
  },
  {
    flow: 'add a suggested competitor',
    kind: 'dialog',
    from: ({ apps }) => `/apps/${apps.ios}/competitors`,
    async go(page, { press, reach, tabTo }, testApp) {
      const followed = () =>
        value(
          testApp,
          'select count(*)::int from competitors where app_id = $1 and archived_at is null',
          testApp.apps.ios,
        );
      const before = (await followed()) as number;
      await reach(page.getByRole('button', { name: 'Add competitor' }).first());
      await press('Enter');
      await tabTo(
        page
          .getByRole('dialog')
          .getByRole('region', { name: 'Suggested' })
          .getByRole('button')
          .first(),
      );
      await press('Enter');
      await expect.poll(followed).toBe(before + 1);
    },
  },
  {
    flow: 'simulate the cost of more keywords',
    kind: 'fields',
    from: () => '/capacity',
    async go(page, { press, reach }) {
      const slider = page.getByRole('slider');
      await reach(slider);
      await press('ArrowRight', 'ArrowRight', 'ArrowRight');
      await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('500');
      await page.getByText('+500').first().waitFor();
    },
  },
  {
    flow: 'write the keyword field and save a version',
    kind: 'fields',
    from: ({ apps }) => `/apps/${apps.ios}/keyword-field`,
    async go(page, { press, type, reach, tabTo }, testApp) {
      await reach(page.getByRole('textbox', { name: 'Keyword field' }));
      await press('Control+a');
      await type('calm,focus');
      await tabTo(page.getByRole('button', { name: 'Save version' }));
      await press('Enter');
      await page.getByText('Version saved').waitFor();
      expect(await value(testApp, 'select text from keyword_fields order by id desc limit 1')).toBe(
        'calm,focus',
      );
    },
  },
  {
    flow: 'write a listing draft, and save it over what somebody else saved',
    kind: 'fields',
    from: keywords,
    expectedError: /412/,
    async go(page, { press, type, reach, tabTo }, testApp) {
      await press('g', 'u');
      await reach(page.getByRole('button', { name: 'New draft' }));
      await press('Enter');
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      await type('Spring');
      await press('Enter');
      for (const locale of ['en-US', 'de-DE']) {
        await reach(page.getByRole('combobox', { name: 'Add language' }));
        await type(locale);
        await page.getByRole('option', { name: locale, exact: true }).waitFor();
        await press('ArrowDown', 'Enter');
        await page.getByRole('region', { name: locale, exact: true }).waitFor();
      }
      await reach(page.getByRole('textbox', { name: 'Title, de-DE', exact: true }));
      await type('Gewohnheiten');
      await tabTo(page.getByRole('textbox', { name: 'Title, en-US', exact: true }));
      await type('Habits');
      const save = page.getByRole('button', { name: 'Save draft' });
      await reach(save);
      await press('Enter');
      await page.getByText('Draft saved').waitFor();
      const titles = () =>
        value(
          testApp,
          `select json_object_agg(locale, texts->>'title') from (select distinct on (locale) *
           from listing_draft_versions order by locale, id desc) newest`,
        );
      expect(await titles()).toEqual({ 'de-DE': 'Gewohnheiten', 'en-US': 'Habits' });

      const mine = page.getByRole('textbox', { name: 'Title, en-US', exact: true });
      await reach(mine);
      await press('Control+a');
      await type('Mine');
      await testApp.change(
        `insert into listing_draft_versions (workspace_id, draft_id, locale, texts, saved_at)
         select workspace_id, draft_id, locale, '{"title":"Theirs"}', now()
         from listing_draft_versions where locale = 'en-US'`,
      );
      await reach(save);
      await press('Enter');
      const conflict = page.getByRole('dialog');
      await conflict.getByRole('definition').getByText('Theirs', { exact: true }).waitFor();
      const keep = conflict.getByRole('button', { name: 'Keep mine' });
      await expect.poll(() => keep.evaluate((one) => one === document.activeElement)).toBe(true);
      // Escape saves nothing, and the text that was typed stays.
      await press('Escape');
      await conflict.waitFor({ state: 'detached' });
      expect([await mine.inputValue(), await titles()]).toEqual([
        'Mine',
        { 'de-DE': 'Gewohnheiten', 'en-US': 'Theirs' },
      ]);
      await reach(save);
      await press('Enter');
      await keep.waitFor();
      await tabTo(keep);
      await press('Enter');
      await expect.poll(titles).toEqual({ 'de-DE': 'Gewohnheiten', 'en-US': 'Mine' });
    },
  },
  {
    flow: 'mark a review as read',
    kind: 'button',
    from: ({ apps }) => `/apps/${apps.ios}/reviews`,
    async go(page, { press, reach }, testApp) {
      await reach(page.getByRole('button', { name: 'Mark as read' }).first());
      await press('Enter');
      await expect
        .poll(() =>
          value(testApp, 'select count(*)::int from review_marks where read_at is not null'),
        )
        .toBe(1);
    },
  },
  {
    flow: 'track a suggested phrase',
    kind: 'rows',
    from: ({ apps }) => `/apps/${apps.ios}/suggestions?source=listing`,
    async go(page, { press, reach }, testApp) {
      const followed = () => value(testApp, 'select count(*)::int from keywords');
      const before = (await followed()) as number;
      const marked = page.getByRole('cell', { name: 'Tracked' });
      const markedBefore = await marked.count();
      let suggestionsAsked = 0;
      page.on(
        'request',
        (request) => (suggestionsAsked += Number(request.url().includes('/keyword-suggestions'))),
      );
      await reach(page.getByRole('checkbox', { name: /^Track / }).first());
      await press('Space');
      await reach(page.getByRole('button', { name: 'Track 1 phrase' }));
      await press('Enter');
      await expect.poll(followed).toBe(before + 1);
      await expect.poll(() => marked.count()).toBe(markedBefore + 1);
      expect(suggestionsAsked, 'what counts by the hour').toBe(0);
    },
  },
  {
    flow: 'score a suggested and a typed phrase before tracking either',
    kind: 'rows',
    from: ({ apps }) => `/apps/${apps.ios}/suggestions?source=listing`,
    async go(page, { press, type, reach }, testApp) {
      const followed = () => value(testApp, 'select count(*)::int from keywords');
      const before = await followed();
      const button = page
        .getByRole('table')
        .getByRole('button', { name: /^Score / })
        .first();
      const phrase = (await button.textContent())!.replace(/^Score /, '');
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('checkbox', { name: `Track ${phrase}`, exact: true }) });
      await reach(button);
      await press('Enter');
      await page
        .getByRole('status')
        .filter({ hasText: `${phrase}: traffic` })
        .waitFor();
      await expect
        .poll(() => row.getByRole('cell').allTextContents())
        .toEqual(expect.arrayContaining([expect.stringMatching(/^(>?\d+)(position|checked)/)]));
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.textContent), {
          message: 'the focus stays',
        })
        .toBe(`Evidence ${phrase}`);
      await press('Enter');
      await page
        .getByRole('dialog')
        .getByRole('region', { exact: true, name: 'Difficulty' })
        .waitFor();
      await press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The next ones with one press: a job scores them.
      await reach(page.getByRole('button', { name: /^Score \d+ phrases$/ }));
      await press('Enter');
      await page
        .locator('.toasts')
        .getByText(/^\d+ phrases are being scored/)
        .waitFor();
      await reach(page.getByRole('textbox', { name: 'Seed keyword' }));
      await type('morning pages');
      await reach(page.getByRole('search').getByRole('button', { name: 'Score morning pages' }));
      await press('Enter');
      await page.getByRole('search').getByText('Difficulty').waitFor();
      expect(await followed()).toBe(before);
    },
  },
  {
    flow: 'save a view and open it again',
    kind: 'keys',
    from: (testApp) => `${keywords(testApp)}?state=not_found`,
    async go(page, { press, type }) {
      await press('v');
      await page.getByRole('dialog').getByLabel('Name').waitFor();
      await type('Lost sheep');
      await press('Enter');
      await page.getByRole('link', { name: 'Lost sheep' }).waitFor();
      await press('g', 'y');
      await heading(page, 'Capacity');
      await press('Control+k');
      await palette(page);
      await type('sheep');
      await page.getByRole('option', { name: 'Lost sheep' }).waitFor();
      await press('Enter');
      await page.waitForURL(/state=not_found/);
    },
  },
  {
    flow: 'list the shortcuts, and switch single keys off for good',
    kind: 'keys',
    from: keywords,
    async go(page, { press, type, tabTo }) {
      // In a field they are characters.
      await press('/');
      await type('gy?');
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Search phrases' }).inputValue())
        .toBe('gy?');
      await press('Control+a', 'Delete', 'Shift+Tab');
      await press('?');
      const map = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await map.getByText('Next row').waitFor();
      await tabTo(map.getByRole('switch'));
      await press('Space', 'Escape');
      await map.waitFor({ state: 'detached' });
      await press('g', 'y', 'Control+k');
      await palette(page);
      await page.waitForURL(/\/keywords/);
      await press('Escape');
    },
  },
  {
    flow: 'switch the language',
    kind: 'menu',
    from: () => '/capacity',
    async go(page, { press, tabTo, choose }) {
      await tabTo(page.getByRole('button', { name: 'Account menu' }));
      await press('Enter');
      await choose(page.getByRole('menuitemradio', { name: 'Deutsch' }));
      await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    },
  },
];

/** The long form has all flows, the short one a third of each kind. */
const chosen = [...Map.groupBy(journeys, ({ kind }) => kind)].flatMap(([kind, alike]) =>
  draw(`flows by keyboard, ${kind}`, Math.ceil(alike.length / 3), alike),
);

describe.skipIf(!browser)('by keyboard alone', () => {
  let testApp: DemoTestApp;
  let watched: WatchedPage;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
    watched = await testApp.open(browser!, '/methodology');
    watched.page.setDefaultTimeout(30_000);
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test.each(journeys.filter((journey) => chosen.includes(journey)))(
    '$flow',
    async ({ from, go, expectedError }) => {
      const { page, loaded, consoleErrors, foreignRequests } = watched;
      await goTo(page, from(testApp));
      await loaded();
      try {
        await go(page, keyboardOf(page), testApp);
      } catch (error) {
        // State left by a test must not affect the next one.
        await page.goto(`${testApp.webUrl}/methodology`);
        throw error;
      }
      const errors = consoleErrors.splice(0).filter((text) => !expectedError?.test(text));
      expect({ consoleErrors: errors, foreignRequests }).toEqual({
        consoleErrors: [],
        foreignRequests: [],
      });
    },
  );
});
