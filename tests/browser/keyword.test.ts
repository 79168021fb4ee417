import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import type { HistoryKeyword } from '../harness/history.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';
import { startStage, type Stage } from './stage.ts';

const browser = await launchBrowser();
const days = 30;
const chartOf = (page: Page) => page.getByRole('img', { name: /^Position of|was not found on any day/ });

describe.skipIf(!browser)('the keyword page', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ markets: 60, days: 60, gapShare: 0.15 });
  }, 240_000);
  afterAll(() => stage.stop());
  const lastDays = () => stage.history.days.slice(-days);
  const truthsOf = (keyword: HistoryKeyword) => lastDays().map((day) => stage.history.truthOf(keyword, day));

  /** One that was found, was missed within a depth, and was not checked, each on some day; a gap between two found days. */
  const pick = (): { keyword: HistoryKeyword; gapIndex: number } => {
    for (const keyword of stage.history.keywords) {
      const truths = truthsOf(keyword);
      const gapIndex = truths.findIndex((truth, index) => truth === null && truths[index - 1]?.position && truths[index + 1]?.position);
      if (gapIndex > 0 && truths.some((truth) => truth?.position === null)) return { keyword, gapIndex };
    }
    throw new Error('the history has no such keyword');
  };

  test('a day without a check is a gap in the line, with its reason; a day without a place is in a band from its own depth', async () => {
    const { keyword, gapIndex } = pick();
    const { page, consoleErrors, close } = await stage.open(browser!, `/keywords/${keyword.id}`);
    const chart = chartOf(page);
    await chart.locator('svg').waitFor();
    const truths = truthsOf(keyword);
    const texts = await chart.locator('svg text').allTextContents();
    for (const depth of new Set(truths.flatMap((truth) => (truth?.position === null ? [truth.depth] : [])))) expect(texts).toContain(`>${depth}`);
    expect(texts).toContain('1');
    const line = await chart
      .locator('svg path[fill="none"]')
      .evaluateAll((paths) => paths.map((path) => path.getAttribute('d') ?? '').toSorted((a, b) => b.length - a.length)[0]!);
    const stretches = truths.filter((truth, index) => truth?.position && !truths[index - 1]?.position).length;
    expect(line.match(/M/g)).toHaveLength(stretches);

    const box = (await chart.boundingBox())!;
    const inner = { left: box.x + 44, width: box.width - 60 };
    await page.mouse.move(inner.left + (inner.width * (gapIndex + 0.5)) / truths.length, box.y + box.height / 2);
    await page.getByText('Not checked', { exact: true }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  }, 120_000);

  test('the axis is upside down: a better position is drawn higher', async () => {
    const { keyword } = pick();
    const { page, close } = await stage.open(browser!, `/keywords/${keyword.id}`);
    const chart = chartOf(page);
    await chart.locator('svg').waitFor();
    const heights = await chart
      .locator('svg text')
      .evaluateAll((elements) =>
        elements
          .filter((element) => /^\d{1,3}$/.test(element.textContent))
          .map((element) => ({ value: Number(element.textContent), y: element.getBoundingClientRect().y })),
      );
    expect(heights.length).toBeGreaterThan(2);
    const byValue = heights.toSorted((a, b) => a.value - b.value).map(({ y }) => y);
    expect(byValue).toEqual(byValue.toSorted((a, b) => a - b));
    await close();
  }, 120_000);

  test('the table tells the same days, and no reader’s time zone moves one', async () => {
    const { keyword } = pick();
    const read = async (timezoneId: string) => {
      const { page, close } = await stage.open(browser!, `/keywords/${keyword.id}`, { timezoneId });
      const chart = chartOf(page);
      await chart.locator('svg').waitFor();
      const axis = (await chart.locator('svg text').allTextContents()).filter((text) => /^[A-Z][a-z]{2} \d+$/.test(text));
      await page.getByText('Table', { exact: true }).click();
      const rows = await page
        .getByRole('region', { name: 'Position by day, as a table' })
        .locator('tbody tr')
        .evaluateAll((elements) =>
          elements.map((element) => `${element.children[0]!.textContent} ${element.querySelector('[aria-hidden]')?.textContent}`),
        );
      await close();
      return { axis, rows };
    };
    const utc = await read('UTC');
    const format = new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' });
    const expected = lastDays()
      .toReversed()
      .map((day) => {
        const truth = stage.history.truthOf(keyword, day);
        return `${format.format(Date.parse(`${day}T00:00:00Z`))} ${truth === null ? '–' : (truth.position ?? `>${truth.depth}`)}`;
      });
    expect(utc.rows).toEqual(expected);
    expect(utc.axis.length).toBeGreaterThan(3);
    for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles']) expect(await read(zone)).toEqual(utc);
  }, 120_000);

  test('the newest kept results name the own app', async () => {
    const keyword = stage.history.keywords.find((candidate) => {
      const position = stage.history.truthOf(candidate, stage.history.days.at(-1)!)?.position;
      return position != null && position <= 50;
    })!;
    const position = stage.history.truthOf(keyword, stage.history.days.at(-1)!)!.position!;
    const { page, close } = await stage.open(browser!, `/keywords/${keyword.id}`);
    const own = page.getByRole('list', { name: 'Search results' }).locator('li').filter({ hasText: 'Your app' });
    await own.waitFor();
    expect((await own.textContent())!.startsWith(String(position))).toBe(true);
    await close();
  }, 120_000);
});

describe.skipIf(!browser)('a keyword of a workspace with competitors, scores and notes', () => {
  let stage: DemoStage;
  let subject: { keywordId: number; rivalId: number; rivalName: string };
  const path = () => `/keywords/${subject.keywordId}`;
  beforeAll(async () => {
    stage = await startDemoStage();
    subject = await findSubject(stage);
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });
  const read = (page: Page, at: string) => page.evaluate(async (where) => (await fetch(`/api/backend${where}`)).json(), at);

  test('a competitor’s line is picked in the address, stands in the table, and keeps its gaps', async () => {
    const { page, consoleErrors, foreignRequests, close } = await stage.open(browser!, path());
    await chartOf(page).locator('svg').waitFor();
    const linesOf = () => chartOf(page).locator('svg path[fill="none"][stroke-width="1.5"]').count();
    expect(await linesOf()).toBe(0);
    const chip = page.getByRole('button', { name: subject.rivalName });
    await chip.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('rivals') === String(subject.rivalId));
    expect(await chip.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(linesOf, { timeout: 20_000 }).toBeGreaterThan(0);
    await page.getByText('Table', { exact: true }).first().click();
    const table = page.getByRole('region', { name: 'Position by day, as a table' });
    const heads = await table.locator('th').allTextContents();
    const column = heads.indexOf(subject.rivalName);
    const shown = await table.locator(`tbody td:nth-child(${column + 1})`).allTextContents();
    const { items } = await read(page, `/apps/${stage.apps.ios}/competitors/${subject.rivalId}/rankings?keywordId=${subject.keywordId}&limit=500`);
    const told = (items as { position: number | null; depth: number }[]).map(({ position, depth }) => String(position ?? `>${depth}`));
    expect(shown.filter((text) => text !== '–')).toEqual(told);
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    await close();
  }, 60_000);

  test('the chart is saved as CSV and as a picture', async () => {
    const { page, consoleErrors, close } = await stage.open(browser!, path());
    await chartOf(page).locator('svg').waitFor();
    const save = async (kind: string) => {
      await page.getByRole('button', { name: 'Save: Position by day' }).click();
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: kind }).click()]);
      return readFileSync(await download.path());
    };
    const csv = (await save('Table (CSV)')).toString();
    expect(csv.split('\r\n')[0]).toBe('Day,Position,Depth,Note');
    expect(csv).toContain('Not checked: its run has not come yet');
    expect((await save('Picture (PNG)')).subarray(1, 4).toString()).toBe('PNG');
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);

  test('the points of a score add up to it; scoring again is a job', async () => {
    const { page, close } = await stage.open(browser!, path());
    const card = page.getByRole('region', { name: 'Traffic and difficulty' });
    const { items } = await read(page, `${path()}/scores`);
    for (const kind of ['Traffic', 'Difficulty'] as const) {
      const one = card.getByRole('region', { name: kind, exact: true });
      const points = (await one.locator('li:not([data-missing]) > span:last-child').allTextContents()).map((text) => Number.parseFloat(text));
      const score = items[0][kind.toLowerCase()];
      expect(await one.locator('p').first().textContent()).toBe(`${score}of 100`);
      expect(Math.abs(points.reduce((sum, value) => sum + value, 0) - score)).toBeLessThan(1);
    }
    const [answer] = await Promise.all([page.waitForResponse(/\/score$/), card.getByRole('button', { name: 'Score again' }).click()]);
    expect(answer.status()).toBe(202);
    await page.getByText('Scoring “', { exact: false }).waitFor();
    const parts = page.getByRole('region', { name: 'Opportunity' }).getByRole('listitem');
    await expect.poll(() => parts.count()).toBe(4);
    await close();
  }, 60_000);

  test('a note on the keyword is marked in the chart; tags, depth and a word about it are kept', async () => {
    const { page, consoleErrors, close } = await stage.open(browser!, path());
    const notes = page.getByRole('region', { name: 'Notes' });
    await notes.getByRole('button', { name: 'Add a note' }).click();
    await page.keyboard.type('New icon is live');
    await notes.getByRole('button', { name: 'Save' }).click();
    await notes.getByRole('listitem').filter({ hasText: 'New icon is live' }).waitFor();
    await page.getByText('Table', { exact: true }).first().click();
    await page.getByRole('region', { name: 'Position by day, as a table' }).getByText('Note: New icon is live').waitFor();

    const details = page.getByRole('region', { name: 'Details' });
    await details.getByLabel('Tags').fill('core');
    await page.keyboard.press('Enter');
    await details.getByLabel('Note').fill('Worth watching');
    await details.getByRole('button', { name: 'Save' }).click();
    await details.getByRole('textbox', { name: 'Depth' }).click();
    await page.getByRole('option', { name: '100 places' }).click();
    const kept = () => read(page, path());
    await expect.poll(kept).toMatchObject({ depth: 100, note: 'Worth watching', tags: expect.arrayContaining(['core']) });
    expect(consoleErrors).toEqual([]);
    await page.getByRole('link', { name: 'All results, day by day' }).click();
    await page.waitForURL(/\/results/);
    await close();
  }, 60_000);

  test('a suspended workspace reads on and writes nothing', async () => {
    await stage.pool.query(`update workspaces set state = 'suspended' where id = $1`, [stage.workspaceId]);
    const { page, close } = await stage.open(browser!, path());
    for (const name of ['Favourite', 'Pause', 'Add a note', 'Score again']) {
      await expect.poll(() => page.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true');
    }
    expect(await page.getByLabel('Tags').isDisabled()).toBe(true);
    await close();
    await stage.pool.query(`update workspaces set state = 'live' where id = $1`, [stage.workspaceId]);
  }, 60_000);

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)(
    'is accessible and fits, %s at %i',
    async (colorScheme, width) => {
      const { page, close } = await stage.open(browser!, `${path()}?rivals=${subject.rivalId}`, { colorScheme, width });
      await chartOf(page).locator('svg').waitFor();
      await page.getByRole('region', { name: 'Opportunity' }).getByRole('listitem').first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/keyword-${colorScheme}-${width}.png`, fullPage: true });
      await close();
    },
    60_000,
  );
});

/** A keyword on which both the app and a competitor stand. */
async function findSubject(stage: DemoStage): Promise<{ keywordId: number; rivalId: number; rivalName: string }> {
  const { page, close } = await stage.open(browser!, '/settings');
  const found = await page.evaluate(async (appId) => {
    const ask = async (path: string) => (await fetch(`/api/backend${path}`)).json();
    const own = new Set((await ask(`/apps/${appId}/keywords?state=ranked&limit=500`)).items.map((keyword: { id: number }) => keyword.id));
    for (const rival of (await ask(`/apps/${appId}/competitors`)).items) {
      const { items } = await ask(`/apps/${appId}/competitors/${rival.id}/rankings?limit=500`);
      const cell = items.find((item: { keywordId: number; position: number | null }) => item.position !== null && own.has(item.keywordId));
      if (cell) return { keywordId: cell.keywordId, rivalId: rival.id, rivalName: rival.name };
    }
    return null;
  }, stage.apps.ios);
  await close();
  if (!found) throw new Error('no competitor stands where the app does');
  return found;
}
