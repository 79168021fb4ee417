import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { keyboardOf } from './keyboard.ts';

keepOrder('what one test removes, the next one finds');

const browser = await launchBrowser();
/** A folder for pictures: `SHOTS=/tmp/shots`. */
const { SHOTS: shots } = process.env;
const schemes = ['light', 'dark'] as const;

describe.skipIf(!browser)('removed keywords', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp({ environment: { BILLING_ENABLED: 'true' } });
    await become('trial');
    if (shots) mkdirSync(shots, { recursive: true });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const become = (status: 'trial' | 'lapsed') =>
    testApp.change(
      `update workspaces set status = $1,
         trial_ends_at = now() + case when $1 = 'trial' then interval '9 days' else '0' end
       where id = $2`,
      [status, testApp.workspaceId],
    );
  const open = (options?: Parameters<DemoTestApp['open']>[2]) =>
    testApp.open(browser!, `/apps/${testApp.apps.ios}/keywords`, options);
  const more = (page: Page) => page.getByRole('button', { name: 'More options' });
  const bin = (page: Page) => page.getByRole('dialog', { name: 'Removed keywords' });
  const openBin = async (page: Page): Promise<Locator> => {
    await more(page).click();
    await page.getByRole('menuitem', { name: 'Removed keywords' }).click();
    await bin(page).waitFor();
    return bin(page);
  };
  const counted = (page: Page, count: number) =>
    page
      .locator('main')
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${count} keywords`) })
      .waitFor();
  /** The first rows of the table, by position. */
  const removeFirst = async (page: Page, count: number): Promise<string[]> => {
    const phrases: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const row = page.locator(`[data-index="${index}"]`);
      phrases.push((await row.locator('a[href^="/keywords/"]').textContent())!);
      await row.getByRole('checkbox').check();
    }
    const bar = page.getByRole('toolbar', { name: 'Selected keywords' });
    await bar.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText(/stays? in “Removed keywords” for 30 days/).waitFor();
    return phrases;
  };
  const picture = async (page: Page, name: string) => {
    if (shots) await page.screenshot({ path: `${shots}/${name}.png` });
  };

  test('are listed, and restored by the keyboard with their history', async () => {
    const { page, loaded, consoleErrors, close } = await open();
    const scripts: string[] = [];
    page.on('response', (response) => scripts.push(response.url()));
    await loaded();
    await counted(page, 36);
    const isBin = (url: string) => /removed-keywords/.test(url) && /\.(js|css)/.test(url);
    expect(scripts.filter(isBin)).toEqual([]);
    const empty = await openBin(page);
    await expect.poll(() => scripts.some(isBin)).toBe(true);
    await empty.getByRole('heading', { name: 'No removed keywords' }).waitFor();
    await empty.getByText('They stay here for 30 days.').waitFor();
    expect(await audit(page, 'all', empty)).toEqual([]);
    await picture(page, 'empty-light-1280');
    await page.keyboard.press('Escape');
    await empty.waitFor({ state: 'detached' });
    await expect.poll(() => more(page).evaluate((it) => it === document.activeElement)).toBe(true);

    const link = page.locator('[data-index="0"] a[href^="/keywords/"]');
    const path = (await link.getAttribute('href'))!;
    const keywordId = Number(path.split('/').at(-1));
    const ranksOf = async () =>
      (
        await testApp.pool.query(
          `select latest_on::text, latest_position, best_position, tags, note, favorite
           from keywords where id = $1 and archived_at is null`,
          [keywordId],
        )
      ).rows;
    const before = await ranksOf();
    expect(before).toMatchObject([{ latest_position: expect.any(Number) }]);
    const removed = await removeFirst(page, 3);
    await counted(page, 33);
    await expect.poll(ranksOf).toEqual([]);

    // The keyboard alone: menu, entry, checkbox, button.
    await more(page).focus();
    await page.keyboard.press('Enter');
    const entry = page.getByRole('menuitem', { name: 'Removed keywords' });
    await entry.waitFor();
    // Before the focus is in the menu, the key would scroll the page instead.
    await page.locator('[role="menuitem"]:focus').waitFor();
    await page.keyboard.press('End');
    await expect.poll(() => entry.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    const dialog = bin(page);
    await dialog.getByRole('row').nth(3).waitFor();
    const rows = await dialog.getByRole('row').allTextContents();
    expect(rows).toHaveLength(4);
    const listed = await dialog.locator('label bdi').allTextContents();
    expect(listed.toSorted()).toEqual(removed.toSorted());
    const { rows: removals } = await testApp.pool.query<{ ends: Date }>(
      `select archived_at + interval '30 days' as ends from keywords where id = $1`,
      [keywordId],
    );
    const inAMonth = removals[0]!.ends.toLocaleDateString('en-US', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
    });
    const [, first] = rows;
    expect(first).toMatch(/this minute|min\. ago/);
    expect(first!.endsWith(inAMonth)).toBe(true);
    const submit = dialog.getByRole('button', { name: /^Restore/ });
    expect(await submit.isDisabled()).toBe(true);
    const country = (
      await testApp.pool.query('select country from keywords where id = $1', [keywordId])
    ).rows[0].country as string;
    const named = new Intl.DisplayNames('en', { type: 'region' }).of(country.toUpperCase());
    const box = dialog.getByRole('checkbox', { name: `Select ${removed[0]}, ${named}` });
    await keyboardOf(page).tabTo(box);
    await page.keyboard.press('Space');
    await expect.poll(() => box.isChecked()).toBe(true);
    await expect.poll(() => submit.textContent()).toBe('Restore 1 keyword');
    for (const scheme of schemes) {
      await setColorScheme(page, scheme);
      expect(await audit(page, 'all', dialog)).toEqual([]);
      await picture(page, `bin-${scheme}-1280`);
    }
    await setColorScheme(page, 'light');
    await Promise.all([
      page.getByText('1 keyword restored', { exact: true }).waitFor(),
      page.keyboard.press('Enter'),
    ]);
    await dialog.waitFor({ state: 'detached' });
    await counted(page, 34);
    await expect.poll(() => more(page).evaluate((it) => it === document.activeElement)).toBe(true);
    await expect.poll(ranksOf).toEqual(before);
    await page.getByRole('link', { name: removed[0]!, exact: true }).first().waitFor();
    await goTo(page, path);
    await loaded();
    const { rows: months } = await testApp.pool.query(
      `select jsonb_array_length(tracking_periods) as periods from keywords where id = $1`,
      [keywordId],
    );
    expect(months[0].periods).toBeGreaterThan(0);
    await page.getByRole('slider', { name: 'Values of the chart' }).first().waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('are cards on a phone, and a refused restore says why and keeps the choice', async () => {
    const { page, loaded, close } = await open({ width: 375 });
    await loaded();
    const dialog = await openBin(page);
    await dialog.getByRole('checkbox', { name: /^Select all/ }).check();
    await dialog.getByRole('button', { name: 'Restore 2 keywords' }).waitFor();
    for (const scheme of schemes) {
      await setColorScheme(page, scheme);
      expect(await audit(page, 'all', dialog)).toEqual([]);
      await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
      await picture(page, `bin-${scheme}-375`);
    }
    await setColorScheme(page, 'light');
    const lines = await dialog
      .getByRole('row')
      .nth(1)
      .getByRole('cell')
      .evaluateAll((cells) => new Set(cells.map((cell) => cell.getBoundingClientRect().top)).size);
    expect(lines).toBeGreaterThan(2);

    const archive = (at: string) =>
      testApp.change(
        `update apps set archived_at = ${at}, purge_at = ${at} + interval '30 days' where id = $1`,
        [testApp.apps.ios],
      );
    await archive('now()');
    await dialog.getByRole('button', { name: 'Restore 2 keywords' }).click();
    await dialog.getByRole('alert').getByText('the app is archived').waitFor();
    await picture(page, 'refused-light-375');
    await archive('null::timestamptz');
    await dialog.getByRole('button', { name: 'Restore 2 keywords' }).click();
    await page.getByText('2 keywords restored', { exact: true }).waitFor();
    await counted(page, 36);
    await close();
  });

  test('are shown to a workspace that has lapsed, which cannot restore them', async () => {
    const { page, loaded, consoleErrors, close } = await open();
    await loaded();
    const [phrase] = await removeFirst(page, 1);
    await become('lapsed');
    await page.reload();
    await loaded();
    const dialog = await openBin(page);
    await dialog.getByText(phrase!, { exact: true }).waitFor();
    const restore = dialog.getByRole('button', { name: 'Restore', exact: true });
    await expect.poll(() => restore.isDisabled()).toBe(true);
    await expect
      .poll(() => dialog.getByRole('checkbox', { name: phrase! }).isDisabled())
      .toBe(true);
    expect(await restore.getAttribute('title')).not.toBe(null);
    await picture(page, 'lapsed-light-1280');
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
