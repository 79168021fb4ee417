import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();

interface Day {
  date: string;
  [band: string]: number | string;
}

describe.skipIf(!browser)('the rank distribution', () => {
  let stage: DemoStage;
  let days: Day[];
  const path = () => `/apps/${stage.apps.ios}/distribution`;
  beforeAll(async () => {
    stage = await startDemoStage();
    const { page, close } = await stage.open(browser!, '/settings');
    const answer = await page.evaluate(async (id) => (await fetch(`/api/backend/apps/${id}/rankings/distribution`)).json(), stage.apps.ios);
    days = (answer as { items: Day[] }).items;
    await close();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });
  const bands = ['top1', 'top2to3', 'top4to10', 'top11to50', 'top51to100', 'top101toDepth', 'notFound', 'notChecked'];
  const checked = () => days.filter((day) => bands.slice(0, -1).some((band) => Number(day[band]) > 0));

  test('draws every day, and the table says the same, a day that nobody checked among them', async () => {
    const { page, consoleErrors, foreignRequests, close } = await stage.open(browser!, path());
    const card = page.getByRole('region', { name: 'Keywords by position' }).first();
    await card.locator('svg text').first().waitFor();
    await card.getByText('Table', { exact: true }).click();
    const shown = await card.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    const followed = days.filter((day) => bands.some((band) => Number(day[band]) > 0));
    expect(shown.map((row) => row.slice(0, 9))).toEqual(followed.toReversed().map((day) => [day.date, ...bands.map((band) => String(day[band]))]));
    expect(followed.length).toBeGreaterThan(checked().length);
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    await close();
  }, 60_000);

  test('a band leads to its keywords', async () => {
    const { page, close } = await stage.open(browser!, path());
    const last = checked().at(-1)!;
    const row = page.getByRole('link', { name: /^4–10/ });
    await row.waitFor();
    expect(await row.textContent()).toContain(String(last.top4to10));
    await row.click();
    await page.waitForURL(/state=place4to10/);
    const count = Number(last.top4to10);
    await page.getByText(`${count} of 30 keywords`).waitFor();
    await close();
  }, 60_000);

  test('pressing the chart leads there too', async () => {
    const { page, close } = await stage.open(browser!, path());
    const chart = page.getByRole('img', { name: /^How many keywords stood/ });
    await chart.locator('svg text').first().waitFor();
    const box = (await chart.boundingBox())!;
    await page.mouse.click(box.x + 60, box.y + 20);
    await page.waitForURL(/\/keywords\?state=not_found/);
    await close();
  }, 60_000);

  test('two days are compared; the days, the move and the order are in the address', async () => {
    const [first, last] = [checked()[0]!.date, checked().at(-1)!.date];
    const { page, close } = await stage.open(browser!, path());
    const table = page.getByRole('region', { name: 'Every keyword on both days' });
    await table.locator('tbody tr').first().waitFor();
    expect(await page.getByLabel('First day').inputValue()).toBe(first);
    expect(await page.getByLabel('Second day').inputValue()).toBe(last);
    const { items } = (await page.evaluate(
      async ([id, a, b]) => (await fetch(`/api/backend/apps/${id}/rankings/compare?a=${a}&b=${b}`)).json(),
      [stage.apps.ios, first, last],
    )) as { items: { delta: number | null }[] };
    const risen = items.filter(({ delta }) => delta !== null && delta > 0);
    expect(risen.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: `Risen ${risen.length}` }).click();
    await page.waitForURL(/move=gained/);
    await page.waitForFunction(
      (count) => document.querySelectorAll('[aria-label="Every keyword on both days"] tbody tr').length === count,
      risen.length,
    );
    await table.getByRole('button', { name: 'Sort by Change' }).click();
    const moves = (await table.locator('tbody tr td:last-child [aria-hidden]').allTextContents()).map((text) => Number(text.slice(1)));
    expect(moves).toEqual(moves.toSorted((a, b) => a - b));

    await page.getByLabel('First day').fill(checked()[2]!.date);
    await page.waitForURL((url) => url.searchParams.get('a') === checked()[2]!.date);
    await close();
  }, 60_000);

  test('the share is a choice in the address; a country without keywords is empty, and leads on', async () => {
    const { page, close } = await stage.open(browser!, `${path()}?as=share`);
    const chart = page.getByRole('img', { name: /^How many keywords stood/ });
    await chart.locator('svg text').filter({ hasText: '100%' }).waitFor();
    await page.goto(`${stage.webUrl}${path()}?country=fr`);
    await page.getByRole('heading', { name: 'No keywords on these days' }).waitFor();
    await page.getByRole('link', { name: 'To the keywords' }).click();
    await page.waitForURL(/\/keywords/);
    await close();
  }, 60_000);

  test('what could not be read says so', async () => {
    const { page, close } = await stage.open(browser!, '/settings');
    await page.route('**/rankings/distribution?*', (route) =>
      route.fulfill({ status: 404, json: { statusCode: 404, code: 'not_found', error: 'Not Found', message: 'There is no such app.' } }),
    );
    await page.goto(`${stage.webUrl}${path()}`);
    await page.getByRole('alert').waitFor();
    await close();
  }, 60_000);

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)(
    'is accessible and fits, %s at %i',
    async (colorScheme, width) => {
      const { page, close } = await stage.open(browser!, path(), { colorScheme, width });
      await page
        .getByRole('img', { name: /^How many keywords stood/ })
        .locator('svg')
        .waitFor();
      await page.getByRole('region', { name: 'Every keyword on both days' }).locator('tbody tr').first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/distribution-${colorScheme}-${width}.png`, fullPage: true });
      await close();
    },
    60_000,
  );
});
