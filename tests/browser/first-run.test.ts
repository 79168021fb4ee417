import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, newPage, type WatchedPage } from '../harness/browser.ts';
import { buildDashboard } from '../harness/build-dashboard.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startProduct, type Product } from '../harness/product.ts';
import { audit, overflowOf } from './accessibility-audit.ts';

keepOrder('the tests are the steps of one first run');

const browser = await launchBrowser();
const address = 'https://apps.apple.com/us/app/lumen/id1500000001';

describe.skipIf(!browser)('the first run of a fresh install, below a path', () => {
  let product: Product;
  let watched: WatchedPage;
  beforeAll(async () => {
    await buildDashboard();
    product = await startProduct({
      environment: {
        PUBLIC_URL: 'http://127.0.0.1/aso',
        SCRAPE_IOS_RPM: '240',
        SCRAPE_IOS_WEB_RPM: '240',
      },
    });
    watched = await newPage(browser!, { width: 375, height: 812 });
  });
  afterAll(async () => {
    await watched.close();
    await product.stop();
    await browser!.close();
  });

  test('leads to creating the first account', async () => {
    const { page } = watched;
    // Without the path, as the terminal says.
    await page.goto(product.webUrl);
    await page.getByRole('heading', { name: 'Set up Toprung' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/aso/sign-up');
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(0);
    expect(await audit(page)).toEqual([]);
    await page.getByLabel('Email').fill('mara@example.org');
    await page.locator('input[type="password"]').fill('grape-tunnel-oxide-41');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Which app is yours?' }).waitFor();
  });

  test('shows a store failure with a countdown, and keeps what was typed', async () => {
    const { page } = watched;
    const faults = [{ fault: 'reset' as const, store: 'ios' as const }];
    product.simulator.setFaults(faults);
    await page.getByLabel('Store URL or name').fill('https://example.com/an-app');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const wrong = page.getByRole('alert');
    await wrong.getByText('That is not the address of an app').waitFor();
    await wrong.getByText('For example https://').waitFor();
    expect(await wrong.getByRole('button').count()).toBe(0);
    await page.getByLabel('Store URL or name').fill(address);
    await page.getByRole('button', { name: 'Find' }).click();
    const notice = page.getByRole('alert');
    await notice.waitFor({ timeout: 60_000 });
    await expect.poll(() => notice.textContent()).toContain('The store is not responding');
    await expect.poll(() => page.getByLabel('Store URL or name').inputValue()).toBe(address);
    await notice.getByRole('button', { name: /^Try again in \d+ s$/, disabled: true }).waitFor();
    expect(await audit(page)).toEqual([]);
    product.simulator.setFaults([]);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: 'Yes, this is my app' }).waitFor({ timeout: 60_000 });
    // The failed loads are the two refusals above, which the browser itself logs.
    const errors = watched.consoleErrors.splice(0);
    expect(errors.filter((line) => !/ (400|503) /.test(line))).toEqual([]);
  });

  test('searches a name in the stores of a country, by default the browser’s', async () => {
    const { page } = watched;
    const country = page.getByRole('combobox', { name: 'Country' });
    await expect.poll(() => country.inputValue()).toBe('United States');
    await country.fill('Germany');
    await page.getByRole('option', { name: 'Germany' }).click();
    await page.getByLabel('Store URL or name').fill('Lumen');
    const searched = page.waitForRequest(
      (request) =>
        request.url().includes('/store/apps/search') && request.url().includes('country=de'),
    );
    const isAndroidSearch = /\/store\/apps\/search\?.*store=android/;
    await page.route(isAndroidSearch, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Find' }).click();
    await searched;
    // What one store found is shown below the failure of the other.
    const notice = page.getByRole('alert').filter({ hasText: 'The search failed (Android)' });
    await notice.waitFor({ timeout: 60_000 });
    const results = page.getByRole('list', { name: 'Search results' });
    await results.getByRole('button').first().waitFor();
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await page.unrouteAll({ behavior: 'wait' });
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    expect(watched.consoleErrors.splice(0).filter((line) => !/ 503 /.test(line))).toEqual([]);
    const looked = page.waitForRequest(
      (request) =>
        request.url().includes('/store/apps/lookup') && request.url().includes('country=de'),
    );
    await results.getByRole('button').first().click({ timeout: 60_000 });
    await looked;
    await page.getByRole('button', { name: 'Yes, this is my app' }).waitFor({ timeout: 60_000 });
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    // An address determines its store.
    await page.getByLabel('Store URL or name').fill(address);
    await page.getByRole('button', { name: 'Find' }).click();
    await page
      .getByRole('region', { name: 'App found' })
      .getByText('United States')
      .waitFor({ state: 'attached', timeout: 60_000 });
  });

  test('goes from the address to the first position: app, countries, phrases, rows', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Yes, this is my app' }).click();
    await page.getByRole('heading', { name: 'Where do you want to rank?' }).waitFor();
    // The country of the address comes first, and is not offered again.
    const offered = page.getByRole('group', { name: 'Popular countries' });
    expect(await offered.getByRole('button', { name: 'United States' }).count()).toBe(0);
    await page.locator('form').getByText('United States', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Germany' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'What do people search for?' }).waitFor();
    await page.getByRole('checkbox', { checked: true }).nth(7).waitFor();
    const ticked = await page.getByRole('checkbox', { checked: true }).count();
    expect(ticked).toBeLessThanOrEqual(12);
    await page.getByText('2 requests per day').first().waitFor();
    await page.getByText(`+${ticked * 2} searches per day`).waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const before = product.simulator.log(0).at(-1)!.seq;
    // One waits until the end, however fast the store is.
    let waits = (index: number, count: number) => index === count - 1;
    await page.route(/\/apps\/\d+\/keywords\?/, async (route) => {
      const response = await route.fetch();
      const list = await response.json();
      const others = list.items.filter(
        ({ phrase }: { phrase: string }) => phrase !== 'mood journal',
      );
      const items = list.items.map((item: object) =>
        waits(others.indexOf(item), others.length)
          ? { ...item, latest: null, pending: 'queued' }
          : item,
      );
      await route.fulfill({ response, json: { ...list, items } });
    });
    await page.getByRole('button', { name: `Track ${ticked * 2} keywords` }).click();
    await page.getByRole('heading', { name: 'Your first positions' }).waitFor();
    const progress = page.getByRole('status').filter({ hasText: / of \d+ checked$/ });
    const countDone = async () => Number.parseInt((await progress.textContent())!, 10);
    await page
      .getByText(/^position \d+$/)
      .first()
      .waitFor({ state: 'attached', timeout: 60_000 });
    // The country of the app does not wait for those before it in the alphabet.
    const searched = product.simulator
      .log(before)
      .flatMap(({ phrase, country }) => (phrase && country ? [country] : []));
    expect(searched.slice(0, 3)).toContain('us');
    // The first results can be read while the others are pending; another row shows its own.
    await page
      .getByRole('region', { name: / · (United States|Germany)$/ })
      .getByRole('listitem')
      .first()
      .waitFor();
    const live = page.getByRole('list', { name: 'Keywords' });
    await live.getByRole('button', { name: 'mood journal' }).first().click({ timeout: 60_000 });
    const results = page.getByRole('region', { name: /^mood journal · / });
    expect(
      await results.getByRole('listitem').filter({ hasText: 'Lumen' }).getAttribute('data-own'),
    ).toBe('true');
    expect(await audit(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show instructions' }).click();
    await expect
      .poll(() => page.getByTestId('snippet-claudeCode').textContent())
      .toContain(`${product.webUrl}/aso/mcp`);
    await expect
      .poll(() => page.getByRole('link', { name: 'Create token' }).getAttribute('href'))
      .toBe('/aso/settings?tab=tokens');
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    // A failed check waits again; the count of those that were done never falls.
    const countedBefore = await countDone();
    waits = () => true;
    await page
      .getByText(/^position \d+$/)
      .first()
      .waitFor({ state: 'detached' });
    expect(await countDone()).toBeGreaterThanOrEqual(countedBefore);
    await page.getByText(/^about \d+ s left$/).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByText(`${ticked * 2} of ${ticked * 2} checked`).waitFor({ timeout: 120_000 });
    await page.getByText(/^\d+ found$/).waitFor();
    expect(await page.getByText(/ s left$/).count()).toBe(0);
  });

  test('counts the added keywords on all pages of the list', async () => {
    const { page } = watched;
    const progress = page.getByRole('status').filter({ hasText: / of \d+ checked$/ });
    const whole = (await progress.textContent())!;
    const isKeywordPage = /\/apps\/\d+\/keywords\?/;
    await page.route(isKeywordPage, async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '5');
      await route.continue({ url: url.href });
    });
    await page.reload();
    await page.getByText(whole, { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    // One that was removed meanwhile is not waited for.
    const count = Number(whole.split(' ')[2]);
    await page.route(isKeywordPage, async (route) => {
      const response = await route.fetch();
      const list = await response.json();
      await route.fulfill({ response, json: { ...list, items: list.items.slice(1) } });
    });
    await page.reload();
    await page.getByText(`${count - 1} of ${count - 1} checked`, { exact: true }).waitFor();
    await page.getByText(/^\d+ found$/).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('adds another app instead of showing the positions of the one before', async () => {
    const { page } = watched;
    const progress = page.getByRole('status').filter({ hasText: / of \d+ checked$/ });
    await page.reload();
    await progress.waitFor();
    await page.getByRole('link', { name: 'Weekly digest' }).click();
    await page.getByRole('heading', { level: 1, name: 'Weekly digest' }).waitFor();
    await page.goBack();
    await progress.waitFor();
    const setup = await page.evaluate(() => ({ ...sessionStorage }));
    const showPositions = async () => {
      await page.evaluate((stored) => Object.assign(sessionStorage, stored), setup);
      await page.reload();
      await progress.waitFor();
    };
    const first = page.getByRole('heading', { name: 'Which app is yours?' });
    await page.getByRole('button', { name: 'Add another app' }).click();
    await first.waitFor();
    await showPositions();
    await page.getByRole('link', { name: 'Weekly digest' }).click();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: /^Switch app/ }).click();
    await page.getByRole('menuitem', { name: 'Add app' }).click();
    await first.waitFor();
    await showPositions();
  });

  test('shows the positions of the store', async () => {
    const { page } = watched;
    await page.getByRole('link', { name: 'View keywords' }).click();
    await page.getByRole('heading', { name: 'Keywords', level: 1 }).waitFor();
    // The list without positions, which the test before made up, may be the cached one.
    await page.reload();
    const row = page
      .getByRole('row')
      .filter({ hasText: 'mood journal' })
      .filter({ hasText: 'United States' });
    const shown = () => row.locator('[data-column="position"] [aria-hidden]').textContent();
    const truth = product.simulator.groundTruth({
      store: 'ios',
      phrase: 'mood journal',
      country: 'us',
      storeAppId: '1500000001',
      day: new Date().toISOString().slice(0, 10),
    });
    await expect.poll(shown).toBe(truth.position === null ? '>200' : String(truth.position));
  });

  test('requests no other host and logs no error in the browser', () => {
    expect(watched.foreignRequests).toEqual([]);
    expect(watched.consoleErrors).toEqual([]);
  });

  test('signs out to the sign-in page, which counts down after wrong passwords', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByText('You need an invitation from the owner of a workspace').waitFor();
    expect(await page.getByRole('link', { name: 'Create one' }).count()).toBe(0);
    await page.getByLabel('Email').fill('mara@example.org');
    await page.locator('input[type="password"]').fill('not the password');
    const notice = page.getByRole('alert');
    for (let attempts = 0; attempts < 12; attempts++) {
      const response = page.waitForResponse((sent) => sent.url().endsWith('/auth/sign-in'));
      await page.getByRole('button', { name: 'Sign in' }).click();
      if ((await response).status() === 429) break;
      await notice.getByText('Wrong email or password').waitFor();
    }
    await notice.getByText('Too many attempts', { exact: true }).waitFor();
    await notice.getByText(/^Wait \d+ s$/).waitFor();
    expect(await audit(page)).toEqual([]);
  });
});
