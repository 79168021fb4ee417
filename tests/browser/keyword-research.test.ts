import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepOrder } from '../harness/keep-order.ts';
import { launchBrowser } from '../harness/browser.ts';
import { draw } from '../harness/short-form.ts';
import { audit } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
const shots = process.env.SHOTS;
let testApp: DemoTestApp;

const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/research-${name}.png` });
};

keepOrder('the list on the phone has what the first test scored');

beforeAll(async () => {
  if (!browser) return;
  if (shots) mkdirSync(shots, { recursive: true });
  testApp = await startDemoTestApp({ worker: true });
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await testApp?.stop();
});

describe.skipIf(!browser)('the country finder', () => {
  test('scores a keyword in countries, remembers them, and tracks the best', async () => {
    const { page, close } = await testApp.open(browser!, `/keywords/${testApp.keywordId}`);
    await page.getByRole('link', { name: 'Find countries' }).click();
    await page.getByRole('heading', { name: 'Country finder' }).waitFor();
    const phrase = new URL(page.url()).searchParams.get('phrase')!;
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Phrases to score' }).inputValue())
      .toBe(phrase);
    await page.getByText('No scores yet').waitFor();
    expect(await audit(page)).toEqual([]);
    const picker = page.getByRole('combobox', { name: 'Countries to score' });
    for (const country of ['Norway', 'Portugal', 'Chile']) {
      await picker.fill(country);
      await page.getByRole('option', { name: country }).click();
    }
    await page.keyboard.press('Escape');
    await page.getByText(/6 to \d+ store requests/).waitFor();
    await shoot(page, 'form');
    await page.getByRole('button', { name: 'Start 3 scores' }).click();
    const boxes = page.getByRole('table').getByRole('checkbox');
    // The worker is a process that may still be starting.
    await expect.poll(() => boxes.count(), { timeout: 120_000 }).toBe(3);
    await expect
      .poll(() => page.getByRole('cell', { name: /^Scored/ }).count(), { timeout: 120_000 })
      .toBe(3);
    const isSorted = async () => {
      const texts = await page.locator('tbody td:nth-child(4) .num').allTextContents();
      const figures = texts.map(Number);
      return (
        figures.length === 3 && figures.every((one, at) => at === 0 || one <= figures[at - 1]!)
      );
    };
    await expect.poll(isSorted).toBe(true);
    await page.getByText('Already known and free: 0 tracked, 3 scored').waitFor();
    await boxes.first().check();
    await page.getByText('+1 search per day').waitFor();
    expect(await audit(page)).toEqual([]);
    await shoot(page, 'results');
    const before = await testApp.pool.query('select count(*)::int as total from keywords');
    await page.getByRole('button', { name: 'Track 1 phrase' }).click();
    await page
      .getByRole('table')
      .getByRole('link', { name: /^Tracked/ })
      .waitFor();
    const after = await testApp.pool.query('select count(*)::int as total from keywords');
    expect(after.rows[0].total).toBe(before.rows[0].total + 1);
    await expect.poll(() => boxes.count()).toBe(2);
    await page.reload();
    await page.getByRole('textbox', { name: 'Phrases to score' }).waitFor();
    await page.getByText('Already known and free: 1 tracked, 2 scored').waitFor();
    await close();
  });

  test.each(draw('languages of the country finder', 1, ['de', 'ja'] as const))(
    'is whole in %s on a phone, in dark',
    async (language) => {
      const path = `/apps/${testApp.apps.ios}/country-scores`;
      const { page, close, consoleErrors } = await testApp.open(browser!, path, {
        width: 375,
        colorScheme: 'dark',
      });
      await page.evaluate(
        (code) => localStorage.setItem('toprung.language', JSON.stringify(code)),
        language,
      );
      await page.reload();
      await page.getByRole('table').waitFor();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await audit(page)).toEqual([]);
      expect(await page.content()).not.toContain('countryScores.');
      await shoot(page, language);
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );
});

describe.skipIf(!browser)('suggestions', () => {
  const path = (query = '') => `/apps/${testApp.apps.ios}/suggestions${query}`;
  const scoresIn = async (country: string) => {
    const { rows } = await testApp.pool.query(
      `select count(*)::int as requested, count(scored_at)::int as scored
       from country_scores where app_id = $1 and country = $2`,
      [testApp.apps.ios, country],
    );
    return rows[0] as { requested: number; scored: number };
  };
  const countHintsTasks = async (): Promise<number> => {
    const { rows } = await testApp.pool.query(
      `select count(*)::int as open
       from store_tasks, lateral (select (now() at time zone 'utc')::date as day) today
       where kind = 'hints' and active and (urgent_at is not null
         or (due_from <= day and (day - due_from) % due_every = 0
           and exists (select from runs where finished_at is null)))`,
    );
    return rows[0].open;
  };
  const opportunitiesOf = async (page: Page) => {
    const table = page.getByRole('region', { name: /^Table: Keyword suggestions/ });
    const heads = await table.locator('thead :is(th, td)').allTextContents();
    const column = heads.indexOf('Opportunity') + 1;
    return table.locator(`tbody td:nth-child(${column})`).allTextContents();
  };

  test('are scored in the background, best first, and the next visit asks no store', async () => {
    const { page, loaded, close } = await testApp.open(browser!, path('?country=us'));
    await page.getByText(/^\d+ suggestions? left to score/).waitFor();
    await shoot(page, 'scoring');
    await expect
      .poll(() => scoresIn('us'), { timeout: 120_000 })
      .toMatchObject({ scored: expect.toSatisfy((count: number) => count >= 10) });
    await page.getByRole('button', { name: /^Score \d+ phrases?$/ }).waitFor({ timeout: 120_000 });
    const { requested, scored } = await scoresIn('us');
    expect(requested).toBeLessThanOrEqual(20);
    await loaded();
    const shown = await opportunitiesOf(page);
    const known = shown.filter((text) => /^\d+$/.test(text)).map(Number);
    expect(known.length).toBeGreaterThan(scored / 2);
    expect(shown.slice(0, known.length).map(Number)).toEqual(known.toSorted((a, b) => b - a));
    expect(await audit(page)).toEqual([]);
    await shoot(page, 'scored');
    await close();
    // The day's run, which starts at some hour, requests the hints of tracked keywords.
    await expect.poll(countHintsTasks, { timeout: 120_000 }).toBe(0);
    testApp.simulator.clearLog();
    const next = await testApp.open(browser!, path('?country=us'));
    await next.page.getByText(/^Autocomplete read/).waitFor();
    await expect.poll(() => opportunitiesOf(next.page)).toEqual(shown);
    expect(testApp.simulator.log().filter(({ kind }) => kind === 'hints')).toEqual([]);
    await next.page.getByRole('button', { name: 'Refresh' }).click();
    await expect
      .poll(() => testApp.simulator.log().filter(({ kind }) => kind === 'hints').length)
      .toBeGreaterThan(0);
    await next.close();
  }, 600_000);

  test('are left alone with the switch off, and a job is stopped', async () => {
    const { page, close } = await testApp.open(browser!, path('?country=us&seed=zen'));
    await page.getByRole('switch', { name: /^Score new suggestions/ }).uncheck();
    // The field has the word of the address, by which a saved view opens the page, too.
    const seed = page.getByLabel('Seed keyword');
    await expect.poll(() => seed.inputValue()).toBe('zen');
    await goTo(page, path('?country=us'));
    await expect.poll(() => seed.inputValue()).toBe('');
    await page.goto(`${testApp.webUrl}${path('?country=de')}`);
    const score = page.getByRole('button', { name: /^Score \d+ phrases$/ });
    await score.waitFor();
    testApp.simulator.setFaults([{ fault: 'hang' }]);
    const { rows: jobs } = await testApp.pool.query(
      `insert into jobs (workspace_id, app_id, kind, state, payload, queued_at, queued_until)
       values ($1, $2, 'country-scores', 'queued', '{}', now(), now() + interval '1 hour')
       returning id`,
      [testApp.workspaceId, testApp.apps.ios],
    );
    await score.click();
    await page.getByText(/^\d+ suggestions? left to score/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await score.waitFor();
    testApp.simulator.setFaults([]);
    const { requested, scored } = await scoresIn('de');
    expect([requested > 10, scored]).toEqual([true, 0]);
    const { rows: others } = await testApp.pool.query('select state from jobs where id = $1', [
      jobs[0].id,
    ]);
    expect(others, 'a job of the country finder goes on').toEqual([{ state: 'queued' }]);
    await page.goto(`${testApp.webUrl}${path('?country=gb')}`);
    await page.getByText(/^Autocomplete read/).waitFor();
    expect(await scoresIn('gb')).toEqual({ requested: 0, scored: 0 });
    await close();
  });
});
