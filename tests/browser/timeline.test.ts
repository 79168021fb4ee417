import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, utcDayOf } from '../../src/lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();
const today = utcDayOf(new Date());
const longText = 'Words to be found. '.repeat(60);

describe.skipIf(!browser)('the timeline', () => {
  let stage: DemoStage;
  const path = () => `/apps/${stage.apps.ios}/timeline`;
  beforeAll(async () => {
    stage = await startDemoStage();
    await changeListing(stage, addDays(today, -3));
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });
  const itemOf = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });

  test('tells each day once, newest first, and is told how much there is', async () => {
    const { page, consoleErrors, foreignRequests, close } = await stage.open(browser!, path());
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    const days = await page.locator('section[aria-labelledby^="day-"]').evaluateAll((all) => all.map((one) => one.getAttribute('aria-labelledby')!));
    expect(days.length).toBeGreaterThan(8);
    expect(days).toEqual([...new Set(days)].toSorted().toReversed());
    const { rows } = await stage.pool.query('select text from annotations where app_id = $1', [stage.apps.ios]);
    expect(rows.length).toBeGreaterThan(0);
    for (const { text } of rows) await itemOf(page, text).waitFor();
    await itemOf(page, 'The daily run was missed').getByRole('link').waitFor();
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    await close();
  }, 60_000);

  test('shows a change word by word, and its impact beside keywords that it left alone', async () => {
    const { page, consoleErrors, close } = await stage.open(browser!, path());
    const change = itemOf(page, 'Lumen: Planner & Mood Journal');
    await change.getByRole('button', { name: /^What changed/ }).click();
    const name = change.getByRole('region', { name: 'Name', exact: true });
    await name.waitFor();
    expect(await name.locator('del').allTextContents()).toEqual(['Habit']);
    expect(await name.locator('ins').allTextContents()).toEqual(['Planner']);
    expect(await change.getByRole('region', { name: 'Description' }).locator('ins').first().textContent()).toContain('Words to be found.');

    const impact = change.getByRole('button', { name: /^Impact on positions/ });
    await impact.click();
    expect(await impact.getAttribute('aria-expanded')).toBe('true');
    const table = change.getByRole('region', { name: 'Touched keywords against the others' });
    await table.waitFor();
    await change.getByText('A correlation, not a proof', { exact: false }).waitFor();
    const shown = await table.locator('tbody tr').evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent)));
    const told = await readImpact(page);
    expect(shown.map((row) => row.slice(1, 3).map(Number))).toEqual([
      [told.affected.keywords, told.affected.compared],
      [told.control.keywords, told.control.compared],
    ]);
    await change.getByText('28 days', { exact: true }).click();
    await page.waitForResponse((answer) => answer.url().includes('windowDays=28'));
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);

  test('kinds, whose changes and the country are in the address', async () => {
    const { page, close } = await stage.open(browser!, `${path()}?kinds=annotation,run`);
    await itemOf(page, 'The daily run was missed').waitFor();
    expect(await page.getByRole('button', { name: 'Notes', exact: true }).getAttribute('aria-pressed')).toBe('true');
    expect(await itemOf(page, /keywords? rose/).count()).toBe(0);
    await page.getByRole('button', { name: 'Missed runs', exact: true }).click();
    await itemOf(page, 'The daily run was missed').waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('kinds')).toBe('annotation');

    await page.goto(`${stage.webUrl}${path()}?kinds=change&country=de`);
    await page.getByText('Nothing happened on these days').waitFor();
    await page.goto(`${stage.webUrl}${path()}?kinds=change&country=us`);
    await itemOf(page, 'Lumen: Planner & Mood Journal').waitFor();
    await page.getByText('Competitors', { exact: true }).last().click();
    await page.getByText('Nothing happened on these days').waitFor();
    expect(new URL(page.url()).searchParams.get('scope')).toBe('competitors');
    await page.getByRole('button', { name: 'Show all kinds' }).click();
    await page.waitForURL((url) => !url.searchParams.has('kinds'));
    await close();
  }, 60_000);

  test('a note is added, changed and deleted by keyboard alone, and comes back', async () => {
    const { page, consoleErrors, close } = await stage.open(browser!, path());
    const add = page.getByRole('button', { name: 'Add a note' });
    await add.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Paid campaign begins');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const note = itemOf(page, 'Paid campaign begins');
    await note.waitFor();
    await note.getByRole('button', { name: /^Edit the note/ }).press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.type(' today');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await itemOf(page, 'Paid campaign begins today')
      .getByRole('button', { name: /^Delete the note/ })
      .press('Enter');
    await itemOf(page, 'Paid campaign begins today').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await itemOf(page, 'Paid campaign begins today').waitFor();
    const { rows } = await stage.pool.query(`select on_date::text as date from annotations where text = 'Paid campaign begins today'`);
    expect(rows).toEqual([{ date: today }]);
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);

  test('what could not be read says so and can be tried again', async () => {
    const { page, close } = await stage.open(browser!, '/settings');
    await page.route('**/timeline?*', (route) =>
      route.fulfill({ status: 404, json: { statusCode: 404, code: 'not_found', error: 'Not Found', message: 'There is no such app.' } }),
    );
    await page.goto(`${stage.webUrl}${path()}`);
    await page.getByRole('alert').waitFor();
    await close();
  }, 60_000);

  test('a suspended workspace reads on and writes nothing', async () => {
    await stage.pool.query(`update workspaces set state = 'suspended' where id = $1`, [stage.workspaceId]);
    const { page, close } = await stage.open(browser!, path());
    const add = page.getByRole('button', { name: 'Add a note' });
    await add.waitFor();
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await add.click({ force: true });
    expect(await page.getByRole('textbox', { name: 'What happened' }).count()).toBe(0);
    await close();
    await stage.pool.query(`update workspaces set state = 'live' where id = $1`, [stage.workspaceId]);
  }, 60_000);

  test.each([
    ['light', 1280],
    ['dark', 375],
  ] as const)(
    'is accessible and fits, %s at %i',
    async (colorScheme, width) => {
      const { page, close } = await stage.open(browser!, path(), { colorScheme, width });
      const change = itemOf(page, 'Lumen: Planner & Mood Journal');
      await change.getByRole('button', { name: /^What changed/ }).click();
      await change.locator('ins').first().waitFor();
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      if (process.env.SHOTS) await page.screenshot({ path: `/tmp/shots/timeline-${colorScheme}-${width}.png`, fullPage: true });
      await close();
    },
    60_000,
  );
});

/** A reading of the own listing in the United States with another name and description, as the daily run would have kept it. */
async function changeListing(stage: DemoStage, day: string): Promise<void> {
  const { rows } = await stage.pool.query(
    `select s.* from snapshots s join apps a on a.listing_id = s.listing_id where a.id = $1 and s.country = 'us' order by s.id desc limit 1`,
    [stage.apps.ios],
  );
  const before = rows[0];
  const changed = { name: before.fields.name.replace('Habit', 'Planner'), description: `${longText}${before.fields.description ?? ''}` };
  const at = `${day}T02:00:00Z`;
  const kept = await stage.pool.query(
    `insert into snapshots (listing_id, country, language, taken_at, content_hash, fields)
     values ($1, $2, $3, $4, sha256(convert_to($5, 'UTF8')), $6) returning id`,
    [before.listing_id, before.country, before.language, at, JSON.stringify(changed), { ...before.fields, ...changed }],
  );
  for (const [field, after] of Object.entries(changed)) {
    await stage.pool.query(
      `insert into changes (listing_id, country, language, field, before, after, version, detected_at, previous_at, snapshot_id)
       values ($1, $2, $3, $4, $5, $6, null, $7, $8, $9)`,
      [
        before.listing_id,
        before.country,
        before.language,
        field,
        JSON.stringify(before.fields[field]),
        JSON.stringify(after),
        at,
        `${addDays(day, -1)}T02:00:00Z`,
        kept.rows[0].id,
      ],
    );
  }
}

async function readImpact(page: Page) {
  return page.evaluate(async () => {
    const apps = location.pathname.split('/')[2];
    const read = async (path: string) => (await fetch(`/api/backend${path}`)).json();
    const { items } = await read(`/apps/${apps}/timeline?kind=change&scope=own`);
    return read(`${items[0].links.impact}?windowDays=14`);
  });
}
