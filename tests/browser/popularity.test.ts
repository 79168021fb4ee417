import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResponseOf } from '#web/api.ts';
import type { ScoreRange } from '#domain/insights/scores/evidence.ts';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { makeLines, makeRows, writeXlsx } from '../harness/popularity-file.ts';
import { lastMonth } from '../harness/popularity-import.ts';
import { makeTerms, registerAdsKey } from '../api/popularity-sync.fixtures.ts';
import { audit, overflowOf, untilStill } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

keepOrder('synced weeks replace the published numbers of the demo');

const browser = await launchBrowser();
const shots = process.env.SHOTS;
let testApp: DemoTestApp;

describe.skipIf(!browser)('published popularity', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp({ worker: true });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('a selected term and its country are in the dialog that adds keywords', async () => {
    const path = `/apps/${testApp.apps.ios}/popularity?genre=travel&in=de`;
    const { page, close } = await testApp.open(browser!, path);
    const box = page.getByRole('checkbox').first();
    await box.waitFor();
    const term = (await box.getAttribute('aria-label'))!.replace('Track ', '');
    await box.check();
    await page.getByRole('button', { name: 'Track 1 term' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 new').waitFor();
    await expect.poll(() => dialog.getByLabel('Phrases').inputValue()).toBe(term);
    expect(new URL(page.url()).searchParams.get('country')).toBe('de');
    await close();
  });

  test('white space around the search is not searched for', async () => {
    const path = `/apps/${testApp.apps.ios}/popularity?country=de`;
    const { page, consoleErrors, close } = await testApp.open(browser!, path);
    const box = page.getByRole('checkbox').first();
    const term = (await box.getAttribute('aria-label'))!.replace('Track ', '');
    const searched = new Set<string>();
    page.on('request', (request) => {
      const text = new URL(request.url()).searchParams.get('q');
      if (request.url().includes('/api/backend/')) searched.add(text ?? '');
    });
    const search = page.getByRole('textbox', { name: 'Search terms' });
    await search.fill(' ');
    await page.waitForURL(/[?&]q=/);
    await search.fill(`${term} `);
    await page.waitForURL((url) => url.searchParams.get('q') === `${term} `);
    await expect.poll(() => searched.has(term)).toBe(true);
    await box.waitFor();
    expect([...searched].filter((text) => text !== '')).toEqual([term]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('another app begins without the selected terms and phrases of the one before', async () => {
    const path = `/apps/${testApp.apps.ios}/popularity?country=de`;
    const { page, close } = await testApp.open(browser!, path);
    const box = page.getByRole('checkbox').first();
    const track = page.getByRole('button', { name: 'Track 1 term' });
    const phrases = page.getByRole('dialog').getByLabel('Phrases');
    await box.check();
    await track.click();
    await expect.poll(() => phrases.inputValue()).not.toBe('');
    await page.goBack();
    await box.check();
    const filter = (await box.getAttribute('aria-label'))!.replace('Track ', '');
    await page.getByRole('textbox', { name: 'Search terms' }).fill(filter);
    await page.waitForURL(/[?&]q=/);
    await expect.poll(() => box.isChecked()).toBe(true);
    const switcher = page.getByRole('button', { name: 'Switch app' });
    await switcher.evaluate((element) => element.setAttribute('data-kept', ''));
    await switcher.click();
    await page.getByRole('menuitem', { name: /Android/ }).click();
    await page.waitForURL(`**/apps/${testApp.apps.android}/popularity*`);
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(await switcher.getAttribute('data-kept'), 'the frame stays').toBe('');
    await page.waitForFunction(() => document.activeElement?.matches('h1'));
    await box.check();
    const term = (await box.getAttribute('aria-label'))!.replace('Track ', '');
    await track.click();
    await expect.poll(() => phrases.inputValue()).toBe(term);
    await close();
  });

  test('a keyword shows the published number, and the estimate with its signals', async () => {
    const { rows } = await testApp.pool.query<{ id: number; traffic: number }>(
      `select k.id, s.traffic from keywords k join market_scores s using (market_id)
       where s.traffic_basis = 'published' order by k.id limit 1`,
    );
    const { page, close } = await testApp.open(browser!, `/keywords/${rows[0]!.id}`);
    const published = page.getByRole('region', { name: 'Popularity published by Apple' });
    await published.getByText(String(rows[0]!.traffic), { exact: true }).first().waitFor();
    await published.getByText('Apple’s monthly file').waitFor();
    const estimate = page.getByRole('region', { name: 'Estimate from the signals alone' });
    await estimate.getByText('Early suggestion').waitFor();
    await estimate.getByText(/probably \d+ to \d+/).waitFor();
    await close();
  });

  test('a suggestion whose score has low confidence shows the range', async () => {
    const path = `/apps/${testApp.apps.android}/suggestions?source=listing`;
    const { page, close } = await testApp.open(browser!, path);
    const requested = page.getByRole('table').getByRole('button', { name: /^Score / });
    await requested.first().waitFor();
    // Google Play shows no rating counts in results: with few apps known, the difficulty of some
    // phrases is uncertain. Which ones depends on the day.
    let range: ScoreRange | undefined;
    for (let scored = 0; scored < 10 && !range; scored += 1) {
      const [response] = await Promise.all([
        page.waitForResponse((one) => one.url().includes('/phrase-score?'), { timeout: 60_000 }),
        requested.first().click(),
      ]);
      expect([response.status(), await response.text()]).toEqual([200, expect.any(String)]);
      const { provenance } = (await response.json()) as ResponseOf<'GET /apps/{id}/phrase-score'>;
      if (provenance.confidences.difficulty === 'low') range = provenance.ranges!.difficulty!;
    }
    expect(range).toBeDefined();
    const { low, high } = range!;
    await page.getByTitle(`Low confidence, probably ${low} to ${high}`).first().waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `difficulty ${low}–${high}` })
      .waitFor();
    await close();
  });

  test('an uploaded workbook is imported, with its result by country', async () => {
    const { page, close } = await testApp.open(browser!, '/settings?tab=popularity');
    const month = lastMonth();
    const rows = makeRows({ month, countries: ['France', 'Atlantis'], perGenre: 4 });
    await page.locator('input[type=file]').setInputFiles({
      name: 'terms.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: writeXlsx(makeLines(rows, { month })),
    });
    await page.getByText('120 rows read, 60 refused').waitFor({ timeout: 120_000 });
    await page.getByText('Unknown country').waitFor();
    await page.getByRole('cell', { name: 'France' }).waitFor();
    await close();
  });

  test('a key is saved, its weeks are synced, and an implausible one is decided', async () => {
    const { page, close } = await testApp.open(browser!, '/settings?tab=popularity');
    const look = async (name: string) => {
      for (const colorScheme of ['light', 'dark'] as const)
        for (const width of [1280, 375]) {
          await setColorScheme(page, colorScheme);
          await page.setViewportSize({ width, height: 900 });
          await untilStill(page);
          expect([name, colorScheme, width, await audit(page)]).toEqual([
            name,
            colorScheme,
            width,
            [],
          ]);
          await expect
            .poll(async () => [name, width, await overflowOf(page)])
            .toEqual([name, width, 0]);
          if (shots !== undefined)
            await page.screenshot({
              path: `${shots}/popularity-${name}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
        }
      await page.setViewportSize({ width: 1280, height: 900 });
    };
    const key = registerAdsKey(testApp.simulator);
    await page.getByLabel('Client ID').fill(key.clientId);
    await page.getByLabel('Team ID').fill(key.teamId);
    await page.getByLabel('Key ID').fill('another');
    await page.getByLabel('Private key').fill(key.privateKey);
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByRole('alert').first().waitFor();
    await look('refused');
    testApp.simulator.appleAds.setTerms(() => makeTerms(60));
    await page.getByLabel('Key ID').fill(key.keyId);
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByRole('cell', { name: 'Synced' }).first().waitFor({ timeout: 120_000 });
    expect(await page.content()).not.toContain(key.privateKey.split('\n')[1]);
    await look('synced');
    const status = page.getByRole('status').filter({ hasText: /Up to date|Waiting|Running/ });
    await status.filter({ hasText: 'Up to date' }).waitFor({ timeout: 120_000 });
    testApp.simulator.appleAds.setTerms(() => makeTerms(2));
    // The worker looks every 15 seconds, and may do so at once.
    const isWaiting = Promise.all([
      status.filter({ hasText: /Waiting to start|Running/ }).waitFor(),
      page.getByRole('button', { name: 'Sync now', disabled: true }).waitFor(),
    ]);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await isWaiting;
    await page
      .getByRole('button', { name: /^Discard/ })
      .first()
      .waitFor({ timeout: 120_000 });
    await look('quarantine');
    await close();
  });
});
