import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf, untilStill } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();
/** A folder for a picture of each table in each mode. */
const shots = process.env.SHOTS;
let testApp: DemoTestApp;

const ios = (rest: string) => `/apps/${testApp.apps.ios}${rest}`;
/** The page, and where its phrases are. */
const tables: Record<string, [path: () => string, phrases: string]> = {
  'the movers of the overview': [() => ios(''), 'li'],
  'keywords by country': [() => ios('/keywords?view=pivot'), 'td:first-child'],
  'positions of competitors': [() => ios('/competitors?tab=matrix'), 'td:first-child'],
  entrants: [() => ios('/competitors?tab=market'), 'td:nth-child(3)'],
  'the comparison of two days': [() => ios('/distribution'), 'td:first-child'],
  'the country finder': [() => ios('/country-scores'), 'td:nth-child(2)'],
  'top search terms': [() => ios('/popularity?genre=health_fitness'), 'td:nth-child(2)'],
  'the briefing': [() => '/briefing', 'li'],
  'keywords of an action': [() => `/actions?action=${actionId}`, 'article li'],
};
const drawn = draw('tables of phrases', 3, Object.keys(tables));
let actionId: number;

/** Sends a request with the session of the page. */
const send = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([url, json]) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url!, { method: 'POST', headers, body: json! })).status;
    },
    [`/api/backend${path}`, JSON.stringify(body)],
  );

/** Apps that were not in the results of the phrase before are in those of the newest day. */
const addEntrants = () =>
  testApp.pool.query(
    `update serps set whole_on = null, ids = (
       select string_agg(int4send(id), null order by id desc) from (
         select id from listings where store = 'ios' order by id desc limit 50) l)
     where (market_id, on_date) in (
       select k.market_id, max(s.on_date) from keywords k join markets m on m.id = k.market_id
       join serps s on s.market_id = k.market_id
       where k.app_id = $1 and m.phrase = 'mood journal' group by k.market_id)`,
    [testApp.apps.ios],
  );

describe.skipIf(!browser)('the words of phrases are marked by the text that has them', () => {
  beforeAll(async () => {
    if (shots) mkdirSync(shots, { recursive: true });
    testApp = await startDemoTestApp();
    await addEntrants();
    const { page, close } = await testApp.open(browser!, '/methodology');
    const { items }: { items: { id: number; keywordIds: number[] }[] } = await page.evaluate(
      async (id) => (await fetch(`/api/backend/actions?state=open&appId=${id}`)).json(),
      testApp.apps.ios,
    );
    actionId = items.toSorted((a, b) => b.keywordIds.length - a.keywordIds.length)[0]!.id;
    const body = { phrases: ['habit tracker', 'mood journal'], countries: ['us', 'de', 'fr'] };
    expect(await send(page, ios('/country-scores'), body)).toBeLessThan(300);
    await close();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test.each(drawn)('in %s, with one legend', async (name) => {
    const [path, phrases] = tables[name]!;
    const { page, consoleErrors, close } = await testApp.open(browser!, path());
    const marked = page.locator(`main :is(${phrases}) [data-field]`);
    await marked.first().waitFor();
    const legend = page.locator('main p', { hasText: 'Words in your own listing:' });
    await expect.poll(() => legend.count()).toBe(1);
    // Read at once, because rows of other apps may come before these.
    const { word, hint, description } = await page.evaluate((rows) => {
      const found = document.querySelector<HTMLElement>(`main :is(${rows}) [data-field]`)!;
      const row = found.closest('li, td')!;
      return {
        word: found.textContent,
        hint: found.title,
        description: row.querySelector('.sr-only')?.textContent,
      };
    }, phrases);
    expect(description).toContain(`${word}: ${hint}`);
    const kinds = await legend.locator('[data-field]').allTextContents();
    expect(kinds).toContain(hint.replace(/ \(.*/, ''));
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 375]) {
        await setColorScheme(page, colorScheme);
        await page.setViewportSize({ width, height: 900 });
        await marked.first().waitFor();
        await untilStill(page);
        // Charts follow the width of the window a moment later.
        await expect
          .poll(async () => [colorScheme, width, await overflowOf(page)])
          .toEqual([colorScheme, width, 0]);
        expect([colorScheme, width, await audit(page)]).toEqual([colorScheme, width, []]);
        if (shots)
          await page.screenshot({
            path: `${shots}/${name.replaceAll(' ', '-')}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
      }
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
