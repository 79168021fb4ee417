import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, placeholder } from '../harness/browser.ts';
import { audit } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;

/** The width of each picture as it was sent, in the order of the page. */
const widthsOf = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate<number[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})]
      .map((image) => image.naturalWidth)`,
  );
const icons = 'main [class*=_icon_] img';

describe.runIf(browser !== null)('pictures', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp({ worker: true });
  });
  afterAll(async () => {
    await testApp.stop();
    await browser!.close();
  });

  test('of competitors and their listings come from our own origin', async () => {
    const path = `/apps/${testApp.apps.ios}/competitors?tab=compare`;
    const { page, close, consoleErrors, foreignRequests, loaded } = await testApp.open(
      browser!,
      path,
    );
    await loaded();
    // The worker, which fetches them, is a process that may still be starting.
    const timeout = 120_000;
    await page.locator(`${icons}[data-loaded]`).first().waitFor({ timeout });
    await expect
      .poll(async () => new Set(await widthsOf(page, icons)), { timeout })
      .toEqual(new Set([128]));
    const screenshot = page.getByRole('img', { name: 'Screenshot 1' }).first();
    await screenshot.scrollIntoViewIfNeeded();
    await page.locator('main ol img[data-loaded]').first().waitFor({ timeout });
    await expect
      .poll(() => screenshot.evaluate((image) => (image as HTMLImageElement).naturalWidth), {
        timeout,
      })
      .toBe(369);
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('of results are fetched once somebody looks at them, and nothing moves', async () => {
    const path = `/keywords/${testApp.keywordId}/serp`;
    const { page, close, consoleErrors, foreignRequests } = await testApp.open(browser!, path);
    const rows = page.locator('main [class*=_icon_]');
    await rows.first().waitFor();
    // The keyword, its results and their changes arrive one by one.
    await expect.poll(() => page.locator('#main').locator(placeholder).count()).toBe(0);
    const keyword = await testApp.pool.query<{ phrase: string }>(
      'select phrase from keywords where id = $1',
      [testApp.keywordId],
    );
    await page.getByRole('heading', { level: 1, name: keyword.rows[0]!.phrase }).waitFor();
    const heightOf = () => page.evaluate<number>('document.documentElement.scrollHeight');
    const height = await heightOf();
    await page.locator(`${icons}[data-loaded]`).nth(5).waitFor({ timeout: 120_000 });
    expect(await heightOf()).toBe(height);
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    await close();
  });

  test('before and after a change of the listing are side by side', async () => {
    // So many days later the store has other screenshots, and the same title.
    const dayMs = 86_400_000;
    testApp.simulator.setNow(new Date(Date.now() + 720 * dayMs));
    const { page, close, consoleErrors, foreignRequests } = await testApp.open(
      browser!,
      '/methodology',
    );
    const status = await page.evaluate(
      async (at) => (await fetch(at, { method: 'POST' })).status,
      `/api/backend/apps/${testApp.apps.ios}/refresh`,
    );
    expect(status).toBe(200);
    testApp.simulator.setNow(new Date());
    const findChange = async (): Promise<{ before: string[]; after: string[] } | undefined> => {
      const { rows } = await testApp.pool.query(
        `select c.before, c.after from changes c join apps a using (listing_id)
         where a.id = $1 and c.field = 'screenshotUrls' and c.country = 'us'
           and c.detected_at > now() - interval '10 minutes'
         order by c.detected_at desc, c.id desc limit 1`,
        [testApp.apps.ios],
      );
      return rows[0];
    };
    const { before, after } = (await findChange())!;
    await goTo(page, `/apps/${testApp.apps.ios}/timeline?scope=own&kinds=change&country=us`);
    const item = page.locator('main li[data-kind=change]').filter({ hasText: 'Screenshots' });
    await item
      .first()
      .getByRole('button', { name: /^Changes: / })
      .click();
    const part = page.getByRole('region', { name: 'Screenshots', exact: true });
    const sides = [
      { list: part.getByRole('list', { name: 'Screenshots before' }), urls: before, other: after },
      { list: part.getByRole('list', { name: 'Screenshots after' }), urls: after, other: before },
    ];
    for (const [index, { list, urls, other }] of sides.entries()) {
      const pictures = list.getByRole('listitem');
      await expect.poll(() => pictures.count()).toBe(urls.length);
      const shown = await list
        .locator('img')
        .evaluateAll((all) =>
          all.map((image) => new URL((image as HTMLImageElement).src).searchParams.get('url')),
        );
      expect(shown).toEqual(urls);
      const word = index === 0 ? 'Removed' : 'Added';
      await expect
        .poll(() => list.getByText(word, { exact: true }).count())
        .toBe(urls.filter((url) => !other.includes(url)).length);
      await list.scrollIntoViewIfNeeded();
      await list.locator('img[data-loaded]').first().waitFor({ timeout: 120_000 });
      expect(new Set((await widthsOf(page, 'main ol img[data-loaded]')).slice(0, 1))).toEqual(
        new Set([369]),
      );
    }
    const [first, second] = await part
      .getByRole('list', { name: /^Screenshots (before|after)$/ })
      .evaluateAll((lists) => lists.map((list) => list.getBoundingClientRect().toJSON()));
    expect(first.right).toBeLessThanOrEqual(second.left);
    expect(Math.abs(first.y - second.y)).toBeLessThanOrEqual(1);
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('of countries are flags beside the code', async () => {
    const path = `/apps/${testApp.apps.ios}/keywords`;
    const { page, close, foreignRequests } = await testApp.open(browser!, path);
    const untilDrawn = async (flags: string) => {
      const found = page.locator(flags);
      await found.first().waitFor();
      const isDrawn = (all: Element[]) =>
        all.every((flag) => (flag as HTMLImageElement).naturalWidth > 0);
      await expect.poll(() => found.evaluateAll(isDrawn)).toBe(true);
    };
    await untilDrawn('main img[src^="data:image/svg"]');
    await expect.poll(() => page.getByText('US', { exact: true }).first().isVisible()).toBe(true);
    // Less frequent ones are files.
    const status = await page.evaluate(async (appId) => {
      const { status } = await fetch(`/api/backend/apps/${appId}/country-scores`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ phrases: ['habit tracker'], countries: ['no'] }),
      });
      return status;
    }, testApp.apps.ios);
    expect(status).toBe(202);
    await page.goto(`${testApp.webUrl}/apps/${testApp.apps.ios}/country-scores`);
    await untilDrawn('main img[src*="/flag-no-"]');
    expect(foreignRequests).toEqual([]);
    await close();
  });

  test('do not replace words: a keyword says which text has its words', async () => {
    const path = `/apps/${testApp.apps.ios}/keywords`;
    const { page, close } = await testApp.open(browser!, path);
    const link = page.getByRole('link', { name: 'mood journal', exact: true }).first();
    await link.waitFor();
    const marked = link.locator('[data-field]');
    await expect.poll(() => marked.allTextContents()).toEqual(['mood', 'journal']);
    // On some dates the title of the demo has only the second one.
    await expect.poll(() => marked.last().getAttribute('title')).toBe('Title');
    const countLines = () =>
      page.locator('main p [data-field]').evaluateAll((words) => {
        const lines = words.map((word) => getComputedStyle(word).textDecorationStyle);
        return new Set(lines).size;
      });
    await expect.poll(countLines).toBe(3);
    await close();
  });
});
