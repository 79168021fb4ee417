import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '#contract/languages.ts';
import { demoEmail } from '#cli/demo-plan.ts';
import { launchBrowser } from '../harness/browser.ts';
import { demoPassword } from '../harness/demo-database.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

interface Prefetched {
  /** The name of the file with its code. */
  page: string;
  path: string;
  /** Requested before the code is there, and once. */
  sent: readonly string[];
  /** Not requested early at another address of the same page. */
  other: string;
}

describe.skipIf(!browser)('the data of slow pages', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const ios = (rest: string) => `/apps/${testApp.apps.ios}${rest}`;

  const cases: Record<string, () => Prefetched> = {
    keywords: () => ({
      page: 'keywords-page',
      path: ios('/keywords'),
      sent: [ios('/keywords')],
      other: '/members',
    }),
    distribution: () => ({
      page: 'distribution-page',
      path: ios('/distribution?country=us&days=7'),
      sent: [ios('/rankings/distribution')],
      other: '/members',
    }),
    competitors: () => ({
      page: 'competitors-page',
      path: ios('/competitors'),
      sent: [ios('/competitors')],
      other: ios('/competitors?tab=compare'),
    }),
    gaps: () => ({
      page: 'competitors-page',
      path: ios('/competitors?tab=gaps'),
      sent: [ios('/gaps')],
      other: ios('/competitors?tab=gaps&kind=they_lead'),
    }),
    'the market': () => ({
      page: 'competitors-page',
      path: ios('/competitors?tab=market'),
      sent: [ios('/serp/leaders'), ios('/serp/entrants')],
      other: ios('/competitors?tab=matrix'),
    }),
    'the matrix': () => ({
      page: 'competitors-page',
      path: ios('/competitors?tab=matrix'),
      sent: [ios('/keywords')],
      other: ios('/competitors?tab=matrix&phrase=budget'),
    }),
    'rules of alerts': () => ({
      page: 'alerts-page',
      path: '/alerts?tab=rules',
      sent: ['/alerts/rules', '/alerts/rules/backtest'],
      other: '/alerts',
    }),
  };

  /** Opens an address while the code of its page is on its way; returns the requests until then. */
  async function openWithoutCode(page: Page, name: string, path: string) {
    const code = Promise.withResolvers<void>();
    await page.route(`**/assets/${name}-*.js`, async (route) => {
      await code.promise;
      await route.continue();
    });
    const sent: string[] = [];
    const note = (request: Request) => {
      const { pathname, search } = new URL(request.url());
      // The lines of competitors in a chart need their names alone.
      const isOther = !pathname.startsWith('/api/backend') || search.includes('overlap=false');
      if (!isOther) sent.push(pathname.replace('/api/backend', ''));
    };
    page.on('request', note);
    // The frame requests its data at the same time.
    const ofFrame = page.waitForResponse(
      (response) => new URL(response.url()).pathname === '/api/backend/apps',
    );
    await page.goto(testApp.webUrl + path);
    await ofFrame;
    return { sent, arrive: code.resolve, stop: () => page.off('request', note) };
  }

  test.each(draw('prefetched pages', 3, Object.keys(cases)))(
    'of %s is requested before its code is there',
    async (name) => {
      const { page: file, path, sent, other } = cases[name]!();
      const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
      const countOf = (requests: readonly string[]) =>
        sent.map((address) => requests.filter((one) => one === address).length);
      const opened = await openWithoutCode(page, file, path);
      await expect.poll(() => countOf(opened.sent)).toEqual(sent.map(() => 1));
      expect(await page.locator('main h1').count()).toBe(0);
      opened.arrive();
      await page.locator('main h1').waitFor();
      await loaded();
      expect(countOf(opened.sent), 'the page has it').toEqual(sent.map(() => 1));
      opened.stop();
      await page.unrouteAll({ behavior: 'wait' });

      const elsewhere = await openWithoutCode(page, file, other);
      expect(countOf(elsewhere.sent)).toEqual(sent.map(() => 0));
      elsewhere.arrive();
      await loaded();
      elsewhere.stop();
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test.each([
    ['texts', '**/assets/de-*.js'],
    ['code', '**/assets/first-*.js'],
  ])('says what to do when its %s cannot be loaded', async (_part, files) => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await page.evaluate(() => localStorage.setItem('toprung.language', '"de"'));
    await page.route(files, (route) => route.abort());
    await page.goto(testApp.webUrl + '/methodology', { waitUntil: 'commit' });
    const failure = page.getByRole('alert');
    await failure.getByText('Toprung konnte nicht geladen werden').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const audited = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      audited.push(...(await audit(page)));
    }
    expect(audited).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    await expect.poll(() => overflowOf(page)).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Neu laden' }).click();
    await page.locator('main h1').waitFor();
    await loaded();
    await close();
  });

  test.each(draw('languages of the first texts', 1, languages))(
    'texts in %s are requested once, before the entry is there',
    async (language) => {
      const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
      await page.evaluate((it) => localStorage.setItem('toprung.language', `"${it}"`), language);
      const sent: string[] = [];
      page.on('request', (request: Request) => sent.push(new URL(request.url()).pathname));
      const entry = Promise.withResolvers<void>();
      await page.route('**/assets/first-*.js', async (route) => {
        await entry.promise;
        await route.continue();
      });
      await page.goto(testApp.webUrl + ios(''), { waitUntil: 'commit' });
      const texts = () => sent.filter((path) => /^\/assets\/(?:en|de|ja)-/.test(path));
      await expect.poll(texts).toEqual([expect.stringMatching(`^/assets/${language}-`)]);
      expect(await page.locator('main h1').count()).toBe(0);
      entry.resolve();
      await page.locator('main h1').waitFor();
      await loaded();
      expect(texts()).toHaveLength(1);
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test('is requested while the session is read', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    const session = Promise.withResolvers<void>();
    await page.route('**/api/backend/auth/session', async (route) => {
      await session.promise;
      await route.continue();
    });
    for (const path of [ios(''), ios('/keywords'), ios('/competitors?tab=gaps')]) {
      const noun = path === ios('') ? '/overview' : path.includes('gaps') ? '/gaps' : '/keywords';
      const early = page.waitForRequest((request) =>
        new URL(request.url()).pathname.endsWith('/api/backend' + ios(noun)),
      );
      await page.goto(testApp.webUrl + path);
      await early;
      expect(await page.locator('main h1').count()).toBe(0);
    }
    session.resolve();
    await loaded();
    await close();
  });

  test('of a session that has ended is not shown, and the sign-in page leads back', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await loaded();
    await page.context().clearCookies();
    // The refusal of the data comes before that of the session.
    const gate = Promise.withResolvers<void>();
    await page.route('**/api/backend/auth/session', async (route) => {
      await gate.promise;
      await route.fallback();
    });
    const path = ios('/distribution?days=7#compare');
    await page.goto(testApp.webUrl + path);
    await page.waitForURL((url) => url.pathname === '/sign-in');
    gate.resolve();
    expect(new URL(page.url()).searchParams.get('next')).toBe(path);
    await page.locator('input[type=password]').waitFor();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('toprung.signed-in')))
      .not.toBe('1');
    await page.getByLabel('Email').fill(demoEmail);
    await page.locator('input[type=password]').fill(demoPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(testApp.webUrl + path);
    await close();
  });

  test.each(draw('addresses of an invitation', 1, ['/invite', '/invite/', '/Invite']))(
    'and their session are not needed by %s, whose secret stays where it is',
    async (path) => {
      const { page, close } = await testApp.open(browser!, '/methodology');
      const readHint = () => page.evaluate(() => localStorage.getItem('toprung.signed-in'));
      await expect.poll(readHint).toBe('1');
      // A proxy may demand a session of its own.
      await page.route('**/api/backend/auth/state', (route) => {
        const json = { statusCode: 401, code: 'unauthenticated', message: 'No.', path: '/' };
        return route.fulfill({ status: 401, json });
      });
      await page.goto(`${testApp.webUrl}${path}#secret`);
      await page.locator('h1').waitFor();
      await expect.poll(readHint).not.toBe('1');
      expect(page.url()).toMatch(/invite#secret$/i);
      await close();
    },
  );

  test('of a backtest is about the shown rules, also when they were just saved', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    const saved = Promise.withResolvers<void>();
    await page.route('**/api/backend/alerts/rules', async (route) => {
      if (route.request().method() === 'GET') await saved.promise;
      await route.continue();
    });
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/alerts/rules/backtest')) asked.push(request.postDataJSON());
    });
    const early = page.waitForResponse((response) => response.url().endsWith('/rules/backtest'));
    await page.goto(`${testApp.webUrl}/alerts?tab=rules`);
    await early;
    const save = (sent: unknown[]) =>
      page.evaluate(
        async (body) => {
          const headers = { 'content-type': 'application/json' };
          const response = await fetch('/api/backend/alerts/rules', {
            method: 'PUT',
            headers,
            body,
          });
          return (await response.json()).rules as unknown[];
        },
        JSON.stringify({ rules: sent }),
      );
    const rules = await save([{ event: 'rank.dropped', minPositions: 7 }]);
    expect(rules).toHaveLength(1);
    saved.resolve();
    await loaded();
    await expect.poll(() => asked).toEqual([{ days: 30 }, { rules, days: 30 }]);
    await save([]);
    await close();
  });

  test('is not requested again when a filter changes the address', async () => {
    const { page, loaded, close } = await testApp.open(browser!, ios('/competitors?tab=gaps'));
    await loaded();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    await goTo(page, ios('/competitors?tab=gaps&sort=phrase'));
    await loaded();
    expect(sent.filter((path) => path.endsWith('/gaps'))).toEqual([]);
    await close();
  });
});
