import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

keepOrder('the second test sees what the first one checked');

const browser = await launchBrowser();

/** A folder for pictures: `SHOTS=/tmp/shots vitest run tests/browser/keyword-check.test.ts`. */
const shots = process.env.SHOTS;
const takeShot = async (page: Page, name: string) =>
  shots && (await page.screenshot({ path: `${shots}/keyword-check-${name}.png` }));

describe.skipIf(!browser)('a check of selected keywords', () => {
  let testApp: DemoTestApp;
  /** Two that were not checked today, and a paused one. */
  let due: number[];
  let paused: number;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
    const { rows } = await testApp.pool.query(
      `select id from keywords where app_id = $1 and country = 'us' and archived_at is null
       order by phrase limit 3`,
      [testApp.apps.ios],
    );
    [paused, ...due] = rows.map((row) => row.id as number) as [number, ...number[]];
    await testApp.pool.query('update keywords set paused = true where id = $1', [paused]);
    await testApp.pool.query(
      'update keywords set latest_on = current_date - 1 where id = any($1)',
      [due],
    );
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const open = async (options: Parameters<DemoTestApp['open']>[2] = {}) => {
    const path = `/apps/${testApp.apps.ios}/keywords?country=us&sort=phrase`;
    const watched = await testApp.open(browser!, path, { width: 1_280, height: 812, ...options });
    await watched.page.locator('[data-index="2"]').waitFor();
    return watched;
  };
  const tick = async (page: Page, ids: number[]) => {
    for (const id of ids)
      await page
        .getByRole('row')
        .filter({
          has: page.locator(`a:is([href$="/keywords/${id}"], [href*="/keywords/${id}?"])`),
        })
        .getByRole('checkbox')
        .check();
  };
  const button = (page: Page, name = 'Check now') =>
    page.getByRole('toolbar').getByRole('button', { name });

  const countLines = (page: Page) =>
    page
      .getByRole('toolbar')
      .getByRole('button')
      .evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size);

  test('accepts a job, says what is left out, and shows the job until it ends', async () => {
    const { page, consoleErrors, close } = await open();
    await tick(page, [paused]);
    await expect.poll(() => button(page).isDisabled()).toBe(true);
    await expect
      .poll(() => button(page).getAttribute('title'))
      .toBe('Paused keywords are not checked. Resume them first.');
    await tick(page, due);
    const response = page.waitForResponse((one) => one.url().endsWith('/keywords/check'));
    await expect.poll(() => button(page).isEnabled()).toBe(true);
    await button(page).focus();
    await page.keyboard.press('Enter');
    // It closes by itself.
    await page.getByText('1 paused keyword is not checked.').waitFor();
    const { job, skipped } = (await (await response).json()) as {
      job: { id: number };
      skipped: unknown;
    };
    expect(skipped).toEqual([{ keywordId: paused, reason: 'paused' }]);
    const { rows } = await testApp.pool.query(
      `select array(select id from keywords where app_id = j.app_id
         and j.payload->'marketIds' @> to_jsonb(market_id) order by phrase) as ids
       from jobs j where j.id = $1 and kind = 'keyword-check' and state = 'queued'`,
      [job.id],
    );
    expect(rows).toEqual([{ ids: due }]);
    const toast = page.locator('[data-toast]').filter({ hasText: 'Checking 2 keywords' });
    await toast.getByText('0 of 2 completed').waitFor();
    await takeShot(page, 'accepted');
    testApp.startWorker();
    // The worker is a process that has to start.
    await toast.getByText('Completed: 2 of 2').waitFor({ timeout: 180_000 });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('says when all were checked today, without a job', async () => {
    const { page, consoleErrors, close } = await open();
    await tick(page, due);
    await button(page).click();
    await page.getByText('2 keywords were already checked today.').waitFor();
    expect(await page.getByText('Checking').count()).toBe(0);
    const { rows } = await testApp.pool.query(
      `select count(*)::int as jobs from jobs where kind = 'keyword-check'`,
    );
    expect(rows).toEqual([{ jobs: 1 }]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each(draw('colours of a check', 1, ['light', 'dark'] as const))(
    'fits a phone, and one line of a window, in every language, in the %s',
    async (scheme) => {
      const { page, consoleErrors, close } = await open({ width: 375 });
      await page.emulateMedia({ colorScheme: scheme });
      for (const [language, name] of [
        ['en', 'Check now'],
        ['de', 'Jetzt prüfen'],
        ['ja', '今すぐチェック'],
      ] as const) {
        await page.evaluate(
          (code) => localStorage.setItem('toprung.language', JSON.stringify(code)),
          language,
        );
        await page.reload();
        await page.locator('[data-index="0"]').waitFor();
        await tick(page, due);
        await button(page, name).waitFor();
        await takeShot(page, `${scheme}-${language}`);
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        const clipped = await page
          .getByRole('toolbar')
          .getByRole('button')
          .evaluateAll((all) =>
            all.flatMap((one) => {
              const { width, height } = one.getBoundingClientRect();
              const isCut = one.scrollWidth > one.clientWidth;
              return isCut || width < 44 || height < 44
                ? [`${one.textContent} ${width}×${height}`]
                : [];
            }),
          );
        expect(clipped).toEqual([]);
        expect(await audit(page)).toEqual([]);
        await page.setViewportSize({ width: 1_280, height: 812 });
        await takeShot(page, `wide-${scheme}-${language}`);
        await expect.poll(() => countLines(page)).toBe(1);
        await page.setViewportSize({ width: 375, height: 812 });
      }
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );
});
