import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import {
  prices,
  signEvent,
  startStripeStub,
  webhookSecret,
  type StripeStub,
} from '../harness/stripe-stub.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

keepOrder('the tests are the steps of a workspace from its trial to a plan and out of it');

const browser = await launchBrowser();
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const picture = (page: Page, name: string) =>
  shots ? page.screenshot({ path: `${shots}/${name}.png`, fullPage: true }) : undefined;

describe.skipIf(!browser)('with plans', () => {
  let testApp: DemoTestApp;
  let stripe: StripeStub;
  beforeAll(async () => {
    stripe = await startStripeStub();
    const environment = {
      BILLING_ENABLED: 'true',
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICES: prices
        .map(({ plan, interval, price }) => `${plan}:${interval}=${price}`)
        .join(','),
      STRIPE_BASE_URL: stripe.url,
    };
    testApp = await startDemoTestApp({ environment });
  });
  afterAll(async () => {
    await browser!.close();
    await Promise.all([testApp.stop(), stripe.close()]);
  });

  interface BillingState {
    status: 'trial' | 'live' | 'lapsed';
    plan?: 'indie' | 'ultimate';
    trialEndsAt?: Date;
    suspendedAt?: Date;
    overLimitSince?: Date;
  }
  const become = ({ status, plan, trialEndsAt, suspendedAt, overLimitSince }: BillingState) =>
    testApp.change(
      'update workspaces set status = $2, plan = $3, trial_ends_at = $4, suspended_at = ' +
        '$5, over_limit_since = $6 where id = $1',
      [testApp.workspaceId, status, plan, trialEndsAt, suspendedAt, overLimitSince],
    );
  const bannerOf = (page: Page) => page.locator('[data-frame="page"] [role="status"]').first();

  test('the rest of the hourly allowance is shown where it is used', async () => {
    await become({ status: 'trial', trialEndsAt: inDays(9.5) });
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}/suggestions`,
      { width: 375 },
    );
    const left = page.getByText(/^\d+ of \d+ requests left this hour\. Resets at \d\d:\d\d/);
    const read = async () => Number(/^\d+/.exec((await left.textContent())!)![0]);
    const before = await read();
    await page.getByLabel('Seed keyword').fill('meditation');
    await page.getByRole('button', { name: 'Get suggestions', exact: true }).click();
    await expect.poll(read).toBeLessThan(before);
    expect([consoleErrors, await audit(page), await overflowOf(page)]).toEqual([[], [], 0]);
    await close();
  });

  test('a trial shows its end, with more emphasis in its last days', async () => {
    await become({ status: 'trial', trialEndsAt: inDays(9.5) });
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    await expect.poll(() => bannerOf(page).textContent()).toContain('Trial. 10 days left.');
    await expect.poll(() => bannerOf(page).getAttribute('data-calm')).toBe('true');
    await bannerOf(page).getByRole('link', { name: 'View plans' }).click();
    await page.waitForURL('**/settings/billing');
    await page.getByText('10 days left). It has the limits of the Indie plan.').waitFor();
    const markets = page.getByRole('meter', { name: 'Keyword markets' });
    await expect.poll(() => markets.getAttribute('aria-valuetext')).toMatch(/^\d+ of 1,000$/);
    await page.getByRole('meter', { name: 'App refreshes per day' }).waitFor();
    await page
      .getByRole('table')
      .getByRole('row', { name: /Keyword markets 1,000 10,000 \+9,000/ })
      .waitFor();
    await loaded();
    for (const colorScheme of ['light', 'dark'] as const) {
      await setColorScheme(page, colorScheme);
      await picture(page, `plan-${colorScheme}`);
      // Only colours are different in a second scheme.
      expect(await audit(page, colorScheme === 'light' ? 'all' : 'colours')).toEqual([]);
    }
    await become({ status: 'trial', trialEndsAt: inDays(2.5) });
    await page.reload();
    await expect
      .poll(() => bannerOf(page).textContent())
      .toContain('Trial. 3 days left. After that, daily checks stop');
    await expect.poll(() => bannerOf(page).getAttribute('data-calm')).toBeNull();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('a lapsed and a suspended workspace say what continues and what stopped', async () => {
    await become({ status: 'lapsed', plan: 'indie' });
    const { page, loaded, close } = await testApp.open(browser!, '/settings/billing', {
      width: 375,
      colorScheme: 'dark',
    });
    await expect
      .poll(() => bannerOf(page).textContent())
      .toContain('You can read and export everything. Daily checks are stopped');
    await bannerOf(page).getByRole('link', { name: 'Choose a plan' }).waitFor();
    await page.getByRole('heading', { name: 'No active plan' }).waitFor();
    await page.getByRole('columnheader', { name: /Indie\s*previous plan/ }).waitFor();
    await loaded();
    await picture(page, 'lapsed-375');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await audit(page)).toEqual([]);
    await become({ status: 'live', plan: 'indie', suspendedAt: new Date() });
    await page.reload();
    await expect.poll(() => bannerOf(page).textContent()).toContain('This workspace is suspended.');
    await page.getByRole('heading', { name: 'Suspended' }).waitFor();
    await page.getByText('Your Indie plan is active.').waitFor();
    await close();
  });

  test('a deleted workspace sells no plan until it is restored, still without one', async () => {
    await become({ status: 'lapsed', plan: 'indie' });
    await testApp.change('update workspaces set delete_at = $2 where id = $1', [
      testApp.workspaceId,
      inDays(14),
    ]);
    const { page, loaded, close } = await testApp.open(browser!, '/settings/billing', {
      width: 375,
    });
    await page.getByRole('heading', { name: 'Scheduled for deletion' }).waitFor();
    await page.getByText(/A paid plan ended with the deletion\.$/).waitFor();
    await page.getByText('A plan can be chosen after an owner has restored').first().waitFor();
    await page.getByRole('columnheader', { name: /Indie\s*previous plan/ }).waitFor();
    await loaded();
    expect(await page.getByRole('button', { name: /Monthly|Yearly|Manage/ }).count()).toBe(0);
    expect(await page.getByText('Its plan is unchanged').count()).toBe(0);
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await bannerOf(page).getByRole('button', { name: 'Restore workspace' }).click();
    await page.locator('.toasts').getByText('Workspace restored.', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'No active plan' }).waitFor();
    await page.getByRole('button', { name: 'Ultimate: Monthly' }).waitFor();
    await close();
  });

  test('open invitations occupy seats', async () => {
    await become({ status: 'live', plan: 'indie' });
    const { page, close } = await testApp.open(browser!, '/members');
    await page.getByText('1 of 3 seats used').waitFor();
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Email' }).fill('ben@example.org');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('2 of 3 seats used').waitFor();
    await page.getByRole('button', { name: 'Revoke ben@example.org' }).click();
    await page.getByText('1 of 3 seats used').waitFor();
    await close();
  });

  test.each(
    draw('languages of plans', 1, [
      ['de', 'Plan und Nutzung', 'Kein aktiver Plan'],
      ['ja', 'プランと使用量', '有効なプランがありません'],
    ]),
  )('the same is shown in %s on a phone', async (language, title, state) => {
    await become({ status: 'lapsed', plan: 'indie', overLimitSince: inDays(-2) });
    const { page, loaded, close } = await testApp.open(browser!, '/methodology', { width: 375 });
    await page.evaluate(
      (chosen) => localStorage.setItem('toprung.language', JSON.stringify(chosen)),
      language,
    );
    await page.goto(`${testApp.webUrl}/settings/billing`);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('heading', { name: state }).waitFor();
    await loaded();
    await picture(page, `plan-${language}`);
    expect(await page.getByText(/\b(billing|banner|planName)\.\w+/).count()).toBe(0);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('too many markets show since when, what is checked, and the way to the plan', async () => {
    await become({ status: 'live', plan: 'indie', overLimitSince: inDays(-2) });
    await trackMarkets(1_100);
    // On every page, and not only where the plan is read anyway.
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await expect
      .poll(() => bannerOf(page).textContent())
      .toMatch(/1\d\d keyword markets more than your plan includes\.\s*All keywords/);
    await bannerOf(page).getByRole('link', { name: 'View plans' }).click();
    await page.waitForURL('**/settings/billing');
    await expect
      .poll(() => bannerOf(page).textContent())
      .toMatch(/1\d\d keyword markets more than your plan includes\.\s*All keywords/);
    await loaded();
    await picture(page, 'over-limit');
    expect(await audit(page)).toEqual([]);
    await become({ status: 'live', plan: 'indie', overLimitSince: inDays(-8) });
    await page.reload();
    await expect
      .poll(() => bannerOf(page).textContent())
      .toContain('Only the 1,000 oldest are checked each day.');

    await goTo(page, `/apps/${testApp.apps.ios}/keywords?add=1`);
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('textbox', { name: /Phrases|Keywords/ })
      .first()
      .fill('one more phrase');
    await dialog
      .getByRole('alert')
      .getByText(/Indie: 1,1\d\d of 1,000 used, 1 more requested/)
      .waitFor();
    await loaded();
    // The refusal is shown once, and what was refused cannot be sent.
    const add = dialog.getByRole('button', { name: 'Add 1 keyword' });
    await expect.poll(() => add.isDisabled()).toBe(true);
    await expect.poll(() => dialog.getByRole('alert').count()).toBe(1);
    if (shots) await page.screenshot({ path: `${shots}/quota.png` });
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('alert').getByRole('link', { name: 'View plans' }).click();
    await page.waitForURL('**/settings/billing');
    await testApp.pool.query("delete from keywords where phrase like 'filler %'");
    await countInBudget(-1_100);
    await become({ status: 'live', plan: 'indie' });
    await close();
  });

  test('a used-up allowance is named, with its reset and a way to more', async () => {
    const { page, close } = await testApp.open(browser!, `/apps/${testApp.apps.ios}`);
    const ask = () =>
      page.evaluate(
        async (to) => (await fetch(to, { method: 'POST' })).status,
        `/api/backend/apps/${testApp.apps.ios}/run-daily`,
      );
    for (let at = 0; at < 5; at++) expect(await ask()).toBeLessThan(300);
    await page.getByRole('button', { name: 'Check now' }).click();
    const toast = page

      .locator('.toasts')
      .filter({ hasText: 'On-demand limit reached' });
    await toast.getByText('Indie: 5 per day.').waitFor();
    await toast.getByText(/Available again at .* UTC|Wait \d+ s/).waitFor();
    await expect
      .poll(() => toast.getByRole('link', { name: 'View plans' }).getAttribute('href'))
      .toBe('/settings/billing');
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('a plan that ends on an open page disables the controls and offers plans', async () => {
    const { page, loaded, close } = await testApp.open(browser!, `/apps/${testApp.apps.ios}`);
    await loaded();
    await page.evaluate(() =>
      fetch('/api/backend/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Leaked"}',
      }),
    );
    await become({ status: 'lapsed', plan: 'indie' });
    const check = page.getByRole('button', { name: 'Check now' });
    await check.click();
    const toast = page.locator('.toasts').filter({ hasText: 'No active plan' });
    await toast.getByRole('link', { name: 'View plans' }).waitFor();
    await bannerOf(page).getByText('This workspace has no active plan.').waitFor();
    await expect.poll(() => check.isDisabled()).toBe(true);
    // Revoking access does not depend on payment.
    await goTo(page, '/settings?tab=tokens');
    await expect
      .poll(() => page.getByRole('button', { name: 'Create token' }).isDisabled())
      .toBe(true);
    await page.getByRole('button', { name: 'Revoke Leaked' }).click();
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await page.getByRole('heading', { name: 'No tokens yet' }).waitFor();
    await become({ status: 'live', plan: 'indie' });
    await close();
  });

  test('a rate-limited read counts down, waits and continues by itself', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await loaded();
    const rateLimit = {
      window: 'minute',
      rateClass: 'read',
      plan: 'indie',
      limit: 300,
      resetSeconds: 30,
      upgradeTo: 'ultimate',
    };
    const common = {
      statusCode: 429,
      error: 'Too Many Requests',
      message: 'The plan’s rate limit is reached.',
      code: 'rate_limited',
      path: '/',
      timestamp: '',
    };
    const asked: string[] = [];
    let isFull = true;
    await page.route('**/api/backend/**', async (route) => {
      asked.push(new URL(route.request().url()).pathname);
      if (!isFull) return route.continue();
      await route.fulfill({
        status: 429,
        json: { ...common, retryAfterSeconds: rateLimit.resetSeconds, rateLimit },
      });
    });
    await goTo(page, '/settings?tab=usage');
    const notice = page.locator('#main').getByRole('alert');
    await notice.getByText('Indie: 300 per minute.').waitFor();
    await notice.getByRole('button', { name: /^Try again in \d+ s$/ }).waitFor();
    // Announced once to screen readers; the countdown is silent.
    await expect
      .poll(() => notice.getByText('Continues automatically in 30 seconds.').count())
      .toBe(1);
    await notice.locator('[aria-live="off"]').getByRole('button', { disabled: true }).waitFor();
    await picture(page, 'countdown');
    const before = asked.length;
    isFull = false;
    await goTo(page, '/settings?tab=audit');
    await notice.getByText('Indie: 300 per minute.').waitFor();
    expect(asked.length).toBe(before);
    // Last, because it takes seconds of the countdown on a busy machine.
    expect(await audit(page)).toEqual([]);
    await notice.waitFor({ state: 'detached', timeout: 60_000 });
    await page.getByRole('table').waitFor();
    expect(asked.length).toBeGreaterThan(before);
    await close();
  });

  test('a plan is paid on the provider’s page, which returns to the start', async () => {
    await become({ status: 'lapsed' });
    const { page, close } = await testApp.open(browser!, '/settings/billing');
    await page.route(/stripe\.test/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Pay</h1>' }),
    );
    await page.getByRole('button', { name: 'Ultimate: Monthly' }).click();
    await page.waitForURL('https://checkout.stripe.test/**');
    const { success_url: back } = stripe.asked.find(
      ({ method, path }) => `${method} ${path}` === 'POST /v1/checkout/sessions',
    )!.fields;
    expect(back).toBe(`${testApp.webUrl}/settings/billing?checkout=done`);
    await page.goto(back!);
    await page.getByText('Your payment is being confirmed.').waitFor();
    // A plan that changes alone, here by the operator, is also marked without a reload.
    await page.getByRole('columnheader', { name: 'Ultimate', exact: true }).waitFor();
    await become({ status: 'lapsed', plan: 'indie' });
    await page.getByRole('columnheader', { name: /Indie\s*previous plan/ }).waitFor();
    const [customer] = stripe.customers;
    const payload = stripe.eventOf('customer.subscription.created', {
      object: 'subscription',
      ...stripe.subscribe(customer!, { price: 'price_ultimate_month' }),
    });
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': signEvent(payload, { at: new Date() }),
    };
    expect(
      (await fetch(`${testApp.apiUrl}/billing/events`, { method: 'POST', headers, body: payload }))
        .status,
    ).toBe(200);
    await page.getByText('Thank you. Your plan is active.').waitFor();
    await page.getByText('Your Ultimate plan is active.').waitFor();
    await page.getByRole('columnheader', { name: /Ultimate\s*current plan/ }).waitFor();
    // Controls become enabled again without a reload.
    await bannerOf(page).filter({ hasText: 'no active plan' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage payment' }).click();
    await page.waitForURL('https://billing.stripe.test/**');
    const portal = stripe.asked.findLast(({ path }) => path === '/v1/billing_portal/sessions')!;
    await page.goto(portal.fields['return_url']!);
    await page.getByRole('columnheader', { name: /Ultimate\s*current plan/ }).waitFor();
    // Stripe reports a change of the plan after the return.
    await become({ status: 'live', plan: 'indie' });
    await page.getByRole('columnheader', { name: /Indie\s*current plan/ }).waitFor();
    await goTo(page, '/capacity');
    await page.getByText(/^Indie: \d+ of /).waitFor();
    await close();
  });

  test('a member sees everything, and who may pay', async () => {
    const become = (role: string) =>
      testApp.change('update memberships set role = $2 where workspace_id = $1', [
        testApp.workspaceId,
        role,
      ]);
    await become('member');
    const { page, close } = await testApp.open(browser!, '/settings/billing');
    await page
      .getByText('Only owners of the workspace can choose and pay for a plan.')
      .first()
      .waitFor();
    await page.getByRole('meter', { name: 'Members' }).waitFor();
    await page.getByRole('row', { name: /^Members/ }).waitFor();
    expect(await page.getByRole('button', { name: /Monthly|Yearly|Manage/ }).count()).toBe(0);
    await become('owner');
    await close();
  });

  const trackMarkets = async (count: number) => {
    await testApp.pool.query(
      "insert into markets (store, country, device, phrase) select 'ios', 'us', 'iphone', " +
        "'filler ' || n from generate_series(1, $1::int) n",
      [count],
    );
    await testApp.pool.query(
      `insert into keywords (workspace_id, app_id, market_id, country, device, phrase, depth,
         tracking_periods, created_at)
       select $1, $2, m.id, m.country, m.device, m.phrase, 200, k.tracking_periods, now()
         from markets m, (select tracking_periods from keywords where app_id = $2 limit 1) k
         where m.phrase like 'filler %'`,
      [testApp.workspaceId, testApp.apps.ios],
    );
    await countInBudget(count);
  };
  /** As the product does with the keywords. */
  const countInBudget = (count: number) =>
    testApp.pool.query(
      "update budgets set markets = markets + $2 where workspace_id = $1 and store = 'ios'",
      [testApp.workspaceId, count],
    );
});
