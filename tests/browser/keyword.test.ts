import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import type { HistoryKeyword } from '../harness/history.ts';
import { draw } from '../harness/short-form.ts';
import { startTestApp, type TestApp } from './test-app.ts';

const browser = await launchBrowser();
const days = 30;
const chartOf = (page: Page) =>
  page.getByRole('img', { name: /^Position of|was not found on any day/ });

describe.skipIf(!browser)('the keyword page', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await startTestApp({ markets: 60, days: 60, gapShare: 0.15 });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const lastDays = () => testApp.history.days.slice(-days);
  const groundTruthsOf = (keyword: HistoryKeyword) =>
    lastDays().map((day) => testApp.history.groundTruthOf(keyword, day));

  /**
   * A keyword that was found, was not found within a depth, and was not checked, each on some day;
   * a gap is between two found days.
   */
  const pick = (): { keyword: HistoryKeyword; gapIndex: number } => {
    for (const keyword of testApp.history.keywords) {
      const truths = groundTruthsOf(keyword);
      const gapIndex = truths.findIndex(
        (truth, index) =>
          truth === null && truths[index - 1]?.position && truths[index + 1]?.position,
      );
      // The axis begins with the first check.
      if (gapIndex > 0 && truths[0] && truths.some((truth) => truth?.position === null))
        return { keyword, gapIndex };
    }
    throw new Error('the history has no such keyword');
  };

  test('draws an unchecked day as a gap with its reason, and no position as a band', async () => {
    const { keyword, gapIndex } = pick();
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      `/keywords/${keyword.id}`,
    );
    const chart = chartOf(page);
    await chart.locator('svg').waitFor();
    await loaded();
    const truths = groundTruthsOf(keyword);
    const texts = await chart.locator('svg text').allTextContents();
    for (const depth of new Set(
      truths.flatMap((truth) => (truth?.position === null ? [truth.depth] : [])),
    ))
      expect(texts).toContain(`>${depth}`);
    expect(texts).toContain('1');
    const line = await chart
      .locator('svg path[fill="none"]')
      .evaluateAll(
        (paths) =>
          paths
            .map((path) => path.getAttribute('d') ?? '')
            .toSorted((a, b) => b.length - a.length)[0]!,
      );
    const stretches = truths.filter(
      (truth, index) => truth?.position && !truths[index - 1]?.position,
    ).length;
    expect(line.match(/M/g)).toHaveLength(stretches);

    // The pointer is moved again: the chart may have been moved or redrawn under it.
    const point = async () => {
      const box = (await chart.boundingBox())!;
      const inner = { left: box.x + 44, width: box.width - 60 };
      await page.mouse.move(inner.left, box.y + box.height / 2);
      await page.mouse.move(
        inner.left + (inner.width * (gapIndex + 0.5)) / truths.length,
        box.y + box.height / 2,
      );
      return page.getByText('Not checked', { exact: true }).isVisible();
    };
    await expect.poll(point, { interval: 500 }).toBe(true);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('draws a better position higher', async () => {
    const { keyword } = pick();
    const { page, loaded, close } = await testApp.open(browser!, `/keywords/${keyword.id}`);
    const chart = chartOf(page);
    await chart.locator('svg').waitFor();
    await loaded();
    const heights = await chart.locator('svg text').evaluateAll((elements) =>
      elements
        .filter((element) => /^\d{1,3}$/.test(element.textContent))
        .map((element) => ({
          value: Number(element.textContent),
          y: element.getBoundingClientRect().y,
        })),
    );
    expect(heights.length).toBeGreaterThan(2);
    const byValue = heights.toSorted((a, b) => a.value - b.value).map(({ y }) => y);
    expect(byValue).toEqual(byValue.toSorted((a, b) => a - b));
    await close();
  });

  test('has a table of the same days, in every time zone', async () => {
    const { keyword } = pick();
    const read = async (timezoneId: string) => {
      const { page, loaded, close } = await testApp.open(browser!, `/keywords/${keyword.id}`, {
        timezoneId,
      });
      const chart = chartOf(page);
      await chart.locator('svg').waitFor();
      await loaded();
      const axis = (await chart.locator('svg text').allTextContents()).filter((text) =>
        /^[A-Z][a-z]{2} \d+$/.test(text),
      );
      await page.getByText('Table', { exact: true }).click();
      const tableRows = page
        .getByRole('region', { name: 'Table: Position history' })
        .locator('tbody tr');
      await tableRows.first().waitFor();
      const rows = await tableRows.evaluateAll((elements) =>
        elements.map(
          (element) =>
            `${element.children[0]!.textContent} ` +
            `${element.querySelector('[aria-hidden]')?.textContent}`,
        ),
      );
      await close();
      return { axis, rows };
    };
    const utc = await read('UTC');
    const format = new Intl.DateTimeFormat('en', {
      timeZone: 'UTC',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
    });
    const expected = lastDays()
      .toReversed()
      .map((day) => {
        const truth = testApp.history.groundTruthOf(keyword, day);
        return (
          `${format.format(Date.parse(`${day}T00:00:00Z`))} ` +
          `${truth === null ? '–' : (truth.position ?? `>${truth.depth}`)}`
        );
      });
    expect(utc.rows).toEqual(expected);
    expect(utc.axis.length).toBeGreaterThan(3);
    for (const zone of draw('zones of a table', 1, ['Pacific/Kiritimati', 'America/Los_Angeles']))
      expect(await read(zone)).toEqual(utc);
  });

  test('names the own app in the newest stored results', async () => {
    const keyword = testApp.history.keywords.find((candidate) => {
      const position = testApp.history.groundTruthOf(
        candidate,
        testApp.history.days.at(-1)!,
      )?.position;
      return position != null && position <= 50;
    })!;
    const position = testApp.history.groundTruthOf(
      keyword,
      testApp.history.days.at(-1)!,
    )!.position!;
    const { page, close } = await testApp.open(browser!, `/keywords/${keyword.id}`);
    const own = page
      .getByRole('list', { name: 'Search results' })
      .locator('li')
      .filter({ hasText: 'Your app' });
    await own.waitFor();
    expect((await own.textContent())!.startsWith(String(position))).toBe(true);
    await close();
  });

  /** A keyword's page whose first change is held back until it is released. */
  const openHeld = async (keyword: HistoryKeyword) => {
    const path = `/keywords/${keyword.id}`;
    const { page, loaded, close } = await testApp.open(browser!, path);
    await loaded();
    const gate = Promise.withResolvers<void>();
    const isSent = Promise.withResolvers<void>();
    let changes = 0;
    await page.route(/\/keywords\/\d+$/, async (route) => {
      if (route.request().method() === 'PATCH' && (changes += 1) === 1) {
        isSent.resolve();
        await gate.promise;
      }
      return route.fallback();
    });
    const send = (method: string, body?: object) =>
      page.evaluate(
        async ([at, as, text]) => {
          const headers = text ? { 'content-type': 'application/json' } : {};
          const reply = await fetch(at!, { method: as!, headers, ...(text && { body: text }) });
          return (await reply.json()) as { tags: string[]; favorite: boolean };
        },
        [`/api/backend${path}`, method, body && JSON.stringify(body)],
      );
    const favorite = page.getByRole('button', { name: 'Favourite' });
    const tags = page.getByRole('combobox', { name: 'Tags' });
    const addTag = async (tag: string) => {
      await tags.fill(tag);
      await tags.press('Enter');
    };
    return { page, send, favorite, addTag, isSent: isSent.promise, release: gate.resolve, close };
  };

  test('keeps every one of several quick changes', async () => {
    const held = await openHeld(testApp.history.keywords[1]!);
    await held.addTag('first');
    await held.isSent;
    await held.addTag('second');
    await held.favorite.click();
    await expect.poll(() => held.favorite.getAttribute('aria-pressed')).toBe('true');
    held.release();
    await expect
      .poll(() => held.send('GET'))
      .toMatchObject({ tags: ['first', 'second'], favorite: true });
    expect(await held.page.getByRole('dialog').count()).toBe(0);
    await held.close();
  });

  test('a change that waits for another replaces nothing that was not seen', async () => {
    const held = await openHeld(testApp.history.keywords[2]!);
    await held.favorite.click();
    await held.isSent;
    await held.addTag('mine');
    await held.page.getByText('mine').first().waitFor();
    expect(await held.send('PATCH', { tags: ['theirs'] })).toMatchObject({ tags: ['theirs'] });
    held.release();
    await held.page.getByRole('dialog', { name: 'Somebody else changed this too' }).waitFor();
    expect(await held.send('GET')).toMatchObject({ tags: ['theirs'], favorite: true });
    await held.close();
  });

  test('compares the search providers after it said what that costs', async () => {
    const { id } = testApp.history.keywords[0]!;
    const { page, consoleErrors, close } = await testApp.open(browser!, `/keywords/${id}`, {
      width: 375,
    });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/keywords\/\d+\/providers/.test(request.url()))
        asked.push(new URL(request.url()).search);
    });
    const start = page.getByRole('button', { name: 'Start the comparison' });
    await page.getByRole('button', { name: 'Compare now' }).click();
    await start.waitFor();
    await expect
      .poll(() => page.getByText(/takes at most \d+ store requests?, and nothing/).count())
      .toBe(1);
    expect(asked).toEqual(['?estimate=true']);
    await start.click();
    const orders = page.getByRole('region', { name: 'Table: Orders side by side' });
    await orders.waitFor({ timeout: 60_000 });
    expect(asked).toEqual(['?estimate=true', '']);
    const heads = await orders.locator('th').allTextContents();
    expect(heads).toEqual(['App', 'App Store search', 'iTunes API', 'Difference']);
    await expect.poll(() => orders.locator('tbody tr').count()).toBeGreaterThan(10);
    // The button has the focus again, so that a keyboard goes on from here.
    const again = page.getByRole('button', { name: 'Compare again' });
    await expect
      .poll(() => again.evaluate((button) => button === document.activeElement))
      .toBe(true);
    const widthPx = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widthPx).toBeLessThanOrEqual(375);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
