import { mkdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '#cli/demo-plan.ts';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

keepOrder('a workspace is suspended and restored from one test to the next');

const browser = await launchBrowser();
/** The long form checks each width in both schemes. */
const isLong = Boolean(process.env.TORTURE ?? process.env.SHOTS);
const tabs = [
  ['workspaces', 'Workspaces'],
  ['capacity', 'Top workspaces by usage'],
  ['stores', 'Proxies'],
  ['backups', 'Backups'],
] as const;
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

describe.skipIf(!browser)('the operator’s pages', () => {
  let testApp: DemoTestApp;
  let otherId: number;
  beforeAll(async () => {
    testApp = await startDemoTestApp({
      environment: {
        BILLING_ENABLED: 'true',
        OPERATOR_EMAILS: demoEmail,
        UPDATE_CHECK_URL: 'http://127.0.0.1:1/',
      },
    });
    const { rows } = await testApp.pool.query(
      "insert into workspaces (name, created_at, status, trial_ends_at) values ('Blue " +
        "Otter', now(), 'trial', now() + interval '9 days') returning id",
    );
    otherId = rows[0].id;
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
  const press = async (page: Page, name: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const stateOf = async () =>
    (
      await testApp.pool.query(
        'select state, plan, suspended_reason as reason from workspaces where id = $1',
        [otherId],
      )
    ).rows[0];

  test('say which newer release there is', async () => {
    await testApp.pool.query("update instance set newest_version = '99.1.2'");
    const { page, consoleErrors, close } = await testApp.open(browser!, '/admin');
    await page.getByRole('status').filter({ hasText: 'Version 99.1.2 is available' }).waitFor();
    await testApp.pool.query('update instance set newest_version = null');
    await page.reload();
    await rowOf(page, 'Blue Otter').waitFor();
    expect(await page.getByText('is available').count()).toBe(0);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('find a workspace, suspend it with a reason, lift that, and set its plan', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    await page.getByRole('link', { name: 'Admin' }).click();
    await rowOf(page, 'Blue Otter').getByText('trial').waitFor();
    await rowOf(page, demoEmail).waitFor();
    await page.getByRole('textbox', { name: 'Search' }).fill('otter');
    await rowOf(page, demoEmail).waitFor({ state: 'detached' });
    await page.waitForURL('**search=otter*');

    await press(page, 'Blue Otter', 'Suspend');
    const dialog = page.getByRole('dialog', { name: 'Suspend Blue Otter' });
    const confirm = dialog.getByRole('button', { name: 'Suspend' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Reason').fill('asks the stores too much');
    if (shots) await page.screenshot({ path: `${shots}/suspend.png` });
    expect(await audit(page)).toEqual([]);
    await confirm.click();
    await rowOf(page, 'Blue Otter')
      .getByText(/asks the stores too much/)
      .waitFor();
    await expect.poll(stateOf).toEqual({
      state: 'suspended',
      plan: null,
      reason: 'asks the stores too much',
    });
    await goTo(page, '/admin?state=suspended');
    await expect.poll(() => page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('');
    await rowOf(page, 'Blue Otter').waitFor();
    await press(page, 'Blue Otter', 'Unsuspend');
    await page.getByText('Blue Otter unsuspended').waitFor();
    await expect.poll(stateOf).toEqual({ state: 'trial', plan: null, reason: null });
    await page.getByRole('heading', { name: 'No workspaces found' }).waitFor();

    await goTo(page, '/admin');
    await press(page, 'Blue Otter', 'Change plan');
    const plan = page.getByRole('dialog', { name: 'Plan of Blue Otter' });
    await plan.getByRole('radio', { name: 'Ultimate' }).waitFor();
    expect(await plan.getByRole('radio', { name: 'No plan' }).count()).toBe(0);
    // Checked before the choice: the button's colours change with it, and not at once.
    expect(await audit(page)).toEqual([]);
    await plan.getByRole('radio', { name: 'Ultimate' }).check();
    await plan.getByRole('button', { name: 'Change plan' }).click();
    await rowOf(page, 'Blue Otter').getByText('Ultimate').waitFor();
    await expect.poll(stateOf).toMatchObject({ state: 'live', plan: 'ultimate' });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('download diagnostics, which name nobody', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/admin');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download diagnostics' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^toprung-diagnostics-[\dT-]+Z\.json$/);
    const text = readFileSync(await download.path(), 'utf8');
    expect(JSON.parse(text).counts.workspaces).toBeGreaterThan(0);
    expect(text).toContain('"check":"database","state":"ok"');
    expect(text).not.toContain(demoEmail);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each([
    { width: 1280, schemes: ['light', 'dark'] },
    { width: 375, schemes: ['dark', 'light'] },
  ] as const)('fit a screen of $width', async ({ width, schemes }) => {
    await testApp.change(
      "update workspaces set suspended_at = now(), suspended_reason = 'did not answer our " +
        "mails' where id = $1",
      [otherId],
    );
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/admin', {
      width,
      colorScheme: schemes[0],
    });
    for (const [tab, heading] of tabs.filter(
      (_, index) => isLong || (index % 2 === 0) === (width === 1280),
    )) {
      await goTo(page, `/admin?tab=${tab}`);
      await page.getByRole('heading', { name: heading }).waitFor();
      await loaded();
      for (const colorScheme of isLong ? schemes : schemes.slice(0, 1)) {
        await setColorScheme(page, colorScheme);
        if (shots)
          await page.screenshot({
            path: `${shots}/admin-${tab}-${colorScheme}-${width}.png`,
            fullPage: true,
          });
        expect({ tab, colorScheme, violations: await audit(page) }).toEqual({
          tab,
          colorScheme,
          violations: [],
        });
      }
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    }
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
