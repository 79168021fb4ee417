import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import {
  prices,
  signEvent,
  startStripe,
  webhookSecret,
  type StripeStandIn,
} from '../harness/stripe.ts';
import { audit, overflowOf } from './audit.ts';
import { turnTo } from './color-scheme.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const picture = (page: Page, name: string) =>
  shots ? page.screenshot({ path: `${shots}/${name}.png`, fullPage: true }) : undefined;

describe.skipIf(!browser)('where there are plans', () => {
  let stage: DemoStage;
  let stripe: StripeStandIn;
  beforeAll(async () => {
    stripe = await startStripe();
    const environment = {
      BILLING_ENABLED: 'true',
      STRIPE_SECRET_KEY: 'sk_test_stand_in',
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICES: prices
        .map(({ plan, interval, price }) => `${plan}:${interval}=${price}`)
        .join(','),
      STRIPE_BASE_URL: stripe.url,
    };
    stage = await startDemoStage({ environment });
  });
  afterAll(async () => {
    await browser!.close();
    await Promise.all([stage.stop(), stripe.close()]);
  });

  interface Situation {
    standing: 'trial' | 'live' | 'lapsed';
    plan?: 'indie' | 'ultimate';
    trialEndsAt?: Date;
    suspendedAt?: Date;
    overLimitSince?: Date;
  }
  const become = ({ standing, plan, trialEndsAt, suspendedAt, overLimitSince }: Situation) =>
    stage.change(
      'update workspaces set standing = $2, plan = $3, trial_ends_at = $4, suspended_at = $5, over_limit_since = $6 where id = $1',
      [stage.workspaceId, standing, plan, trialEndsAt, suspendedAt, overLimitSince],
    );
  const bannerOf = (page: Page) => page.locator('[data-frame="page"] [role="status"]').first();

  test('what is left of the hourly allowance stands where it is used', async () => {
    await become({ standing: 'trial', trialEndsAt: inDays(9.5) });
    const { page, consoleErrors, close } = await stage.open(
      browser!,
      `/apps/${stage.apps.ios}/discover`,
      { width: 375 },
    );
    const left = page.getByText(/^\d+ of \d+ left this hour; anew at \d\d:\d\d/);
    const read = async () => Number(/^\d+/.exec((await left.textContent())!)![0]);
    const before = await read();
    await page.getByLabel('Begin with a word').fill('meditation');
    await page.getByRole('button', { name: 'Suggest', exact: true }).click();
    await expect.poll(read, { timeout: 20_000 }).toBeLessThan(before);
    expect([consoleErrors, await audit(page), await overflowOf(page)]).toEqual([[], [], 0]);
    await close();
  }, 60_000);

  test('a trial says how long it lasts, calmly at first and louder in its last days', async () => {
    await become({ standing: 'trial', trialEndsAt: inDays(9.5) });
    const { page, settled, consoleErrors, close } = await stage.open(browser!, '/methodology');
    await expect.poll(() => bannerOf(page).textContent()).toContain('Trial. 10 days left.');
    expect(await bannerOf(page).getAttribute('data-calm')).toBe('true');
    await bannerOf(page).getByRole('link', { name: 'See plans' }).click();
    await page.waitForURL('**/settings/plan');
    await page.getByText('10 days left. The limits of Indie hold.').waitFor();
    const markets = page.getByRole('meter', { name: 'Keyword markets' });
    expect(await markets.getAttribute('aria-valuetext')).toMatch(/^\d+ of 1,000$/);
    await page.getByRole('meter', { name: 'App refreshes a day' }).waitFor();
    await page
      .getByRole('table')
      .getByRole('row', { name: /Keyword markets 1,000 10,000 \+9,000/ })
      .waitFor();
    await settled();
    for (const colorScheme of ['light', 'dark'] as const) {
      await turnTo(page, colorScheme);
      await picture(page, `plan-${colorScheme}`);
      expect(await audit(page)).toEqual([]);
    }
    await become({ standing: 'trial', trialEndsAt: inDays(2.5) });
    await page.reload();
    await expect
      .poll(() => bannerOf(page).textContent())
      .toContain('Trial. 3 days left. Then daily checks rest');
    expect(await bannerOf(page).getAttribute('data-calm')).toBeNull();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('a lapsed workspace says what goes on and what rests; a suspended one what lies beneath', async () => {
    await become({ standing: 'lapsed', plan: 'indie' });
    const { page, settled, close } = await stage.open(browser!, '/settings/plan', {
      width: 375,
      colorScheme: 'dark',
    });
    await expect
      .poll(() => bannerOf(page).textContent())
      .toContain('Everything can be read and exported; daily checks rest');
    await bannerOf(page).getByRole('link', { name: 'Choose a plan' }).waitFor();
    await page.getByRole('heading', { name: 'No live plan' }).waitFor();
    await page.getByRole('columnheader', { name: /Indie\s*your last plan/ }).waitFor();
    await settled();
    await picture(page, 'lapsed-375');
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await audit(page)).toEqual([]);
    await become({ standing: 'live', plan: 'indie', suspendedAt: new Date() });
    await page.reload();
    await expect.poll(() => bannerOf(page).textContent()).toContain('This workspace is suspended.');
    await page.getByRole('heading', { name: 'Suspended' }).waitFor();
    await page.getByText('The Indie plan is live.').waitFor();
    await close();
  });

  test.each([
    ['de', 'Plan und Nutzung', 'Kein laufender Plan'],
    ['ja', 'プランと使用量', '有効なプランがありません'],
  ])('says so in %s too, as wide as a phone', async (language, title, state) => {
    await become({ standing: 'lapsed', plan: 'indie', overLimitSince: inDays(-2) });
    const { page, settled, close } = await stage.open(browser!, '/methodology', { width: 375 });
    await page.evaluate(
      (chosen) => localStorage.setItem('toprung.language', JSON.stringify(chosen)),
      language,
    );
    await page.goto(`${stage.webUrl}/settings/plan`);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('heading', { name: state }).waitFor();
    await settled();
    await picture(page, `plan-${language}`);
    expect(await page.getByText(/\b(plan|banner|planName)\.\w+/).count()).toBe(0);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('more keyword markets than the plan holds: since when, what is checked, and a refusal that leads to the plan', async () => {
    await become({ standing: 'live', plan: 'indie', overLimitSince: inDays(-2) });
    await followMarkets(1_100);
    const { page, settled, close } = await stage.open(browser!, '/settings/plan');
    await expect
      .poll(() => bannerOf(page).textContent())
      .toMatch(/1\d\d keyword markets more than the plan holds, since .*All are still checked/);
    await settled();
    await picture(page, 'over-limit');
    expect(await audit(page)).toEqual([]);
    await become({ standing: 'live', plan: 'indie', overLimitSince: inDays(-8) });
    await page.reload();
    await expect
      .poll(() => bannerOf(page).textContent())
      .toContain('Only the 1,000 oldest are checked each day.');

    await goTo(page, `/apps/${stage.apps.ios}/keywords?add=1`);
    const dialog = page.getByRole('dialog');
    await dialog
      .getByRole('textbox', { name: /Phrases|Keywords/ })
      .first()
      .fill('one more phrase');
    await dialog
      .getByRole('alert')
      .getByText(/Indie: 1,1\d\d of 1,000 used, 1 more asked for/)
      .waitFor();
    await settled();
    if (shots) await page.screenshot({ path: `${shots}/quota.png` });
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('alert').getByRole('link', { name: 'See plans' }).click();
    await page.waitForURL('**/settings/plan');
    await stage.pool.query("delete from keywords where phrase like 'filler %'");
    await become({ standing: 'live', plan: 'indie' });
    await close();
  });

  test('a used-up allowance names itself, says when it opens, and where there is more', async () => {
    const { page, close } = await stage.open(browser!, `/apps/${stage.apps.ios}`);
    const ask = () =>
      page.evaluate(
        async (to) => (await fetch(to, { method: 'POST' })).status,
        `/api/backend/apps/${stage.apps.ios}/run-daily`,
      );
    for (let at = 0; at < 5; at++) expect(await ask()).toBeLessThan(300);
    await page.getByRole('button', { name: 'Check now' }).click();
    const toast = page
      .locator('.toasts')
      .getByRole('alert')
      .filter({ hasText: 'On-demand allowance used up' });
    await toast.getByText('Indie: 5 a day.').waitFor();
    await toast.getByText(/Possible again at .* UTC|s left to wait/).waitFor();
    expect(await toast.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe(
      '/settings/plan',
    );
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('a plan that ends while a page is open: the refusal leads to the plans, and nothing more can be pressed', async () => {
    const { page, settled, close } = await stage.open(browser!, `/apps/${stage.apps.ios}`);
    await settled();
    await page.evaluate(() =>
      fetch('/api/backend/tokens', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Leaked"}',
      }),
    );
    await become({ standing: 'lapsed', plan: 'indie' });
    const check = page.getByRole('button', { name: 'Check now' });
    await check.click();
    const toast = page.locator('.toasts').getByRole('alert').filter({ hasText: 'No live plan' });
    await toast.getByRole('link', { name: 'See plans' }).waitFor();
    await bannerOf(page).getByText('This workspace has no live plan.').waitFor();
    await expect.poll(() => check.isDisabled()).toBe(true);
    // What takes access away waits for no payment.
    await goTo(page, '/settings?tab=tokens');
    expect(await page.getByRole('button', { name: 'Create token' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Revoke Leaked' }).click();
    await page.getByRole('button', { name: 'Revoke now' }).click();
    await page.getByRole('heading', { name: 'No tokens' }).waitFor();
    await become({ standing: 'live', plan: 'indie' });
    await close();
  });

  test('a read that came too often counts down, is asked for no more until then, and goes on by itself', async () => {
    const { page, settled, close } = await stage.open(browser!, '/methodology');
    await settled();
    const rateLimit = {
      window: 'minute',
      rateClass: 'read',
      plan: 'indie',
      limit: 300,
      resetSeconds: 4,
      upgradeTo: 'ultimate',
    };
    const common = {
      statusCode: 429,
      error: 'Too Many Requests',
      message: 'The plan’s request limit is reached.',
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
    await notice.getByText('Indie: 300 a minute.').waitFor();
    await notice.getByRole('button', { name: /^Try again in [1-4] s$/ }).waitFor();
    // Said once to who does not see it; what counts is silent.
    expect(await notice.getByText('It goes on by itself in 4 seconds.').count()).toBe(1);
    expect(await notice.locator('[aria-live="off"]').getByRole('button').isDisabled()).toBe(true);
    await picture(page, 'countdown');
    expect(await audit(page)).toEqual([]);
    const before = asked.length;
    isFull = false;
    await goTo(page, '/settings?tab=audit');
    await notice.getByText('Indie: 300 a minute.').waitFor();
    expect(asked.length).toBe(before);
    await notice.waitFor({ state: 'detached' });
    await page.getByRole('table').waitFor();
    expect(asked.length).toBeGreaterThan(before);
    await close();
  });

  test('a plan is paid for at the provider’s page, which leads back to where it begins', async () => {
    await become({ standing: 'lapsed' });
    const { page, close } = await stage.open(browser!, '/settings/plan');
    await page.route(/stripe\.test/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>Pay</h1>' }),
    );
    await page.getByRole('button', { name: 'Ultimate: Pay by month' }).click();
    await page.waitForURL('https://checkout.stripe.test/**');
    const { success_url: back } = stripe.asked.find(
      ({ path }) => path === '/v1/checkout/sessions',
    )!.fields;
    expect(back).toBe(`${stage.webUrl}/settings/plan?checkout=done`);
    await page.goto(back!);
    await page.getByText('The payment is being confirmed.').waitFor();
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
      (await fetch(`${stage.apiUrl}/billing/events`, { method: 'POST', headers, body: payload }))
        .status,
    ).toBe(200);
    await page.getByText('Thank you. The plan is live.').waitFor();
    await page.getByText('The Ultimate plan is live.').waitFor();
    // What could not be changed can be, without a reload.
    await bannerOf(page).filter({ hasText: 'no live plan' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage payment' }).click();
    await page.waitForURL('https://billing.stripe.test/**');
    await close();
  });

  test('a member sees it all, and who may pay', async () => {
    const become = (role: string) =>
      stage.change('update memberships set role = $2 where workspace_id = $1', [
        stage.workspaceId,
        role,
      ]);
    await become('member');
    const { page, close } = await stage.open(browser!, '/settings/plan');
    await page.getByText('Owners of the workspace choose and pay the plan.').first().waitFor();
    await page.getByRole('meter', { name: 'Members' }).waitFor();
    await page.getByRole('row', { name: /^Members/ }).waitFor();
    expect(await page.getByRole('button', { name: /Pay by|Manage payment/ }).count()).toBe(0);
    await become('owner');
    await close();
  });

  const followMarkets = async (count: number) => {
    await stage.pool.query(
      "insert into markets (store, country, phrase) select 'ios', 'us', 'filler ' || n from generate_series(1, $1::int) n",
      [count],
    );
    await stage.pool.query(
      `insert into keywords (workspace_id, app_id, market_id, country, phrase, depth, terms, created_at)
       select $1, $2, m.id, m.country, m.phrase, 200, k.terms, now() from markets m, (select terms from keywords where app_id = $2 limit 1) k where m.phrase like 'filler %'`,
      [stage.workspaceId, stage.apps.ios],
    );
  };
});

describe.skipIf(!browser)('who runs it for themselves', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
  });
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });

  test('meets no plan anywhere: no page, no entry, no banner', async () => {
    const { page, settled, close } = await stage.open(browser!, '/settings');
    await page.getByText('of a day').first().waitFor();
    await settled();
    for (const name of ['Plan and usage', 'Operator'])
      expect(await page.getByRole('link', { name }).count()).toBe(0);
    expect(
      await page
        .locator('[data-frame="page"] [role="status"]')
        .filter({ hasText: /plan|trial/i })
        .count(),
    ).toBe(0);
    for (const path of ['/settings/plan', '/operator']) {
      await page.goto(`${stage.webUrl}${path}`);
      await page.getByRole('heading', { name: 'Not found here' }).waitFor();
    }
    await close();
  });
});
