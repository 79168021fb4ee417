import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '#lib/dates.ts';
import { launchBrowser, type WatchedPage } from '../harness/browser.ts';
import { draw, isLong } from '../harness/short-form.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

/** Fourteen hours ahead of UTC, and eight or seven behind. */
const farZones = ['Pacific/Kiritimati', 'America/Los_Angeles'];

function hasAnotherDay(timeZone: string): boolean {
  const now = new Date();
  return new Intl.DateTimeFormat('sv', { timeZone }).format(now) !== utcDayOf(now);
}

/**
 * UTC first. The long form has both others, and every page; the short one has that which has
 * another day now, and a third of the pages.
 */
const zones = ['UTC', ...(isLong ? farZones : [farZones.find(hasAnotherDay) ?? farZones[0]!])];

const ios = (rest: string) => (testApp: DemoTestApp) => `/apps/${testApp.apps.ios}${rest}`;
const pages: Record<string, (testApp: DemoTestApp) => string> = {
  overview: ios(''),
  distribution: ios('/distribution'),
  timeline: ios('/timeline'),
  competitors: ios('/competitors'),
  reviews: ios('/reviews'),
  ratings: ios('/reviews?tab=ratings'),
  charts: ios('/charts'),
  'keyword field': ios('/keyword-field'),
  keyword: ({ keywordId }) => `/keywords/${keywordId}`,
  serp: ({ keywordId }) => `/keywords/${keywordId}/serp`,
  alerts: () => '/alerts',
  'alert rules': () => '/alerts?tab=rules',
  digest: () => '/digest',
  capacity: () => '/capacity',
  runs: () => '/runs',
  members: () => '/members',
  usage: () => '/settings?tab=usage',
  'audit log': () => '/settings?tab=audit',
};

/** Every day and hour that the page shows: in words, fields and tooltips. */
async function readDays(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => [
    document.body.innerText,
    ...[...document.querySelectorAll<HTMLInputElement>('input')].map((input) => input.value),
    ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((element) => [
      element.getAttribute('title') ?? '',
      element.getAttribute('aria-label') ?? '',
    ]),
  ]);
  return texts.flatMap(
    (text) =>
      text.match(/\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2} \d{1,2}\b(, \d{4})?|\d{2}:\d{2}( [A-Z]+)?/g) ??
      [],
  );
}

describe.skipIf(!browser)('days are the same in every time zone:', () => {
  let testApp: DemoTestApp;
  let readers: WatchedPage[];
  beforeAll(async () => {
    testApp = await startDemoTestApp();
    readers = await Promise.all(
      zones.map((timezoneId) => testApp.open(browser!, '/methodology', { timezoneId })),
    );
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('a page without a zone uses that of the run', async () => {
    const { page, close } = await testApp.open(browser!, '/methodology');
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(zone).toBe(process.env.BROWSER_TIME_ZONE ?? 'UTC');
    await close();
  });

  test.each(draw('pages with days', 6, Object.entries(pages)))('%s', async (_name, path) => {
    await Promise.all(
      readers.map(async ({ page, loaded }) => {
        await goTo(page, path(testApp));
        await loaded();
      }),
    );
    const [here, ...elsewhere] = readers.map(({ page }) => page);
    for (const page of elsewhere)
      await expect
        .poll(async () => {
          const [own, theirs] = [await readDays(page), await readDays(here!)];
          return own.join() === theirs.join() ? 'equal' : { own, theirs };
        })
        .toBe('equal');
    expect((await readDays(here!)).length).toBeGreaterThan(3);
  });
});
