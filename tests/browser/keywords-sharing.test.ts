import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { audit } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

keepOrder('the last test starts a worker, which changes what the others compare');

const browser = await launchBrowser();

describe.skipIf(!browser)('views of the keywords page', () => {
  let testApp: DemoTestApp;
  const keywords = (search = '') => `/apps/${testApp.apps.ios}/keywords${search}`;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const phrasesOf = async (page: Page): Promise<string[]> => {
    await page.locator('[data-index="0"]').waitFor();
    return page.locator('[data-index] a[href^="/keywords/"]').allTextContents();
  };

  test('are opened by a copied link with the same filters, order and columns', async () => {
    const { page, context, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      keywords('?country=us'),
    );
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await loaded();
    const before = await phrasesOf(page);
    await page.getByRole('combobox', { name: 'Position', exact: true }).click();
    await page.getByRole('option', { name: 'Top 10', exact: true }).click();
    await page.getByRole('columnheader', { name: 'Traffic' }).getByRole('button').click();
    await page.waitForURL(/sort=-?traffic/);
    await loaded();
    const shown = await phrasesOf(page);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown).not.toEqual(before);
    const counted = await page.locator('main').getByRole('status').first().textContent();
    await choose(page, 'Copy link to this view');
    await page.getByText('Link copied', { exact: true }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toBe(page.url());
    const other = await testApp.open(browser!, link.slice(testApp.webUrl.length));
    await other.loaded();
    await expect.poll(() => phrasesOf(other.page)).toEqual(shown);
    await expect
      .poll(() => other.page.locator('main').getByRole('status').first().textContent())
      .toBe(counted);
    await context.clearPermissions();
    expect([consoleErrors, other.consoleErrors]).toEqual([[], []]);
    await Promise.all([close(), other.close()]);
  });

  test('are pinned to the top of the menu for everyone, and unpinned', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      keywords('?state=not_found'),
    );
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'Save view' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('link', { name, exact: true }).waitFor();
    };
    const views = page.getByRole('list', { name: 'Saved views of this app' });
    const names = () => views.getByRole('link').allTextContents();
    const pins = () => views.locator('.lucide-pin').count();
    await save('Not found');
    await page.getByRole('combobox', { name: 'Position', exact: true }).click();
    await page.getByRole('option', { name: 'Top 10', exact: true }).click();
    await page.waitForURL(/state=top10/);
    await save('Top ten');
    await expect.poll(names).toEqual(['Not found', 'Top ten']);
    expect(await pins()).toBe(0);
    const pin = async (item: string) => {
      await page.getByRole('button', { name: 'Options for Top ten' }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };
    await pin('Pin to the top');
    await expect.poll(names).toEqual(['Top ten', 'Not found']);
    const pinned = views.getByRole('listitem').filter({ hasText: 'Top ten' });
    await expect.poll(() => pinned.locator('.lucide-pin').count()).toBe(1);
    expect(await pins()).toBe(1);
    await page.reload();
    await views.waitFor();
    await expect.poll(names).toEqual(['Top ten', 'Not found']);
    expect(await pins()).toBe(1);
    await pin('Unpin');
    await expect.poll(names).toEqual(['Not found', 'Top ten']);
    await expect.poll(pins).toBe(0);
    const long = 'Keywords that fell out of the top ten in Germany this month';
    await save(long);
    const { right, isShort } = await views.getByText(long).evaluate((name) => ({
      right: name.getBoundingClientRect().right - name.closest('ul')!.getBoundingClientRect().right,
      isShort: name.scrollWidth > name.clientWidth,
    }));
    expect({ isWithin: right <= 0, isShort }).toEqual({ isWithin: true, isShort: true });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('keep the name of a page with a long title until it is saved', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, keywords());
    await loaded();
    await page.evaluate(() => {
      document.title = `${'k'.repeat(59)}👟👟 · Toprung`;
    });
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Name');
    await expect.poll(() => field.inputValue()).toBe(`${'k'.repeat(59)}👟`);
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await page.route('**/api/backend/views', (route) => route.abort());
    await save.click();
    await dialog.getByRole('alert').waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await field.inputValue()).toBe(`${'k'.repeat(59)}👟`);
    await page.unrouteAll();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: `${'k'.repeat(59)}👟` }).waitFor();
    expect(consoleErrors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    await close();
  });

  test('show new positions once all keywords were checked on request', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, keywords());
    await page.locator('[data-index="0"]').waitFor();
    const countChecked = async () => {
      const { rows } = await testApp.pool.query(
        `select from keywords
         where app_id = $1 and archived_at is null and latest_on = current_date`,
        [testApp.apps.ios],
      );
      return rows.length;
    };
    expect(await countChecked()).toBe(0);
    const accepted = page.waitForResponse((response) => response.url().endsWith('/run-daily'));
    await choose(page, 'Check all keywords now');
    const response = await accepted;
    expect(response.status()).toBe(202);
    const { job } = await response.json();
    const toast = page.getByRole('region', { name: 'Notifications' });
    await toast.getByText('Check all keywords now', { exact: true }).waitFor();
    await toast.getByText(/^Queued$|^0 of \d+ completed/).waitFor();
    testApp.startWorker();
    // The worker is a process that has to start.
    await toast.getByText(/^Completed: (\d+) of \1$/).waitFor({ timeout: 180_000 });
    const ended = await page.evaluate(
      async (id) => (await fetch(`/api/backend/jobs/${id}`)).json(),
      job.id,
    );
    expect([ended.kind, ended.state]).toEqual(['run-daily', 'succeeded']);
    // The listing and its reviews are read, too.
    expect(ended.progress.done).toBeGreaterThanOrEqual(36);
    expect(await countChecked()).toBe(36);
    // The table has the new positions without a reload.
    const today = await testApp.pool.query(
      `select phrase, latest_position from keywords
       where app_id = $1 and archived_at is null and latest_position is not null
       order by latest_position, id limit 1`,
      [testApp.apps.ios],
    );
    const best = page.locator('[data-index="0"] [data-column="position"] [aria-hidden]');
    await expect.poll(() => best.textContent()).toBe(String(today.rows[0].latest_position));
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
