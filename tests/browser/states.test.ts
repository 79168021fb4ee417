import type { APIResponse, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoEmail } from '#cli/demo-plan.ts';
import { launchBrowser, placeholder } from '../harness/browser.ts';
import { demoPassword } from '../harness/demo-database.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw, isLong } from '../harness/short-form.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { takeShift, watchShifts } from './layout-shift.ts';

keepOrder('the last test kills the API');

const browser = await launchBrowser();

interface Subject {
  app: number;
  keyword: number;
}

interface State {
  path: (of: Subject) => string;
  /** The text of an empty page. */
  empty?: string | RegExp;
  /** Buttons that write: none can be pressed in a suspended workspace. */
  writes?: string[];
  /** The page sends no request of its own: it has no placeholder and cannot fail. */
  isStill?: true;
}

const states: State[] = [
  { path: ({ app }) => `/apps/${app}/distribution`, empty: 'No keywords in this period' },
  { path: ({ app }) => `/apps/${app}`, empty: 'No keywords yet', writes: ['Check now'] },
  {
    path: ({ app }) => `/apps/${app}/keywords`,
    empty: 'No keywords yet',
    writes: ['Add keywords'],
  },
  { path: ({ app }) => `/apps/${app}/suggestions?source=serp`, empty: 'No suggestions' },
  {
    path: ({ app }) => `/apps/${app}/keyword-field`,
    empty: 'No versions saved yet.',
    writes: ['Save version'],
  },
  {
    path: ({ app }) => `/apps/${app}/listing-drafts`,
    empty: 'No drafts yet',
    writes: ['New draft'],
  },
  {
    path: ({ app }) => `/apps/${app}/competitors`,
    empty: 'No competitors yet',
    writes: ['Add competitor'],
  },
  { path: ({ app }) => `/apps/${app}/competitors?tab=matrix`, empty: 'No competitors yet' },
  { path: ({ app }) => `/apps/${app}/competitors?tab=gaps`, empty: 'No gaps' },
  {
    path: ({ app }) => `/apps/${app}/competitors?tab=compare`,
    empty: 'No competitors yet',
  },
  { path: ({ app }) => `/apps/${app}/competitors?tab=market`, empty: 'Nothing to show' },
  {
    path: ({ app }) => `/apps/${app}/timeline`,
    empty: 'No events in this period',
    writes: ['Add annotation'],
  },
  {
    path: ({ app }) => `/apps/${app}/reviews`,
    empty: 'No reviews in this period',
    writes: ['Fetch now'],
  },
  { path: ({ app }) => `/apps/${app}/reviews?tab=ratings` },
  { path: ({ app }) => `/apps/${app}/reviews?tab=topics`, empty: 'Nothing to show' },
  { path: ({ app }) => `/apps/${app}/charts`, empty: 'No charts fetched yet' },
  {
    path: ({ keyword }) => `/keywords/${keyword}`,
    empty: 'The first check is in progress. This page updates automatically.',
    writes: ['Favourite', 'Pause', 'Add annotation', 'Recalculate'],
  },
  { path: ({ keyword }) => `/keywords/${keyword}/serp`, empty: 'No results saved in this period' },
  {
    path: () => '/actions',
    empty: 'No open actions',
    writes: ['Refresh suggestions', 'Mark as done', 'Snooze', 'Dismiss'],
  },
  { path: () => '/alerts', empty: 'No events yet' },
  {
    path: () => '/alerts?tab=rules',
    empty: 'You are using the default rules.',
    writes: ['Add a rule for specific apps or tags'],
  },
  { path: () => '/alerts?tab=webhooks', empty: 'No webhooks yet', writes: ['Add webhook'] },
  { path: () => '/digest' },
  { path: () => '/capacity', empty: 'No runs yet' },
  { path: () => '/runs', empty: 'No runs yet' },
  { path: () => '/runs?tab=jobs' },
  { path: () => '/members', empty: 'No pending invitations.', writes: ['Invite member'] },
  { path: () => '/imports-exports', isStill: true },
  { path: () => '/imports-exports?tab=import', isStill: true },
  { path: () => '/methodology' },
  { path: () => '/settings', writes: ['Save'], isStill: true },
  { path: () => '/settings?tab=account' },
  { path: () => '/settings?tab=tokens', empty: 'No tokens yet', writes: ['Create token'] },
  { path: () => '/settings?tab=usage' },
  { path: () => '/settings?tab=audit' },
  {
    path: () => '/settings?tab=workspace',
    writes: ['Rename', 'Delete workspace'],
    isStill: true,
  },
];

/**
 * The long form opens each page in every state, the short one those that write in a suspended
 * workspace, the others without an API, and some of all in an empty workspace.
 */
const suspended = states.filter(({ writes }) => isLong || writes);
const empties = draw(
  'empty pages',
  10,
  states.filter(({ empty }) => empty),
);
const cutOff = states.filter(({ isStill, writes }) => !isStill && (isLong || !writes));

describe.skipIf(!browser)('every page', () => {
  let testApp: DemoTestApp;
  let filled: Subject;
  beforeAll(async () => {
    testApp = await startDemoTestApp({ killable: true });
    filled = { app: testApp.apps.ios, keyword: testApp.keywordId };
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  /** Whether it appears, without an error, so that all pages are checked. */
  const comes = (what: Locator, timeout = 20_000) =>
    what
      .first()
      .waitFor({ timeout })
      .then(
        () => true,
        () => false,
      );

  test('has placeholders without layout shift, and is read-only when suspended', async () => {
    await testApp.change(
      `update workspaces set suspended_at = now(), suspended_reason = 'too many searches' ` +
        'where id = $1',
      [testApp.workspaceId],
    );
    const { page, loaded, consoleErrors, foreignRequests, close } = await testApp.open(
      browser!,
      '/imports-exports',
    );
    await loaded();
    await watchShifts(page);
    // All arrive at once: a slow server would move a page more often.
    let responses = Promise.withResolvers<void>();
    const fetched: Promise<APIResponse>[] = [];
    await page.route('**/api/backend/**', async (route) => {
      const request = route.request();
      if (request.method() !== 'GET' || request.resourceType() === 'eventsource') {
        await responses.promise;
        return route.continue();
      }
      const response = route.fetch();
      fetched.push(response);
      await responses.promise;
      await route.fulfill({ response: await response });
    });
    const banner = page.getByRole('status').filter({
      hasText: 'This workspace is suspended. Reason: “too many searches”. You can read everything',
    });
    const wrong: string[] = [];
    for (const { path, writes = [], isStill } of suspended) {
      responses = Promise.withResolvers();
      await goTo(page, path(filled));
      if (!isStill && !(await comes(page.locator('#main').locator(placeholder))))
        wrong.push(`${path(filled)} has no placeholder`);
      await Promise.all(fetched.splice(0));
      responses.resolve();
      await loaded();
      const shift = await takeShift(page);
      if (shift > 0.1) wrong.push(`${path(filled)} jumps by ${shift}`);
      if (!(await comes(banner))) wrong.push(`${path(filled)} has no banner`);
      for (const name of writes) {
        const button = page.locator('#main').getByRole('button', { name }).first();
        if (!(await comes(button)) || (await button.isEnabled()))
          wrong.push(`${path(filled)}: ${name}`);
      }
    }
    expect({ wrong, consoleErrors, foreignRequests }).toEqual({
      wrong: [],
      consoleErrors: [],
      foreignRequests: [],
    });
    await testApp.change(`update workspaces set suspended_at = null where id = $1`, [
      testApp.workspaceId,
    ]);
    await close();
  });

  const widths = draw('widths of placeholders', 1, [1_280, 375]);
  test.each(widths)('has placeholders of the loaded heights, at %i px', async (width) => {
    // All of a page is in view: whatever moves counts.
    const { page, loaded, close } = await testApp.open(browser!, '/imports-exports', {
      width,
      height: 3_000,
    });
    const { app, keyword } = filled;
    const shifts: Record<string, number> = {};
    for (const path of [
      `/apps/${app}`,
      `/apps/${app}/distribution`,
      `/apps/${app}/timeline`,
      `/apps/${app}/reviews`,
      `/apps/${app}/keyword-field`,
      `/keywords/${keyword}`,
      '/runs',
      '/capacity',
      '/methodology',
    ]) {
      await page.goto(`${testApp.webUrl}/imports-exports`);
      await loaded();
      await watchShifts(page);
      // All arrive at once: a slow server would move a page more often, by the same heights.
      const responses = Promise.withResolvers<void>();
      const fetched: Promise<APIResponse>[] = [];
      await page.route('**/api/backend/**', async (route) => {
        if (route.request().resourceType() === 'eventsource') return route.continue();
        const response = route.fetch();
        fetched.push(response);
        await responses.promise;
        await route.fulfill({ response: await response });
      });
      await goTo(page, path);
      await page.locator('#main').locator(placeholder).first().waitFor();
      await Promise.all(fetched);
      await takeShift(page);
      responses.resolve();
      await loaded();
      shifts[path] = await takeShift(page);
      await page.unrouteAll({ behavior: 'wait' });
    }
    expect(Object.entries(shifts).filter(([, shift]) => shift > 0.1)).toEqual([]);
    await close();
  });

  test('keeps what was chosen while suspended; passwords can change while lapsed', async () => {
    const became = (state: string) =>
      testApp.change(
        `update workspaces set suspended_at = case when $2 = 'suspended' then now() end, ` +
          `status = case when $2 = 'lapsed' then $2 else 'live' end where id = $1`,
        [testApp.workspaceId, state],
      );
    await testApp.pool.query('update competitors set archived_at = now() where app_id = $1', [
      testApp.apps.android,
    ]);
    const guest = await testApp.open(browser!, '/settings?tab=tokens');
    await guest.page.getByRole('button', { name: 'Create token' }).click();
    await guest.page.getByRole('dialog').getByLabel('Name').fill('Spreadsheet');
    await guest.page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await guest.page.getByTestId('token').waitFor();
    const elsewhere = await fetch(`${testApp.apiUrl}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email: demoEmail, password: demoPassword }),
    });
    expect(elsewhere.status).toBe(200);
    await became('suspended');
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${filled.app}/keywords`,
    );
    const main = page.locator('#main');
    const isOff = async (what: Locator) => {
      await what.waitFor();
      expect({
        what: String(what),
        isOff: await what.isDisabled(),
        why: await what.getAttribute('title'),
      }).toMatchObject({
        isOff: true,
        why: 'This workspace is suspended. You can read everything, but nothing can be changed.',
      });
    };
    await isOff(main.getByRole('button', { name: /^Favourite/ }).first());
    await main.getByRole('checkbox', { name: 'Select all' }).check();
    const bulk = page.getByRole('toolbar', { name: 'Selected keywords' });
    for (const name of [/favourite/i, 'Tag', 'Pause', 'Check now', 'Remove'])
      await isOff(bulk.getByRole('button', { name }));
    await expect.poll(() => bulk.getByRole('button', { name: /Copy/ }).isEnabled()).toBe(true);

    await goTo(page, `/apps/${testApp.apps.android}/competitors`);
    await isOff(main.locator('h2 ~ div').getByRole('button', { name: 'Add competitor' }));
    await goTo(page, `/apps/${filled.app}/keyword-field`);
    await isOff(main.getByRole('switch', { name: /^Track / }).first());
    await goTo(page, '/settings?tab=tokens');
    await isOff(main.getByRole('button', { name: 'Revoke Spreadsheet' }));
    await goTo(page, '/settings?tab=account');
    const own = ['Sign out', 'Change password'].map((name) =>
      main.getByRole('button', { name, exact: true }),
    );
    for (const button of own) await isOff(button);
    await goTo(page, '/welcome');
    await page.getByLabel('Store URL or name').fill('1500000001');
    await isOff(page.getByRole('button', { name: 'Find' }));

    await became('lapsed');
    await page.goto(`${testApp.webUrl}/settings?tab=account`);
    for (const button of own) await expect.poll(() => button.isEnabled()).toBe(true);
    expect(consoleErrors).toEqual([]);
    await became('live');
    await close();
    await guest.close();
  });

  test('of an empty workspace says what is missing and what comes next', async () => {
    const { rows } = await testApp.pool.query(
      "insert into workspaces (name, created_at) values ('Second', now()) returning id",
    );
    await testApp.pool.query(
      'insert into memberships (workspace_id, user_id, role, created_at) select $1, user_id, ' +
        "'owner', now() from sessions limit 1",
      [rows[0].id],
    );
    await testApp.change('update sessions set workspace_id = $1', [rows[0].id]);
    const { page, consoleErrors, foreignRequests, close } = await testApp.open(browser!, '/');
    await page.getByRole('heading', { name: 'Which app is yours?' }).waitFor();
    await goTo(page, '/digest');
    await page.getByRole('heading', { name: 'No apps yet' }).waitFor();
    await goTo(page, '/runs?tab=jobs');
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();

    const post = (path: string, body: object) =>
      page.evaluate(
        async ([to, json]) =>
          (
            await fetch(`/api/backend${to}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: json,
            })
          ).json(),
        [path, JSON.stringify(body)] as const,
      );
    const { app } = await post('/apps', { store: 'ios', storeAppId: '1500000001' });
    const { app: other } = await post('/apps', {
      store: 'android',
      storeAppId: 'app.lumen.habits',
    });
    await post(`/apps/${other.id}/keywords`, {
      keywords: [{ phrase: 'night calm', country: 'us' }],
    });
    const followed = await testApp.pool.query('select id from keywords where app_id = $1', [
      other.id,
    ]);
    const subject = { app: app.id, keyword: followed.rows[0].id };
    await page.goto(`${testApp.webUrl}/imports-exports`);
    await page.getByRole('heading', { name: 'Import and export' }).waitFor();
    const wrong: string[] = [];
    for (const { path, empty } of empties) {
      await goTo(page, path(subject));
      if (!(await comes(page.locator('#main').getByText(empty!)))) wrong.push(path(subject));
    }
    // Missing charts: from the requested day to the newest, and from there to the page that
    // explains them.
    await goTo(page, `/apps/${app.id}/charts?date=2026-01-05`);
    await page.getByRole('heading', { name: 'No charts for Jan 5, 2026' }).waitFor();
    await page.getByRole('link', { name: 'Show the latest day' }).click();
    await page.getByRole('link', { name: 'View daily runs' }).click();
    await page.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
    expect({ wrong, consoleErrors, foreignRequests }).toEqual({
      wrong: [],
      consoleErrors: [],
      foreignRequests: [],
    });
    await close();
    await testApp.change('update sessions set workspace_id = $1', [testApp.workspaceId]);
  });

  test('says what failed while the API is down, and recovers', async () => {
    const { page, context, loaded, consoleErrors } = await testApp.open(
      browser!,
      '/imports-exports',
    );
    await loaded();
    await testApp.killApi();
    // A server error is retried after one and two seconds, which is skipped here.
    await page.clock.install();
    const notice = page.locator('#main').getByRole('alert').first();
    const isDown = 'It may be starting. Try again in a moment.';
    const wrong: string[] = [];
    for (const { path } of cutOff) {
      await goTo(page, path(filled));
      const read = () => notice.textContent({ timeout: 250 }).catch(() => 'nothing');
      let words = await read();
      for (let presses = 0; presses < 100 && !words!.includes(isDown); presses += 1) {
        await page.clock.fastForward(2_000);
        words = await read();
      }
      if (!words!.includes(isDown)) wrong.push(`${path(filled)} says ${words}`);
    }
    expect(wrong).toEqual([]);
    // The stream of changes is cut off as well.
    const isExpected = (line: string) => /503|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(line);
    expect(consoleErrors.filter((line) => !isExpected(line))).toEqual([]);
    await testApp.startApi();
    // The page tries again by itself.
    await expect
      .poll(
        async () => {
          await page.clock.fastForward(5_000);
          return notice.count();
        },
        { timeout: 90_000 },
      )
      .toBe(0);
    await page.locator('#main').getByRole('table').waitFor();
    // Its clock stays replaced.
    await context.close();
  });
});
