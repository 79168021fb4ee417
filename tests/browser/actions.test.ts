import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

describe.skipIf(!browser)('the actions', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const findId = async () => {
    const { rows } = await testApp.pool.query(
      "select id from actions where status = 'open' and cardinality(keyword_ids) > 0 limit 1",
    );
    return Number(rows[0].id);
  };

  test('say that a keyword is gone only if it is, and read failed ones again', async () => {
    const { page, close } = await testApp.open(browser!, '/methodology');
    let refusal: [statusCode: number, code: string] = [400, 'invalid_request'];
    await page.route(/\/api\/backend\/keywords\/\d+\?/, (route) =>
      refusal[0] === 200
        ? route.fallback()
        : route.fulfill({
            status: refusal[0],
            json: { statusCode: refusal[0], code: refusal[1], message: 'Refused.', path: '/' },
          }),
    );
    await goTo(page, `/actions?action=${await findId()}`);
    const keywords = page.getByRole('region', { name: 'Affected keywords' });
    await keywords.getByRole('alert').waitFor();
    expect(await keywords.getByText('No longer tracked').count()).toBe(0);

    refusal = [404, 'not_found'];
    await page.reload();
    await keywords.getByText('No longer tracked').first().waitFor();
    expect(await keywords.getByRole('alert').count()).toBe(0);

    refusal = [409, 'conflict'];
    await page.reload();
    const retry = keywords.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    refusal = [200, ''];
    await retry.click();
    await keywords.getByRole('link').first().waitFor();
    expect(await keywords.getByRole('alert').count()).toBe(0);
    await close();
  });

  test('move the focus to the next one when one is done, and back when it is undone', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/actions');
    await loaded();
    const title = page.locator('article h2');
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('h2')?.textContent ?? null);
    const first = await title.textContent();
    await page.getByRole('button', { name: 'Mark as done' }).press('Enter');
    await expect.poll(() => title.textContent()).not.toBe(first);
    await expect.poll(focused).toBe(await title.textContent());
    await page.locator('[data-toast]').getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => title.textContent()).toBe(first);
    await expect.poll(focused).toBe(first);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('have the focus on a phone when they open, and so has the list afterwards', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/actions', { width: 375 });
    await loaded();
    const row = page.locator('[data-action]').first();
    await row.press('Enter');
    await page.locator('article h2:focus').waitFor();
    await page.getByRole('button', { name: 'All actions' }).press('Enter');
    await row.and(page.locator(':focus')).waitFor();
    await close();
  });

  test('are moved by the keys that follow before the one before is rendered', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    const moved: number[] = [];
    const gate = Promise.withResolvers<void>();
    await page.route('**/actions/bulk', async (route) => {
      moved.push(...(route.request().postDataJSON() as { ids: number[] }).ids);
      await gate.promise;
      await route.fulfill({ json: { updated: 1 } });
    });
    await goTo(page, '/actions');
    await loaded();
    const ids = await page
      .locator('[data-action]')
      .evaluateAll((links) => links.map((link) => Number((link as HTMLElement).dataset.action)));
    expect(ids.length).toBeGreaterThan(6);
    /** All in one task of the page, which renders nothing between them. */
    const press = (keys: string) =>
      page.evaluate((all) => {
        for (const key of all)
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      }, keys);
    const isShown = (id: number | undefined) =>
      page.locator(`li[data-chosen] [data-action="${id}"]`).waitFor();
    await press('je');
    await isShown(ids[2]);
    await press('jj');
    await isShown(ids[4]);
    await press('ee');
    await isShown(ids[6]);
    await expect.poll(() => moved).toEqual([1, 4, 5].map((index) => ids[index]));
    gate.resolve();
    await page.unrouteAll({ behavior: 'wait' });
    // Other tests remove keywords that actions are about.
    expect(consoleErrors.filter((text) => !/404.*\/keywords\/\d/.test(text))).toEqual([]);
    await close();
  });

  test('are all printed, also across a wide page', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/actions');
    await loaded();
    const last = page.locator('[data-action]').last();
    const hidden = () =>
      last.evaluate((link) => {
        const { bottom } = link.getBoundingClientRect();
        const list = link.closest('ul')!.parentElement!.parentElement!;
        return Math.round(bottom - list.getBoundingClientRect().bottom);
      });
    expect(await hidden()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    expect(await hidden()).toBeLessThanOrEqual(0);
    // The details are below the list.
    const { bottom } = await boxOf(page, '[data-action] >> nth=-1');
    expect((await boxOf(page, 'article')).top).toBeGreaterThan(bottom);
    await close();
  });

  test.each([320, 375])('in German, the words of the filter have gaps at %i px', async (width) => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology', { width });
    await page.evaluate(() => localStorage.setItem('toprung.language', JSON.stringify('de')));
    await page.goto(`${testApp.webUrl}/actions`);
    await loaded();
    const words = await page
      .getByRole('radiogroup')
      .first()
      .locator('label')
      .evaluateAll((labels) =>
        labels.map((label) => {
          const range = document.createRange();
          range.selectNodeContents(label);
          const { left, right } = range.getBoundingClientRect();
          return { left, right };
        }),
      );
    expect(words).toHaveLength(4);
    const gaps = words.slice(1).map(({ left }, index) => left - words[index]!.right);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10);
    expect(words[3]!.right).toBeLessThan(width - 16);
    await close();
  });
});

const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });
