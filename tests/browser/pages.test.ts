import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, newPage, type WatchedPage } from '../harness/browser.ts';
import { languages } from '#contract/languages.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { listPageCases, type PageCase } from './page-cases.ts';

const browser = await launchBrowser();
/**
 * A folder for a picture of each page in each mode, and their widths: `SHOTS=/tmp/shots
 * SHOTS_WIDTHS=1440,1280,768,375 vitest run tests/browser/pages.test.ts`.
 */
const { SHOTS: shots, TORTURE: isTorture, SHOTS_WIDTHS: shotWidths } = process.env;
const router = new URL('../../web/src/router.tsx', import.meta.url);

let testApp: DemoTestApp;
const ios = (rest = '') => `/apps/${testApp.apps.ios}${rest}`;
const { signedIn: pageCases, signedOut: signedOutCases } = listPageCases(() => testApp);

/** Pages of instances with plans and operators: billing.test.ts and admin.test.ts. */
const elsewhere = ['/settings/billing', '/admin'];

/**
 * The long form checks each page at four widths in both schemes, the short one alternates between
 * 1280 in light and 375 in dark.
 */
const isLong = Boolean(isTorture ?? shots);
interface Mode {
  width: number;
  schemes: readonly ['light', 'dark'] | readonly ['dark', 'light'];
}
const longWidths = shotWidths ?? (isTorture ? '1440,1280,768,375' : '1280,375');
const modes: Mode[] = isLong
  ? longWidths.split(',').map((width) => ({ width: Number(width), schemes: ['light', 'dark'] }))
  : [
      { width: 1280, schemes: ['light', 'dark'] },
      { width: 375, schemes: ['dark', 'light'] },
    ];

describe.skipIf(!browser)('every page of a workspace filled by the product', () => {
  beforeAll(async () => {
    testApp = await startDemoTestApp();
    if (shots) mkdirSync(shots, { recursive: true });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('is among these', () => {
    const routes = [
      ...readFileSync(router, 'utf8').matchAll(/(?:path: |page\(\s*)'(\/[^']*)'/g),
    ].map((match) => match[1]!);
    const shown = [...pageCases, ...signedOutCases].map(([, path]) =>
      path()
        .replace(/\?.*/, '')
        .replace(/^\/apps\/\d+/, '/apps/$appId')
        .replace(/^\/keywords\/\d+/, '/keywords/$keywordId'),
    );
    expect(routes.length).toBeGreaterThan(20);
    expect(
      routes.filter((route) => route !== '/' && ![...shown, ...elsewhere].includes(route)),
    ).toEqual([]);
  });

  describe.each(modes)('at $width', ({ width, schemes }) => {
    const isIncluded = (_: PageCase, index: number) =>
      isLong || (index % 2 === 0) === (width === 1280);
    describe.each([
      {
        who: 'signed in',
        list: pageCases.filter(isIncluded),
        open: () => testApp.open(browser!, '/methodology', { colorScheme: schemes[0], width }),
      },
      {
        who: 'a stranger',
        list: signedOutCases.filter(isIncluded),
        open: () => openSignedOut(schemes[0], width),
      },
    ])('$who', ({ list, open }) => {
      let watched: WatchedPage;
      beforeAll(async () => {
        watched = await open();
      });
      afterAll(() => watched.close());

      test.each(list)('%s', async (name, path, has) => {
        const { page, consoleErrors, foreignRequests, loaded } = watched;
        await goTo(page, path());
        await page.getByRole('heading', { name: has, exact: true }).first().waitFor();
        await loaded();
        const looks = isLong ? schemes : schemes.slice(0, 1);
        for (const [index, colorScheme] of looks.entries()) {
          await setColorScheme(page, colorScheme);
          if (shots)
            await page.screenshot({
              path: `${shots}/${name.replace(/[^a-z]+/g, '-')}-${colorScheme}-${width}.png`,
              fullPage: true,
            });
          // Positions are the same in a second scheme, which only changes colours.
          expect({
            colorScheme,
            violations: await audit(page, index > 0 ? 'colours' : 'all'),
          }).toEqual({ colorScheme, violations: [] });
        }
        await expect.poll(() => overflowOf(page)).toBeLessThanOrEqual(0);
        await expect.poll(() => page.locator('[data-chart] svg:not(:has(*))').count()).toBe(0);
        await page.emulateMedia({ colorScheme: schemes[0] });
        expect({
          consoleErrors: consoleErrors.splice(0),
          foreignRequests: foreignRequests.splice(0),
        }).toEqual({
          consoleErrors: [],
          foreignRequests: [],
        });
      });
    });
  });

  test('has controls at least 44 px high at 375 px', async () => {
    const { page, close } = await testApp.open(browser!, ios('/keywords'), { width: 375 });
    await page.locator('[data-index="0"]').waitFor();
    for (const name of ['Add keywords', 'Open menu']) {
      expect(
        (await page.getByRole('button', { name }).boundingBox())!.height,
      ).toBeGreaterThanOrEqual(44);
    }
    await page.getByRole('button', { name: 'Open menu' }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Settings' });
    await link.waitFor();
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    expect(await audit(page)).toEqual([]);
    await close();
  });

  test('shows positions of gaps on a phone, and buttons of suggestions on a tablet', async () => {
    const { page, loaded, close } = await testApp.open(browser!, ios('/competitors?tab=gaps'), {
      width: 375,
      height: 812,
    });
    await loaded();
    const rightOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => Math.max(...all.map((one) => one.getBoundingClientRect().right)));
    expect(await rightOf('main tbody td:nth-child(2)')).toBeLessThan(375);
    expect(await rightOf('main tbody td:nth-child(3)')).toBeLessThan(375);
    // So are those of two compared days, with the change.
    await goTo(page, ios('/distribution'));
    await loaded();
    for (const column of [2, 3, 4])
      expect(await rightOf(`main [class*=compared] tbody td:nth-child(${column})`)).toBeLessThan(
        375,
      );
    await page.setViewportSize({ width: 768, height: 1_024 });
    await goTo(page, ios('/suggestions'));
    await loaded();
    expect(await rightOf('main tbody button')).toBeLessThan(768);
    await close();
  });

  test.each(['en', 'de'])('names the apps of results beside their buttons, in %s', async (code) => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await page.evaluate(
      (language) => localStorage.setItem('toprung.language', JSON.stringify(language)),
      code,
    );
    await page.goto(`${testApp.webUrl}/keywords/${testApp.keywordId}/serp`);
    for (const width of [1_280, 1_024, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await loaded();
      const rows = await page.locator('main ol > li').evaluateAll((all) =>
        all.map((row) => {
          const [name, button] = ['bdi', 'button, [class*=mark]'].map((part) =>
            row.querySelector(part)!.getBoundingClientRect(),
          );
          const { right } = row.getBoundingClientRect();
          return {
            name: name!.width,
            left: button!.left - name!.right,
            right: right - button!.right,
          };
        }),
      );
      expect(rows.length).toBeGreaterThan(10);
      const wrong = rows.filter(({ name, left, right }) => name < 100 || left < 0 || right < 0);
      expect({ width, wrong }).toEqual({ width, wrong: [] });
    }
    await page.evaluate(() => localStorage.removeItem('toprung.language'));
    await close();
  });

  test('offers the first webhook beside the rules, and days of runs for a finger', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/alerts?tab=rules');
    await page.locator('main form').getByRole('link', { name: 'Add webhook' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.setViewportSize({ width: 375, height: 812 });
    await goTo(page, '/runs');
    await loaded();
    const widths = await page
      .getByRole('list', { name: /days/ })
      .getByRole('link')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    expect(widths).toHaveLength(12);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
    await close();
  });

  test('shows what is chosen where a system replaces the colours', async () => {
    const { page, loaded, close } = await testApp.open(browser!, ios('/competitors?tab=gaps'));
    await page.emulateMedia({ forcedColors: 'active' });
    const outlinesOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((elements) => elements.map((one) => getComputedStyle(one).outlineStyle));
    for (const [path, chosen, others] of [
      [ios('/competitors?tab=gaps'), 'main nav [aria-current]', 'main nav a:not([aria-current])'],
      [
        ios(),
        'main [role=radiogroup] input:checked + label',
        'main [role=radiogroup] input:not(:checked) + label',
      ],
      [ios('/timeline'), 'aside [aria-current]', 'aside nav a:not([aria-current])'],
    ] as const) {
      await goTo(page, path);
      await loaded();
      expect([path, new Set(await outlinesOf(chosen))]).toEqual([path, new Set(['solid'])]);
      expect([path, new Set(await outlinesOf(others))]).toEqual([path, new Set(['none'])]);
    }
    // The squares of a legend keep their colours.
    await goTo(page, ios('/distribution'));
    await loaded();
    const squares = await page
      .locator('main [class*=swatch]')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
    expect(new Set(squares.slice(0, 6)).size).toBe(6);
    // So do all other legends and bars.
    const { rows } = await testApp.pool.query(
      'select id from competitors where app_id = $1 and archived_at is null limit 1',
      [testApp.apps.ios],
    );
    const competitor = rows[0]!;
    for (const [path, colored] of [
      [ios(`?competitors=${competitor.id}`), 'main [class*=chip] [class*=swatch]'],
      ['/capacity', 'main :is([class*=bar] > span, [class*=swatch])'],
      ['/capacity', '[class*=track] > [class*=fill]'],
      ['/capacity', 'main [class*=track]:has(> [role=slider])'],
      ['/alerts?tab=rules', 'main [role=switch] + *'],
      ['/imports-exports', 'main input[type=radio]:checked'],
      ['/runs', 'main ol [class*=fill]'],
      ['/alerts?tab=rules', 'main [class*=swatch]'],
    ] as const) {
      await goTo(page, path);
      await loaded();
      await page.locator(colored).first().waitFor({ state: 'attached' });
      const adjusted = await page
        .locator(colored)
        .evaluateAll((all) =>
          all.map((one) => getComputedStyle(one).getPropertyValue('forced-color-adjust')),
        );
      expect([path, new Set(adjusted)]).toEqual([path, new Set(['none'])]);
    }
    await page.emulateMedia({ forcedColors: null });
    await close();
  });

  test.each(isLong ? languages : draw('languages of wide tables', 1, languages))(
    'has no table that scrolls sideways at 1280 px, in %s',
    async (language) => {
      await writeWidestJobs();
      const { page, loaded, close } = await testApp.open(browser!, '/methodology');
      await page.evaluate(
        (code) => localStorage.setItem('toprung.language', JSON.stringify(code)),
        language,
      );
      await page.reload();
      const wide: string[] = [];
      for (const path of [
        ...['competitors', 'gaps', 'matrix', 'compare', 'market'].map((tab) =>
          ios(`/competitors?tab=${tab}`),
        ),
        ios('/suggestions?source=listing'),
        ios('/popularity?genre=health_fitness'),
        ios('/keyword-field'),
        ios('/charts'),
        '/runs',
        ios('/reviews?tab=ratings'),
        '/runs?tab=jobs',
        '/capacity',
        '/settings?tab=audit',
        '/settings?tab=usage',
      ]) {
        await goTo(page, path);
        await loaded();
        const most = await page
          .locator('.table-scroll')
          .evaluateAll((all) => Math.max(...all.map((one) => one.scrollWidth - one.clientWidth)));
        if (most > 0) wide.push(`${path}: ${most}`);
      }
      expect(wide).toEqual([]);
      await page.evaluate(() => localStorage.removeItem('toprung.language'));
      await close();
    },
  );

  test.each([360, 375])('shows the whole example address in the wizard at %i px', async (width) => {
    const { page, close } = await testApp.open(browser!, '/welcome', { width, height: 812 });
    const field = page.getByLabel('Store URL or name');
    await field.waitFor();
    const space = await field.evaluate((input: HTMLInputElement) => {
      const style = getComputedStyle(input);
      const pen = document.createElement('canvas').getContext('2d')!;
      const { fontSize } = getComputedStyle(input, '::placeholder');
      pen.font = `${style.fontWeight} ${fontSize} ${style.fontFamily}`;
      return (
        input.clientWidth -
        Number.parseFloat(style.paddingLeft) -
        Number.parseFloat(style.paddingRight) -
        pen.measureText(input.placeholder).width
      );
    });
    expect(space).toBeGreaterThan(0);
    await close();
  });

  test.each([
    ['countries', () => ios('/keywords'), 'Any country'],
    ['columns', () => ios('/keywords'), 'Columns'],
    ['kinds', () => ios('/timeline'), null],
    ['stars', () => ios('/reviews'), null],
    ['competitors', () => ios('/competitors?tab=matrix'), null],
    ['competitors', () => `/keywords/${testApp.keywordId}`, null],
  ] as const)('keeps two quick choices of %s in the address', async (name, path, menu) => {
    const added = name === 'competitors' ? await addCompetitor() : [];
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path());
    await loaded();
    if (menu) await page.getByRole('button', { name: menu, exact: true }).click();
    // The first button of the timeline chooses all kinds.
    const choices = menu
      ? page.getByRole('menuitemcheckbox')
      : page.locator('main [role=group] > [aria-pressed]:not(:first-child)');
    await choices.nth(1).waitFor();
    const read = () =>
      choices.evaluateAll((all) =>
        all.map((one) => (one.ariaChecked ?? one.ariaPressed) === 'true'),
      );
    const before = await read();
    // In one task of the page, which renders nothing between them.
    await choices.evaluateAll(([first, second]) => {
      (first as HTMLElement).click();
      (second as HTMLElement).click();
    });
    await page.waitForURL((url) => url.searchParams.has(name));
    const shown = before.map((isOn, index) => (index < 2 ? !isOn : isOn));
    // Chips of the matrix are only those that are chosen.
    const after = path().includes('matrix') ? shown.filter(Boolean) : shown;
    await expect.poll(read).toEqual(after);
    if (name === 'columns') {
      // They are also the last ones of this browser.
      await page.goto(`${testApp.webUrl}${path()}`);
      await page.getByRole('button', { name: 'Columns' }).click();
      await expect.poll(read).toEqual(after);
    }
    await testApp.pool.query('delete from competitors where id = any($1)', [added]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('keeps the button of each session busy that is being ended', async () => {
    await testApp.signIn();
    await testApp.signIn();
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      '/settings?tab=account',
    );
    await loaded();
    const gate = Promise.withResolvers<void>();
    await page.route('**/auth/sessions/*', async (route) => {
      await gate.promise;
      await route.continue();
    });
    const buttons = page.locator('main').getByRole('button', { name: 'Sign out', exact: true });
    const before = await buttons.count();
    for (const index of [0, 1]) await buttons.nth(index).click();
    await expect
      .poll(() =>
        buttons.evaluateAll((all) => all.map((one) => (one as HTMLButtonElement).disabled)),
      )
      .toEqual(Array.from({ length: before }, (_, index) => index < 2));
    gate.resolve();
    await expect.poll(() => buttons.count()).toBe(before - 2);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('shows a token once, and keeps a chosen colour scheme', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/settings?tab=tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Spreadsheet');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    const secret = await page.getByTestId('token').textContent();
    expect(secret!.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Revoke Spreadsheet' }).waitFor();
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Revoke Spreadsheet' }).waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.content()).not.toContain(secret);
    expect(consoleErrors).toEqual([]);
    await close();
  });
});

/** A third one, if there are only two. */
async function addCompetitor(): Promise<number[]> {
  const { rows } = await testApp.pool.query(
    `insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select c.workspace_id, c.app_id, l.id, c.tracking_periods, c.followed_at, c.created_at
     from competitors c, listings l
     where c.app_id = $1 and l.store = 'ios' and l.id not in (select listing_id from competitors)
       and l.id not in (select listing_id from apps)
       and (select count(*) from competitors where app_id = $1) = 2
     order by c.id, l.id limit 1
     returning id`,
    [testApp.apps.ios],
  );
  return rows.map(({ id }) => id);
}

/** Jobs with the longest texts: reasons of a failure, buttons, and durations of hours. */
async function writeWidestJobs(): Promise<void> {
  await testApp.pool.query(
    `insert into jobs (workspace_id, app_id, kind, state, total, done, queued_at, started_at,
       finished_at)
     select $1, $2, kind, state, 1200, 1187, now() - interval '11 months',
       now() - interval '10 months', now() - interval '10 months' + interval '47 seconds'
     from unnest(array['app-refresh', 'redeliver', 'failure-mail', 'history-import']) kind,
       unnest(array['failed', 'cancelled', 'shed']) state`,
    [testApp.workspaceId, testApp.apps.android],
  );
}

async function openSignedOut(colorScheme: 'light' | 'dark', width: number): Promise<WatchedPage> {
  const watched = await newPage(browser!, { colorScheme, width });
  await watched.page.goto(`${testApp.webUrl}/settings`);
  await watched.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(watched.page.url()).toContain('/sign-in?next=%2Fsettings');
  return watched;
}
