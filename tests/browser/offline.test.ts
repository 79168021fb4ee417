import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
keepOrder('the server goes away and comes back');

const listCaches = (page: Page): Promise<string[]> => page.evaluate(async () => caches.keys());
const listKept = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.endsWith('-state'));
    const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return lists.flat().map(({ url }) => new URL(url).pathname.replace('/api/backend', ''));
  });

describe.skipIf(!browser)('the last state', () => {
  let testApp: DemoTestApp;
  let context: BrowserContext;
  let page: Page;
  const overview = () => `${testApp.webUrl}/apps/${testApp.apps.ios}`;
  const keywords = () => `${overview()}/keywords`;
  const notice = () => page.getByText(/You see the state of .+; the server does not respond/);
  const rows = () => page.locator('main [data-index="0"]');
  const addButton = () => page.getByRole('button', { name: 'Add keywords' }).first();

  beforeAll(async () => {
    testApp = await startDemoTestApp({ killable: true });
    context = await browser!.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    await context.addCookies([{ ...(await testApp.signIn()), url: testApp.webUrl }]);
    page = await context.newPage();
    await page.goto(keywords());
    await rows().waitFor();
    // The worker is there from the second load on.
    await page.evaluate(async () => navigator.serviceWorker.ready);
    await page.reload();
    await rows().waitFor();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('is never shown while the server responds', async () => {
    await expect.poll(() => listKept(page)).toContain('/auth/session');
    const { name } = await page.evaluate(async () =>
      (await fetch('/api/backend/workspace')).json(),
    );
    await testApp.change("update workspaces set name = 'Renamed' where id = $1", [
      testApp.workspaceId,
    ]);
    expect(name).not.toBe('Renamed');
    const again = await page.evaluate(async () => (await fetch('/api/backend/workspace')).json());
    expect(again.name).toBe('Renamed');
    expect(await notice().count()).toBe(0);
    expect((await listKept(page)).some((path) => /\/(?:live|health|jobs\/\d)/.test(path))).toBe(
      false,
    );
  });

  test('has data that arrived before the session', async () => {
    await page.evaluate(async () => {
      // The worker forgets the state when a session has ended.
      const { status } = await fetch('/api/backend/workspace', { credentials: 'omit' });
      if (status !== 401) throw new Error(`without a session it has status ${status}`);
      await fetch('/api/backend/alerts/rules');
      await fetch('/api/backend/auth/session');
    });
    await expect.poll(() => listKept(page)).toContain('/alerts/rules');
    await page.reload();
    await rows().waitFor();
    // The rows of the table, and the last run at the top.
    await expect
      .poll(() => listKept(page))
      .toEqual(
        expect.arrayContaining([`/apps/${testApp.apps.ios}/keywords`, '/runs', '/jobs/budget']),
      );
  });

  test('is not shown for one read that fails alone', async () => {
    await testApp.pool.query(
      `create function fail_read() returns boolean language plpgsql
         as $$ begin raise sqlstate '40P01'; end $$;
       create policy failing on alert_rules as restrictive for select using (fail_read());
       insert into alert_rules (workspace_id, rules, saved_at)
         values (${testApp.workspaceId}, '[]', now())`,
    );
    const response = await page.evaluate(async () => {
      const { status, headers } = await fetch('/api/backend/alerts/rules');
      return { status, keptAt: headers.get('x-toprung-kept-at') };
    });
    expect(response).toEqual({ status: 503, keptAt: null });
    await goTo(page, '/alerts?tab=rules');
    await page.getByRole('main').getByRole('alert').first().waitFor();
    expect(await notice().count()).toBe(0);
    await testApp.pool.query('drop policy failing on alert_rules; delete from alert_rules');
    await page.goto(keywords());
    await rows().waitFor();
  });

  test('is shown read-only while the API is away, and live again afterwards', async () => {
    await testApp.killApi();
    await page.reload();
    await rows().waitFor();
    await notice().waitFor();
    await expect.poll(() => addButton().isDisabled()).toBe(true);
    await page.locator('header [data-state="away"]').waitFor();
    await testApp.startApi();
    await notice().waitFor({ state: 'hidden', timeout: 90_000 });
    await expect.poll(() => addButton().isDisabled()).toBe(false);
  }, 240_000);

  test('is shown read-only without a network', async () => {
    await context.setOffline(true);
    await page.reload();
    await rows().waitFor();
    await notice().waitFor();
    await context.setOffline(false);
    await notice().waitFor({ state: 'hidden', timeout: 90_000 });
  });

  test('is deleted at sign-out, with everything else that was kept', async () => {
    expect(await listCaches(page)).not.toEqual([]);
    await page.getByRole('button', { name: 'Account menu' }).click();
    // Files that arrive while the caches are deleted do not create them again.
    await page.evaluate(() => {
      const asset = document.querySelector<HTMLScriptElement>('script[src*="/assets/"]')!.src;
      const request = async (name: string) => {
        for (let n = 0; ; n += 1) await fetch(`${asset}?${name}=${n}`).catch(() => undefined);
      };
      for (const name of ['a', 'b', 'c', 'd']) void request(name);
    });
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => listCaches(page)).toEqual([]);
    await expect
      .poll(() =>
        page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
      )
      .toBe(0);
    await context.setOffline(true);
    expect(await page.goto(keywords()).catch(() => null)).toBeNull();
    await context.setOffline(false);
  });
});
