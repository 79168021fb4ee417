import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { audit } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

/** Keeps matching requests waiting: `arrived` resolves at the first one, `release` lets them go. */
async function hold(page: Page, pattern: RegExp, method?: string) {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(pattern, async (route) => {
    if (method === undefined || route.request().method() === method) {
      arrival.resolve();
      await gate.promise;
    }
    await route.continue();
  });
  return { arrived: arrival.promise, release: gate.resolve };
}

/** The name of the CSV that a chart is saved as. */
const isChanged = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok());

async function saveCsv(page: Page, title: string): Promise<string> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: `Save: ${title}` }).click();
  await page.getByRole('menuitem', { name: 'Table (CSV)' }).click();
  return (await saved).suggestedFilename();
}

const today = utcDayOf(new Date());
const lastDays = (days: number) => `${addDays(today, 1 - days)}-${today}`;

describe.skipIf(!browser)('figures and rules while something else loads', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('a comparison keeps its days, and its CSV waits, while other days load', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}/distribution`,
    );
    const table = page.getByRole('region', { name: 'Table: Compare two days' });
    const heads = () => table.locator('th').allTextContents();
    const csv = page.getByRole('button', { name: 'Download CSV: Compare two days' });
    await table.locator('tbody tr').first().waitFor();
    const before = await heads();
    const held = await hold(page, /\/rankings\/compare\?/);
    const first = page.getByLabel('First day', { exact: true });
    const day = addDays(await first.inputValue(), 1);
    await first.fill(day);
    await held.arrived;
    await expect.poll(() => first.inputValue()).toBe(day);
    expect(await heads()).toEqual(before);
    await expect.poll(() => csv.getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => page.locator('[data-stale]').count()).toBe(1);
    expect(await heads()).toEqual(before);
    held.release();
    await expect.poll(heads).not.toEqual(before);
    await expect.poll(() => csv.getAttribute('aria-disabled')).toBeNull();
    const saved = page.waitForEvent('download');
    await csv.click();
    expect((await saved).suggestedFilename()).toContain(`-${day}-`);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the CSV of positions of competitors waits while another filter loads', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}/competitors?tab=matrix`,
    );
    const csv = page.getByRole('main').getByRole('button', { name: /^Download CSV: / });
    const waits = () => csv.getAttribute('aria-disabled');
    await expect.poll(waits).toBeNull();
    const held = await hold(page, /\/apps\/\d+\/keywords\?.*q=journal/);
    await page.getByRole('main').locator('input[data-search]').fill('journal');
    await held.arrived;
    await expect.poll(waits).toBe('true');
    held.release();
    await expect.poll(waits).toBeNull();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('a backtest keeps its number of days while another one loads', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/alerts?tab=rules');
    const total = page.getByText(/alerts? in the last \d+ days/);
    await expect.poll(() => total.textContent()).toContain('in the last 30 days');
    const before = await total.textContent();
    const held = await hold(page, /\/alerts\/rules\/backtest$/);
    await page.getByText('90 days', { exact: true }).click();
    await held.arrived;
    await expect.poll(() => page.getByRole('radio', { name: '90 days' }).isChecked()).toBe(true);
    expect(await total.textContent()).toBe(before);
    held.release();
    await expect.poll(() => total.textContent()).toContain('in the last 90 days');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('a history keeps its period while another one loads', async () => {
    const path = (days: number) => `/keywords/${testApp.keywordId}?days=${days}&versus=previous`;
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path(7));
    const periods = page.getByRole('listitem').filter({ hasText: /: (average|no) position/ });
    const chart = page.getByRole('img', { name: /^Position of/ });
    await periods.nth(1).waitFor();
    await loaded();
    const read = async () => [
      ...(await periods.allTextContents()),
      await chart.getAttribute('aria-label'),
    ];
    const before = await read();
    const held = await hold(page, /\/keywords\/\d+\/rankings\?/);
    await goTo(page, path(30));
    await held.arrived;
    expect(await read()).toEqual(before);
    expect(await saveCsv(page, 'Position history')).toContain(lastDays(7));
    held.release();
    await periods.nth(1).waitFor();
    await expect.poll(read).not.toEqual(before);
    // The period before it has a request of its own.
    await loaded();
    expect(await saveCsv(page, 'Position history')).toContain(lastDays(30));
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('visibility keeps its period while another one loads, but not its app', async () => {
    const path = (days: number) => `/apps/${testApp.apps.ios}?days=${days}&versus=previous`;
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path(7));
    const periods = page
      .getByRole('listitem')
      .filter({ hasText: /: average [\d.]+ on \d+ days?, / });
    await periods.nth(1).waitFor();
    await loaded();
    const before = await periods.allTextContents();
    const held = await hold(page, /\/visibility\?/);
    await goTo(page, path(14));
    await held.arrived;
    expect(await periods.allTextContents()).toEqual(before);
    const save = page.getByRole('button', { name: /^Save: Visibility/ });
    expect(await save.count()).toBe(1);
    await goTo(page, `/apps/${testApp.apps.android}?days=14`);
    expect(await save.count()).toBe(0);
    held.release();
    await save.waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  const suggestions = (page: Page) => {
    const table = page.getByRole('region', { name: 'Table: Keyword suggestions' });
    const boxes = table.getByRole('checkbox');
    const names = () =>
      boxes.evaluateAll((inputs) => inputs.map((input) => input.getAttribute('aria-label')));
    return { boxes, names };
  };

  test('refreshed suggestions are those of their seed, not of the one that is shown', async () => {
    const path = (seed: string) =>
      `/apps/${testApp.apps.ios}/suggestions?country=us&source=autocomplete&seed=${seed}`;
    const { page, consoleErrors, close } = await testApp.open(browser!, path('sleep'));
    const { boxes, names } = suggestions(page);
    await boxes.first().waitFor();
    const before = await names();
    await goTo(page, path('habit'));
    await expect.poll(names).not.toEqual(before);
    await boxes.first().waitFor();
    const held = await hold(page, /\/keyword-suggestions\?.*refresh=true/);
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await refresh.click();
    await held.arrived;
    await goTo(page, path('sleep'));
    await expect.poll(names).toEqual(before);
    held.release();
    await expect.poll(() => refresh.isEnabled()).toBe(true);
    expect(await names()).toEqual(before);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('phrases that are selected while others are added stay selected', async () => {
    const path = `/apps/${testApp.apps.ios}/suggestions?country=us&source=autocomplete&seed=sleep`;
    const { page, consoleErrors, close } = await testApp.open(browser!, path);
    const { boxes, names } = suggestions(page);
    await boxes.first().waitFor();
    const [first, second] = await names();
    const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
    await box(first!).check();
    const held = await hold(page, /\/apps\/\d+\/keywords$/, 'POST');
    await page.getByRole('button', { name: 'Track 1 phrase' }).click();
    await held.arrived;
    await box(second!).check();
    held.release();
    await box(first!).waitFor({ state: 'detached' });
    expect(await box(second!).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Track 1 phrase' }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the week of a digest keeps its focus and what is typed while a week loads', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/digest');
    const day = page.getByLabel('Select a week by any of its days');
    const [previous, next] = ['Previous week', 'Next week'].map((name) =>
      page.getByRole('link', { name }),
    );
    const isFocused = (control = day) =>
      control.evaluate((element) => element === document.activeElement);
    const week = () => new URL(page.url()).searchParams.get('week');
    await expect.poll(() => day.inputValue()).not.toBe('');
    const last = await day.inputValue();
    const held = await hold(page, /\/digests\/weekly\?week=[\d-]+$/);
    await previous!.press('Enter');
    await held.arrived;
    await expect.poll(() => day.inputValue()).toBe(addDays(last, -7));
    expect(await isFocused(previous)).toBe(true);
    held.release();
    await page.getByText(/ to .*, UTC$/).waitFor();
    expect(await isFocused(previous)).toBe(true);
    // The week of today is the last one that can be selected.
    for (const days of [0, 7]) {
      await next!.press('Enter');
      await expect.poll(week).toBe(addDays(last, days));
    }
    await expect.poll(() => next!.getAttribute('aria-disabled')).toBe('true');
    await next!.press('Enter');
    expect([week(), await isFocused(next)]).toEqual([addDays(last, 7), true]);
    expect(await audit(page)).toEqual([]);

    const typed = addDays(last, -26);
    const [year, month, date] = typed.split('-');
    await day.focus();
    await page.keyboard.type(`${month}${date}${year}`);
    expect([week(), await day.inputValue()]).toEqual([addDays(last, 7), typed]);
    await page.keyboard.press('Enter');
    await expect.poll(week).toBe(typed);
    // A week starts on a Monday.
    await expect.poll(() => day.inputValue()).toBe(addDays(last, -28));
    expect(await isFocused()).toBe(true);
    await previous!.focus();
    await day.focus();
    await page.keyboard.type(`${month}${date}${year}`);
    await previous!.focus();
    await expect.poll(week).toBe(typed);
    // As the calendar of the browser does: no key is pressed.
    await day.click();
    await day.fill(last);
    await expect.poll(week).toBe(last);
    expect(await isFocused()).toBe(true);
    // The same day twice: the second time the week stays.
    const [monday, wednesday] = [addDays(last, -14), addDays(last, -12)];
    await day.fill(wednesday);
    await expect.poll(() => day.inputValue()).toBe(monday);
    await day.fill(wednesday);
    await previous!.press('Enter');
    await expect.poll(() => day.inputValue()).toBe(addDays(monday, -7));
    await day.focus();
    await previous!.focus();
    expect([week(), await day.inputValue()]).toEqual(Array(2).fill(addDays(monday, -7)));
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('changed alert rules survive leaving the tab, and changes during a save', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/alerts?tab=rules');
    const minimum = page.getByRole('textbox', { name: 'Minimum change (positions)' }).first();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const comeBack = async () => {
      await goTo(page, '/alerts');
      await minimum.waitFor({ state: 'detached' });
      await goTo(page, '/alerts?tab=rules');
      await minimum.waitFor();
    };
    const saved = await minimum.inputValue();
    await minimum.fill('42');
    await button('Save rules').waitFor();
    await comeBack();
    await expect.poll(() => minimum.inputValue()).toBe('42');
    await button('Discard').click();
    await expect.poll(() => minimum.inputValue()).toBe(saved);
    await button('Undo').click();
    await expect.poll(() => minimum.inputValue()).toBe('42');

    const held = await hold(page, /\/alerts\/rules$/, 'PUT');
    await button('Save rules').click();
    await held.arrived;
    await minimum.fill('43');
    held.release();
    await page.getByText('Rules saved.').first().waitFor();
    expect(await minimum.inputValue()).toBe('43');
    // The rules that were saved meanwhile are the base of the draft: nothing conflicts.
    await page.reload();
    await expect.poll(() => minimum.inputValue()).toBe('43');
    await button('Save rules').click();
    await page.getByText('Rules saved.').first().waitFor();
    await button('Save rules').waitFor({ state: 'detached' });
    const { rows } = await testApp.pool.query('select rules from alert_rules');
    expect(JSON.stringify(rows)).toContain('"minPositions":43');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('settings that are changed during a save stay', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/settings');
    const field = (name: string) => page.getByRole('textbox', { name });
    const [depth, positions] = [
      field('Default depth of new keywords'),
      field('Large change (positions)'),
    ];
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await depth.fill('90');
    const held = await hold(page, /\/settings$/, 'PATCH');
    await save.click();
    await held.arrived;
    await positions.fill('7');
    held.release();
    await page.getByText('Settings saved.').first().waitFor();
    expect([await depth.inputValue(), await positions.inputValue()]).toEqual(['90', '7']);
    await Promise.all([isChanged(page), save.click()]);
    await page.reload();
    await expect.poll(() => positions.inputValue()).toBe('7');

    await goTo(page, '/settings?tab=workspace');
    const name = field('Workspace name');
    const rename = page.getByRole('button', { name: 'Rename' });
    await name.fill('First');
    const heldName = await hold(page, /\/workspace$/, 'PATCH');
    await rename.click();
    await heldName.arrived;
    await name.fill('Second');
    heldName.release();
    await page.getByText('Workspace renamed.').first().waitFor();
    expect(await name.inputValue()).toBe('Second');
    await Promise.all([isChanged(page), rename.click()]);
    await page.reload();
    await expect.poll(() => name.inputValue()).toBe('Second');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the filter of the audit log follows the address', async () => {
    const path = '/settings?tab=audit';
    const { page, consoleErrors, close } = await testApp.open(browser!, `${path}&actor=eve`);
    const actor = page.getByRole('textbox', { name: 'User' });
    await expect.poll(() => actor.inputValue()).toBe('eve');
    await goTo(page, path);
    await expect.poll(() => actor.inputValue()).toBe('');
    await actor.pressSequentially('Bob ');
    await page.waitForURL(/actor=Bob/);
    await actor.pressSequentially('B');
    expect(await actor.inputValue()).toBe('Bob B');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the locale of a keyword field follows the address', async () => {
    const path = `/apps/${testApp.apps.ios}/keyword-field`;
    const { page, consoleErrors, close } = await testApp.open(browser!, path);
    const locale = page.getByRole('textbox', { name: 'Language' });
    await goTo(page, `${path}?locale=de-DE`);
    await expect.poll(() => locale.inputValue()).toBe('de-DE');
    await page.goBack();
    await expect.poll(() => locale.inputValue()).toBe('en-US');
    await locale.focus();
    await locale.blur();
    expect(new URL(page.url()).searchParams.get('locale')).toBeNull();
    // The focus stays while the locale is chosen.
    await locale.fill('fr-FR');
    await locale.press('Enter');
    await page.waitForURL('**/keyword-field?locale=fr-FR');
    await expect
      .poll(() => locale.evaluate((input) => input === document.activeElement))
      .toBe(true);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
