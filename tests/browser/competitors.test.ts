import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResponseOf } from '#web/api.ts';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

/** A folder for pictures: `SHOTS=/tmp/shots vitest run tests/browser/competitors.test.ts`. */
const shots = process.env.SHOTS;
const takeShot = async (page: Page, name: string) =>
  shots && (await page.screenshot({ path: `${shots}/competitors-${name}.png` }));

/** What a part of a bar looks like. */
const looksOf = (page: Page, scope: string) =>
  page.locator(`${scope} [data-part]`).evaluateAll((parts) =>
    parts.map((part) => {
      const { backgroundColor, backgroundImage } = getComputedStyle(part);
      return { part: part.getAttribute('data-part')!, look: backgroundColor + backgroundImage };
    }),
  );

describe.skipIf(!browser)('competitors', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const open = (path: string, width: number) =>
    testApp.open(browser!, `/apps/${testApp.apps.ios}${path}`, { width, height: 812 });

  test.each([
    ['light', 1_280],
    ['dark', 375],
  ] as const)('explain the parts of their bars, in the %s at %i px', async (scheme, width) => {
    const { page, loaded, consoleErrors, close } = await open('/competitors', width);
    await setColorScheme(page, scheme);
    const legend = page.getByRole('list', { name: 'Parts of the bar' });
    await expect
      .poll(() => legend.getByRole('listitem').allTextContents())
      .toEqual(['You rank higher', 'They rank higher', 'Only you rank', 'Only they rank']);
    const named = new Map(
      (await looksOf(page, '[aria-label="Parts of the bar"]')).map(({ part, look }) => [
        part,
        look,
      ]),
    );
    expect(new Set(named.values()).size).toBe(4);
    for (const part of ['losses', 'onlyCompetitor'])
      expect(named.get(part)).toContain('repeating-linear-gradient');
    await loaded();
    const drawn = await looksOf(page, '[role="table"], main table');
    expect(drawn.length).toBeGreaterThan(3);
    for (const { part, look } of drawn) expect([part, look]).toEqual([part, named.get(part)]);
    await takeShot(page, `overlap-${scheme}`);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await audit(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('mark a category, price or age rating that differs from the own one alone', async () => {
    const setCategory = (to: string, competitors: string) =>
      testApp.pool.query(
        `update snapshots set fields = jsonb_set(fields, '{category}', ${to})
         where listing_id in (${competitors})`,
        [testApp.apps.ios],
      );
    const competitors = `select listing_id from competitors
      where app_id = $1 and archived_at is null`;
    // Which apps are competitors depends on the day of the demo.
    const own = `(select own.fields -> 'category' from snapshots own
      join apps on apps.listing_id = own.listing_id where apps.id = $1
      order by own.id desc limit 1)`;
    await setCategory(own, competitors);
    await setCategory(`'"Board games"'`, `${competitors} order by id limit 1`);
    const { page, consoleErrors, close } = await open('/competitors?tab=compare', 1_280);
    await page.getByRole('row', { name: /^Category/ }).waitFor();
    const { items } = await page.evaluate(
      async (at) => (await fetch(at)).json() as Promise<ResponseOf<'GET /apps/{id}/compare'>>,
      `/api/backend/apps/${testApp.apps.ios}/compare`,
    );
    const [ours, ...others] = items.map(({ snapshot }) => snapshot);
    const differing = (field: 'category' | 'contentRating') =>
      others.filter((other) => other && other[field] !== ours![field]).length;
    expect(differing('category')).toBeGreaterThan(0);
    expect(differing('category')).toBeLessThan(others.length);
    const marked = await page
      .locator('main tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('th')!.textContent,
          [...row.querySelectorAll('td')].filter((cell) => cell.textContent?.includes('≠')).length,
        ]),
      );
    const counts = Object.fromEntries(marked) as Record<string, number>;
    const { Category, 'Age rating': age, Price: price, ...rest } = counts;
    expect([Category, age]).toEqual([differing('category'), differing('contentRating')]);
    expect(price).toBeLessThanOrEqual(others.length);
    expect(Object.keys(rest)).toContain('Title');
    expect(new Set(Object.values(rest))).toEqual(new Set([0]));
    await page.getByText('differs from yours: ').first().waitFor({ state: 'attached' });
    await takeShot(page, 'compare');
    expect(await audit(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('are no file while positions of one are loading, or could not be loaded', async () => {
    const { page, consoleErrors, close } = await open('/competitors', 1_280);
    const gate = Promise.withResolvers<void>();
    let held = 0;
    let fails = true;
    await page.route(/\/competitors\/\d+\/rankings\?/, async (route) => {
      held += 1;
      if (held > 1) return route.continue();
      await gate.promise;
      return fails ? route.fulfill({ status: 400, json: {} }) : route.continue();
    });
    const csv = page.getByRole('button', { name: 'Download CSV: Positions' });
    const waits = async () => (await csv.getAttribute('aria-disabled')) === 'true';
    await goTo(page, `/apps/${testApp.apps.ios}/competitors?tab=matrix`);
    await csv.waitFor();
    await expect.poll(() => held).toBeGreaterThan(1);
    expect(await waits()).toBe(true);
    await csv.hover();
    await page.getByRole('tooltip', { name: 'Loading' }).waitFor();
    gate.resolve();
    const notice = page.getByRole('alert').filter({ hasText: 'could not be loaded' });
    await notice.waitFor();
    expect(await waits()).toBe(true);
    await page.mouse.move(0, 0);
    await csv.hover();
    const failure = page.getByRole('tooltip', {
      name: /^The positions of .+ could not be loaded$/,
    });
    await failure.waitFor();
    fails = false;
    await notice.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(waits).toBe(false);
    expect(consoleErrors.filter((text) => !text.includes('/rankings?'))).toEqual([]);
    await close();
  });

  test('have the days of the time zone of the workspace', async () => {
    const setZone = (timezoneForDisplay: string) =>
      testApp.change(
        `insert into settings (workspace_id, settings) values ($1, $2)
         on conflict (workspace_id) do update
           set settings = settings.settings || excluded.settings`,
        [testApp.workspaceId, JSON.stringify({ timezoneForDisplay })],
      );
    await testApp.pool.query("update competitors set created_at = '2026-03-04T23:30:00Z'");
    await testApp.pool.query(
      `update snapshots set fields = fields || '{"updatedAt": "2026-02-07T15:00:00.000Z"}'
       where listing_id in (select listing_id from competitors)`,
    );
    await setZone('Asia/Tokyo');
    const { page, consoleErrors, close } = await open('/competitors', 1_280);
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.first().getByText('Mar 5, 2026').waitFor();
    await rows
      .first()
      .getByText(/Feb 8, 2026/)
      .waitFor();
    await goTo(page, `/apps/${testApp.apps.ios}/competitors?tab=compare`);
    await page
      .getByRole('row', { name: /^Updated/ })
      .getByText('Feb 8, 2026')
      .first()
      .waitFor();
    await setZone('UTC');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('a phrase that is too long names the exceeded limit when keywords are added', async () => {
    const { page, consoleErrors, close } = await open('/keywords?add=1', 1_280);
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    const phrases = dialog.getByLabel('Phrases');
    const long = 'a'.repeat(101);
    for (const [text, message] of [
      ['one two three four five six', /^“one two three four five six” has 6 words; at most 5 are/],
      [long, new RegExp(`^“${'a'.repeat(60)}” has 101 characters; at most 100 are`)],
      [
        `fits\n${long}\n1 2 3 4 5 6 7`,
        /^2 phrases are too long, .* with 101 characters; at most 100/,
      ],
    ] as const) {
      await phrases.fill(text);
      await dialog.getByText(message).waitFor();
    }
    await phrases.fill('one two three four five');
    await dialog.getByText(/at most/).waitFor({ state: 'detached' });
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
