import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { makeDataDir, removeDataDir } from '../harness/product.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();
const modes = (['light', 'dark'] as const).flatMap((colorScheme) => [1280, 375].map((width) => ({ colorScheme, width })));
const today = new Date().toISOString().slice(0, 10);

/** What the press of a button saves. */
async function save(page: Page, press: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

describe.skipIf(!browser)('import and export', () => {
  let stage: DemoStage;
  let folder: string;
  beforeAll(async () => {
    [stage, folder] = await Promise.all([startDemoStage({ worker: true }), makeDataDir()]);
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
    await removeDataDir(folder);
  });
  const write = (name: string, text: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };

  test.each(modes)('$colorScheme at $width', async ({ colorScheme, width }) => {
    const { page, consoleErrors, foreignRequests, close } = await stage.open(browser!, '/data', { colorScheme, width });
    for (const tab of ['export', 'import']) {
      await page.goto(`${stage.webUrl}/data?tab=${tab}`);
      await page.locator('#main section').first().waitFor();
      await page.waitForLoadState('networkidle');
      expect({ tab, violations: await audit(page) }).toEqual({ tab, violations: [] });
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
    await close();
  });

  test('one app: kind, days and format are in the address, and the file holds them', async () => {
    const from = addDays(today, -4);
    const { page, close } = await stage.open(browser!, `/data?app=${stage.apps.android}&kind=keywords&from=${from}`);
    const download = page.getByRole('button', { name: 'Download' });
    const keywords = await save(page, () => download.click());
    expect(keywords.name).toMatch(/\.csv$/);
    expect(keywords.text.trim().split('\n').length).toBeGreaterThan(20);
    await page.getByRole('radio', { name: 'Positions' }).check();
    await page.getByText('JSON', { exact: true }).click();
    await page.waitForURL('**format=json*');
    const positions = JSON.parse((await save(page, () => download.click())).text) as { items: { date: string }[]; count: number };
    expect(positions.items.length).toBe(positions.count);
    expect(positions.items.every(({ date }) => date >= from)).toBe(true);
    await page.getByLabel('To (UTC day)').fill(addDays(from, -1));
    await page.getByText('This is before the first day.').waitFor();
    expect(await download.isDisabled()).toBe(true);
    await close();
  }, 60_000);

  test('a history of another tool: columns found, rows judged, missing keywords followed, each row told', async () => {
    const day = (ago: number) => {
      const [year, month, date] = addDays(today, -ago).split('-');
      return `${date}/${month}/${year}`;
    };
    const lines = [
      'Search Term;Store Country;Date;Rank',
      `mandala journal;US;${day(40)};7`,
      `mandala journal;US;${day(39)};>100`,
      `mandala journal;us;${day(38)};-`,
      `mandala journal;Atlantis;${day(38)};4`,
      `mandala journal;us;soon;4`,
    ];
    // A spreadsheet's own way: UTF-16 with a mark in front.
    const path = write('history.csv', Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`, 'utf16le'));
    const { page, consoleErrors, close } = await stage.open(browser!, '/data?tab=import');
    await page.locator('input[type=file]').first().setInputFiles(path);
    await page.getByText('3 rows for 1 keyword').waitFor();
    await page.getByText('1 row is left out: its country is none we know (row 4).').waitFor();
    await page.getByText('1 row is left out: its date cannot be read (row 5).').waitFor();
    await page.getByText('1 row has neither a position nor a depth').waitFor();
    await page.getByRole('textbox', { name: 'Depth of rows without one' }).fill('100');
    await page.getByText('1 row has neither a position nor a depth').waitFor({ state: 'detached' });
    await page.getByText('Follow the 1 keyword of the file that is not followed yet').waitFor();
    expect(await audit(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: '/tmp/shots/data-plan-light-1280.png', fullPage: true });
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('3 rows added').waitFor();
    await page.getByText('2 rows were left out').waitFor();
    expect(await audit(page)).toEqual([]);
    const { rows } = await stage.pool.query(
      "select k.id from keywords k join markets m on m.id = k.market_id where k.app_id = $1 and m.phrase = 'mandala journal'",
      [stage.apps.ios],
    );
    const history = await page.evaluate(
      async ([id, from, to]) => (await (await fetch(`/api/backend/keywords/${id}/rankings?from=${from}&to=${to}`)).json()).items,
      [rows[0].id, addDays(today, -40), addDays(today, -38)] as const,
    );
    const cells = history.map(({ date, position, depth }: { date: string; position: number | null; depth: number }) => [date, position, depth]);
    expect(cells.toSorted()).toEqual([
      [addDays(today, -40), 7, 100],
      [addDays(today, -39), null, 100],
      [addDays(today, -38), null, 100],
    ]);
    expect(consoleErrors).toEqual([]);
    await close();
  }, 90_000);

  test('a list of keywords; a file that is none is said to be none', async () => {
    const { page, close } = await stage.open(browser!, '/data?tab=import&csv=keywords', { width: 375 });
    const pick = page.locator('input[type=file]').first();
    await pick.setInputFiles(write('empty.csv', 'keyword\n'));
    await page.getByText('There is no line of column names with rows below it').waitFor();
    await pick.setInputFiles(write('list.csv', 'Keyword,Tags\n"night, calm",sleep|new\nnight calm,\nnight  calm,\n'));
    await page.getByText('2 keywords in 3 rows.').waitFor();
    await page.getByRole('button', { name: 'Import 3 rows' }).click();
    await page.getByText('2 rows added').waitFor();
    await page.getByText('1 row repeats an earlier one').waitFor();
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await close();
  }, 60_000);

  test('the whole workspace goes out, is looked into, and comes back into an empty one alone', async () => {
    const { page, close } = await stage.open(browser!, '/data');
    await page.getByRole('button', { name: 'Export everything' }).click();
    const link = page.getByRole('link', { name: 'Download' });
    await link.waitFor({ timeout: 60_000 });
    const file = await save(page, () => link.click());
    const path = write('workspace.ndjson', file.text);
    await page.goto(`${stage.webUrl}/data?tab=import`);
    const pick = page.locator('input[type=file]').nth(1);
    await pick.setInputFiles(write('cut.ndjson', file.text.slice(0, -200)));
    await page.getByText('The end of this file is missing.').waitFor();
    await pick.setInputFiles(write('other.ndjson', '{"a":1}\n'));
    await page.getByText('This is no export of a Toprung workspace.').waitFor();
    await pick.setInputFiles(path);
    await page.getByRole('heading', { name: 'In this file' }).waitFor();
    expect(await page.getByRole('button', { name: 'Import everything' }).isDisabled()).toBe(true);
    expect(await audit(page)).toEqual([]);

    const { rows } = await stage.pool.query('insert into workspaces (name, created_at) select $1, now() returning id', ['Second']);
    await stage.pool.query(
      "insert into memberships (workspace_id, user_id, role, created_at) select $1, user_id, 'owner', now() from sessions limit 1",
      [rows[0].id],
    );
    await stage.pool.query('update sessions set workspace_id = $1', [rows[0].id]);
    await page.goto(`${stage.webUrl}/data?tab=import`);
    await pick.setInputFiles(path);
    await page.getByRole('button', { name: 'Import everything' }).click();
    await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 60_000 });
    await page.getByRole('row', { name: /^keywords / }).waitFor();
    expect(await audit(page)).toEqual([]);
    await page.getByRole('link', { name: 'To your apps' }).click();
    await page.getByRole('heading', { name: 'Keywords', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Choose another app' }).waitFor();
    await close();
  }, 120_000);
});
