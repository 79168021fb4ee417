import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { audit } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

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
    await page.locator(`${icons}[data-loaded]`).first().waitFor();
    expect(new Set(await widthsOf(page, icons))).toEqual(new Set([128]));
    const screenshot = page.getByRole('img', { name: 'Screenshot 1' }).first();
    await screenshot.scrollIntoViewIfNeeded();
    await page.locator('main ol img[data-loaded]').first().waitFor();
    expect(await screenshot.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(
      369,
    );
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('of results are fetched once somebody looks at them, and nothing moves', async () => {
    const path = `/keywords/${testApp.keywordId}/serp`;
    const { page, close, consoleErrors, foreignRequests } = await testApp.open(browser!, path);
    const rows = page.locator('main [class*=_icon_]');
    await rows.first().waitFor();
    const heightOf = () => page.evaluate<number>('document.documentElement.scrollHeight');
    const height = await heightOf();
    await page.locator(`${icons}[data-loaded]`).nth(5).waitFor({ timeout: 60_000 });
    expect(await heightOf()).toBe(height);
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    await close();
  });

  test('of countries are flags beside the code', async () => {
    const path = `/apps/${testApp.apps.ios}/keywords`;
    const { page, close, foreignRequests } = await testApp.open(browser!, path);
    const flags = 'main img[src*="/flag-"]';
    await page.locator(flags).first().waitFor();
    await page.waitForFunction(
      `[...document.querySelectorAll('${flags}')].every((flag) => flag.naturalWidth > 0)`,
    );
    await expect.poll(() => page.getByText('US', { exact: true }).first().isVisible()).toBe(true);
    expect(foreignRequests).toEqual([]);
    await close();
  });

  test('do not replace words: a keyword says which text has its words', async () => {
    const path = `/apps/${testApp.apps.ios}/keywords`;
    const { page, close } = await testApp.open(browser!, path);
    const link = page.getByRole('link', { name: 'mood journal', exact: true }).first();
    await link.waitFor();
    const marked = link.locator('[data-field]');
    expect(await marked.evaluateAll((words) => words.map((word) => word.textContent))).toEqual([
      'mood',
      'journal',
    ]);
    await expect.poll(() => marked.first().getAttribute('title')).toBe('Title');
    const lines = await page
      .locator('main p [data-field]')
      .evaluateAll((words) => words.map((word) => getComputedStyle(word).textDecorationStyle));
    expect(new Set(lines).size).toBe(3);
    await close();
  });
});
