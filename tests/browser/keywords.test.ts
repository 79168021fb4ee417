import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../harness/browser.ts';
import { startStage, type Stage } from './stage.ts';

const browser = await launchBrowser();
const markets = 5_000;

/** What the rows in view show as positions, from top to bottom. */
async function readPositions(page: Page): Promise<string[]> {
  const rows = await page.locator('[role="row"][data-index]').evaluateAll((elements) =>
    elements.map((element) => ({
      index: Number(element.getAttribute('data-index')),
      text: element.querySelector('[data-column="position"] [aria-hidden]')?.textContent ?? '',
    })),
  );
  return rows.toSorted((a, b) => a.index - b.index).map(({ text }) => text);
}

async function scrollToEnd(page: Page): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await page.locator(`[data-index="${markets - 1}"]`).waitFor();
}

describe.skipIf(!browser)('the keywords table', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ markets, days: 35 });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });
  const open = (path = '') => stage.open(browser!, `/apps/${stage.appId}/keywords${path}`);
  const untilAll = (page: Page) =>
    page
      .getByRole('status')
      .filter({ hasText: /^5,000 keywords$/ })
      .waitFor({ timeout: 60_000 });

  test('5,000 rows: all are there, few are drawn', async () => {
    const { page, consoleErrors, close } = await open();
    await untilAll(page);
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe(String(markets + 1));
    await scrollToEnd(page);
    expect(await page.locator('[role="row"][data-index]').count()).toBeLessThan(80);
    expect(consoleErrors).toEqual([]);
    await close();
  }, 120_000);

  test('a keyword without a position is last in both directions', async () => {
    const { page, close } = await open();
    await untilAll(page);
    const header = page.getByRole('columnheader', { name: 'Position' });
    for (const direction of ['ascending', 'descending']) {
      await page.evaluate(() => window.scrollTo(0, 0));
      if (direction === 'descending') await header.getByRole('button').click();
      await page.locator(`[role="columnheader"][aria-sort="${direction}"]`).waitFor();
      const first = (await readPositions(page)).map(Number);
      expect(first.every((position) => position >= 1)).toBe(true);
      expect(first).toEqual(first.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a)));
      await scrollToEnd(page);
      const last = await readPositions(page);
      expect(last.length).toBeGreaterThan(5);
      expect(last.every((position) => /^>(30|200)$|^–$/.test(position))).toBe(true);
    }
    await close();
  }, 120_000);

  test('a row says what the store said: a place, or more than the depth really examined', async () => {
    const { page, close } = await open('?sort=phrase');
    await untilAll(page);
    const rows = await page.locator('[role="row"][data-index]').evaluateAll((elements) =>
      elements.map((element) => ({
        id: Number(/\d+$/.exec(element.querySelector('a')!.getAttribute('href')!.split('?')[0]!)![0]),
        shown: element.querySelector('[data-column="position"] [aria-hidden]')!.textContent,
      })),
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { id, shown } of rows) {
      const keyword = stage.history.keywords.find((candidate) => candidate.id === id)!;
      const truth = stage.history.days
        .toReversed()
        .map((day) => stage.history.truthOf(keyword, day))
        .find((seen) => seen !== null)!;
      expect(shown).toBe(truth.position === null ? `>${truth.depth}` : String(truth.position));
    }
    await close();
  }, 120_000);

  test('adding shows its cost before anything is written; removing can be taken back', async () => {
    const { page, consoleErrors, close } = await open();
    await untilAll(page);
    await page.getByRole('button', { name: 'Add keywords' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    await dialog.getByLabel('Phrases').fill('zebra crossing\nzebra stripes, zebra');
    await dialog.getByText('+3 searches a day').waitFor();
    await dialog.getByText('3 new, 0 already followed, 0 repeated').waitFor();
    await dialog.getByRole('button', { name: 'Add 3 keywords' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: /^5,000 keywords/ })
      .or(page.getByText(/5,003 keywords/))
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Search phrases' }).fill('zebra');
    await page.getByText('3 of', { exact: false }).first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all shown' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 keywords are back').waitFor();
    await page.getByRole('link', { name: 'zebra stripes' }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  }, 120_000);

  test('the whole way by keyboard: past the navigation, into the table, along the rows, into a keyword and back', async () => {
    const { page, close } = await open('?q=word 12');
    // While pages arrive the rows still change places, and what has the focus may leave the view.
    await page.getByText(/^[\d,]+ of 5,000 keywords(?! · loading)/).waitFor({ timeout: 60_000 });
    await page.locator('[data-index="0"]').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the page');
    await page.keyboard.press('Enter');
    const inTable = () => page.evaluate(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') ?? null);
    for (let presses = 0; presses < 40 && (await inTable()) === null; presses++) await page.keyboard.press('Tab');
    expect(await inTable()).toBe('0');
    await page.keyboard.press('j');
    await page.waitForFunction(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') === '1');
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') === '2');
    const phrase = await page.evaluate(() => document.activeElement!.textContent);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: phrase, level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Keywords', level: 1 }).waitFor();
    await close();
  }, 120_000);

  test('another language on an open page: its texts are fetched before anything changes, no key is ever shown', async () => {
    const { page, consoleErrors, close } = await open('?q=word 12');
    await page.getByText(/^[\d,]+ of 5,000 keywords/).waitFor({ timeout: 60_000 });
    await page.evaluate(() => {
      const shown = new Set<string>();
      Object.assign(window, { shownKeys: shown });
      const look = () => {
        for (const key of document.body.innerText.match(/\b[a-z][A-Za-z]*(\.[a-z]\w+)+\b/g) ?? []) shown.add(key);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('textbox', { name: 'Begriffe durchsuchen' }).waitFor();
    await page.getByRole('link', { name: 'Verteilung' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Verteilung der Positionen' }).waitFor();
    expect(await page.evaluate(() => [...(window as unknown as { shownKeys: Set<string> }).shownKeys])).toEqual([]);
    expect(consoleErrors).toEqual([]);
    await close();
  }, 120_000);
});
