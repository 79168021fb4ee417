import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';

const browser = await launchBrowser();

interface Shown {
  from: string;
  to: string;
  movers: { keywordId: number; phrase: string }[];
}

describe.skipIf(!browser)('the briefing', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('is the first page, and each move leads to the results of both days', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/');
    await page.waitForURL('**/briefing');
    const briefing: Shown = await page.evaluate(
      async (id) => (await fetch(`/api/backend/apps/${id}/briefing?limit=15`)).json(),
      testApp.apps.ios,
    );
    const card = page.getByRole('region', { name: /iOS$/ });
    const rows = card.getByRole('listitem');
    await rows.first().waitFor();
    await expect
      .poll(() => rows.getByRole('link', { name: /./ }).first().textContent())
      .toBe(briefing.movers[0]!.phrase);
    await expect.poll(() => rows.count()).toBe(briefing.movers.length);
    await rows.first().getByRole('link', { name: 'Compare results' }).click();
    await page.waitForURL(
      (url) =>
        url.pathname === `/keywords/${briefing.movers[0]!.keywordId}/serp` &&
        url.searchParams.get('day') === briefing.to &&
        url.searchParams.get('with') === briefing.from,
    );
    await page.getByRole('heading', { name: /dropped out/ }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);

  test('the bell counts unread alerts until they are shown', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    const bell = page.getByRole('link', { name: /^Alerts: / });
    await page.getByRole('link', { name: /^Alerts: \d/ }).waitFor();
    await expect.poll(() => bell.textContent()).toBe('99+');
    await bell.click();
    await page.waitForURL('**/alerts');
    await page.getByRole('link', { name: 'Alerts: none unread' }).waitFor();
    // An event that was new when the page opened stays marked.
    await page.getByRole('listitem').getByText('unread', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Briefing' }).click();
    await page.getByText('No unread alerts.').waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);

  test('compares with the day of the last visit, or with yesterday', async () => {
    await testApp.pool.query(
      `insert into briefing_visits (workspace_id, user_id, visited_on, previous_on)
       select workspace_id, user_id, current_date, current_date - 6 from memberships
       where workspace_id = $1
       on conflict (workspace_id, user_id) do update set previous_on = excluded.previous_on,
         visited_on = excluded.visited_on`,
      [testApp.workspaceId],
    );
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    await page
      .getByText(/^Since your visit on /)
      .first()
      .waitFor();
    await page.getByText('Yesterday', { exact: true }).click();
    await page.waitForURL('**since=yesterday*');
    await page
      .getByText(/^Since your visit on /)
      .first()
      .waitFor({ state: 'detached' });
    expect(consoleErrors).toEqual([]);
    await close();
  }, 60_000);
});
