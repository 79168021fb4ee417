import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { audit, untilStill } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

keepOrder('the last test kills the API');

const browser = await launchBrowser();

/** A folder for pictures: `SHOTS=/tmp/shots vitest run tests/browser/toasts.test.ts`. */
const shots = process.env.SHOTS;
const takeShot = async (page: Page, name: string) =>
  shots && (await page.screenshot({ path: `${shots}/toasts-${name}.png` }));

const toasts = (page: Page) => page.locator('[data-toast]');
const boxOf = async (what: Locator) => (await what.boundingBox())!;

/** With the keyboard, so that the pointer stays where it is. */
async function removeKeyword(page: Page): Promise<Locator> {
  await page.locator('[data-index="1"]').getByRole('checkbox').press('Space');
  const bar = page.getByRole('toolbar', { name: 'Selected keywords' });
  await bar.getByRole('button', { name: /^Remove/ }).press('Enter');
  const toast = toasts(page).filter({ hasText: '1 keyword removed' });
  await toast.waitFor();
  return toast;
}

/** Moves a finger sideways across the middle of the element. */
async function swipe(page: Page, what: Locator, way: number): Promise<void> {
  const { x, y, width, height } = await boxOf(what);
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', moved: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd' ? [] : [{ x: x + width / 2 + moved, y: y + height / 2, id: 1 }],
    });
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await touch('touchStart', 0);
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', way * share);
  await touch('touchEnd', way);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await session.detach();
}

describe.skipIf(!browser)('toasts', () => {
  let testApp: DemoTestApp;
  const ios = (rest: string) => `/apps/${testApp.apps.ios}${rest}`;
  beforeAll(async () => {
    testApp = await startDemoTestApp({ killable: true });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const openKeywords = async (options: { width: number; height?: number }) => {
    const opened = await testApp.open(browser!, ios('/keywords'), { height: 812, ...options });
    await opened.page.locator('[data-index="1"]').waitFor();
    return opened;
  };

  test('are closed by Escape, after all else that it closes', async () => {
    const { page, consoleErrors, close } = await openKeywords({ width: 1_280 });
    const toast = await removeKeyword(page);
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menu').waitFor();
    // Below the pointer it does not close by itself.
    await toast.hover();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    expect(await toast.count()).toBe(1);
    await page.keyboard.press('Escape');
    await toast.waitFor({ state: 'detached' });

    // From within, it gives the focus back.
    await removeKeyword(page);
    const add = page.getByRole('button', { name: 'Add keywords' }).first();
    await add.focus();
    await toast.getByRole('button', { name: 'Close' }).focus();
    await page.keyboard.press('Escape');
    await toast.waitFor({ state: 'detached' });
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true);

    // What had the focus is gone: it moves to the heading instead of the start of the page.
    await removeKeyword(page);
    await add.focus();
    await toast.getByRole('button', { name: 'Undo' }).focus();
    await add.evaluate((button) => button.remove());
    await page.keyboard.press('Enter');
    await toast.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('are pushed away with a finger', async () => {
    const { page, consoleErrors, close } = await openKeywords({ width: 375 });
    const toast = await removeKeyword(page);
    await untilStill(page);
    const before = await boxOf(toast);
    await swipe(page, toast, 40);
    await expect.poll(() => boxOf(toast)).toEqual(before);
    await swipe(page, toast, -160);
    await toast.waitFor({ state: 'detached' });
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('appear where the pointer is not', async () => {
    const { page, close } = await openKeywords({ width: 1_280 });
    await page.mouse.move(1_200, 700);
    const toast = await removeKeyword(page);
    await takeShot(page, 'start-1280');
    const start = await boxOf(toast);
    expect(start.x + start.width).toBeLessThan(800);
    // Beside the menu of the frame.
    expect(start.x).toBeGreaterThan(240);
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await toast.waitFor({ state: 'detached' });
    await page.mouse.move(400, 700);
    await removeKeyword(page);
    await takeShot(page, 'end-1280');
    const end = await boxOf(toast);
    expect(end.x).toBeGreaterThan(800);
    await page.keyboard.press('Escape');
    await close();
  });

  test.each([375, 1_280])('leave the last row of a page above them, at %i px', async (width) => {
    const { page, loaded, close } = await openKeywords({ width });
    const toast = await removeKeyword(page);
    // Below the pointer it does not close by itself.
    await toast.hover();
    await goTo(page, ios('/reviews?tab=topics'));
    await loaded();
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    const last = page.locator('main > *').last();
    await expect
      .poll(async () => {
        const [row, card] = await Promise.all([boxOf(last), boxOf(toast)]);
        return card.y - (row.y + row.height);
      })
      .toBeGreaterThan(0);
    await takeShot(page, `last-row-${width}`);
    await close();
  });

  test('of snoozed actions snooze them again when they are undone', async () => {
    const { pool } = testApp;
    await pool.query(
      `update actions a set status = 'snoozed',
         snoozed_until = date_trunc('hour', now()) + interval '2 days' * (1 + n % 2)
       from (select id, row_number() over (order by id) as n from actions
         where status = 'open' order by id limit 3) o where o.id = a.id`,
    );
    const read = async () =>
      (await pool.query('select id, status, snoozed_until from actions order by id')).rows;
    const before = await read();
    const { page, consoleErrors, close } = await testApp.open(browser!, '/actions?status=snoozed');
    const boxes = page.locator('#main li').getByRole('checkbox');
    await expect.poll(() => boxes.count()).toBe(3);
    for (const box of await boxes.all()) await box.check();
    const bar = page.getByRole('toolbar', { name: 'Selected actions' });
    await bar.getByRole('button', { name: 'Mark as done' }).click();
    const toast = toasts(page).filter({ hasText: '3 marked as done' });
    await expect.poll(read).not.toEqual(before);
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toEqual(before);
    await expect.poll(() => boxes.count()).toBe(3);

    // One that the list does not show, from a link, to another day and back.
    const { rows } = await pool.query("select id from actions where status = 'snoozed' limit 1");
    await goTo(page, `/actions?action=${rows[0].id}`);
    const tools = page.getByRole('toolbar', { name: 'Options for this action' });
    await tools.getByRole('button', { name: 'Reopen' }).waitFor();
    // Its keys are those of its own state, not of the list beside it.
    await page.keyboard.press('?');
    const help = page.getByRole('dialog');
    await help.getByText('Reopen').waitFor();
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await tools.getByRole('button', { name: 'Snooze' }).click();
    await page.getByRole('menuitem', { name: 'For a month' }).click();
    await expect.poll(read).not.toEqual(before);
    const single = toasts(page).filter({ hasText: 'Snoozed' });
    await single.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(read).toEqual(before);
    await pool.query(
      "update actions set status = 'open', snoozed_until = null where status = 'snoozed'",
    );
    // Other tests remove keywords that actions are about.
    expect(consoleErrors.filter((text) => !/404.*\/keywords\/\d/.test(text))).toEqual([]);
    await close();
  });

  test('moved actions stay hidden during other reads, and return when a move fails', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/actions');
    const ids = () =>
      page
        .locator('[data-action]')
        .evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.action));
    await expect.poll(async () => (await ids()).length).toBeGreaterThan(3);
    const [first, second, third] = await ids();
    const gates = [
      Promise.withResolvers<'send' | 'fail'>(),
      Promise.withResolvers<'send' | 'fail'>(),
    ];
    const moved: number[] = [];
    await page.route('**/actions/bulk', async (route) => {
      const { ids: sent } = route.request().postDataJSON() as { ids: number[] };
      // An undo is a third one.
      const outcome = await gates[moved.push(...sent) - 1]?.promise;
      return outcome === 'fail' ? route.abort() : route.fallback();
    });
    await page.keyboard.press('e');
    await expect.poll(async () => (await ids())[0]).toBe(second);
    await page.keyboard.press('e');
    await expect.poll(async () => (await ids())[0]).toBe(third);
    const isRead = page.waitForResponse(
      (response) => /\/actions\?.*limit=200/.test(response.url()) && response.ok(),
    );
    gates[0]!.resolve('send');
    await isRead;
    // Below the pointer it does not close by itself.
    await toasts(page).filter({ hasText: 'Marked as done' }).hover();
    expect((await ids())[0], 'the second is still on its way').toBe(third);
    gates[1]!.resolve('fail');
    await expect.poll(async () => (await ids())[0]).toBe(second);
    expect(moved).toEqual([first, second].map(Number));
    await toasts(page)
      .filter({ hasText: 'Marked as done' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(async () => (await ids())[0]).toBe(first);
    await page.unrouteAll({ behavior: 'wait' });
    expect(consoleErrors.filter((text) => !/ERR_FAILED|404.*\/keywords\/\d/.test(text))).toEqual(
      [],
    );
    await close();
  });

  test('selected actions that others have moved meanwhile are not moved', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/actions');
    const ids = () =>
      page
        .locator('[data-action]')
        .evaluateAll((links) => links.map((link) => Number((link as HTMLElement).dataset.action)));
    await expect.poll(async () => (await ids()).length).toBeGreaterThan(3);
    const [first, second, third] = (await ids()) as [number, number, number];
    await page.keyboard.press('e');
    await expect.poll(async () => (await ids())[0]).toBe(second);
    // Below the pointer it does not close by itself.
    await toasts(page).filter({ hasText: 'Marked as done' }).first().hover();
    const boxes = page.locator('#main li').getByRole('checkbox');
    for (const index of [0, 1]) await boxes.nth(index).press('Space');
    const bar = page.getByRole('toolbar', { name: 'Selected actions' });
    await bar.getByText('2 selected').waitFor();
    await testApp.pool.query(
      "update actions set status = 'resolved', resolved_at = now() where id = $1",
      [second],
    );
    // The list is read again.
    const undo = () => toasts(page).filter({ hasText: 'Marked as done' }).getByRole('button');
    await undo().first().click();
    await expect.poll(async () => (await ids()).slice(0, 2)).toEqual([first, third]);
    await bar.getByText('1 selected').waitFor();

    // From now on it cannot be read, and what is shown is older.
    const isList = /\/actions\?.*limit=200/;
    await page.route(isList, (route) => route.fulfill({ status: 400, json: {} }));
    const moved = page.waitForRequest((request) => request.url().endsWith('/actions/bulk'));
    await bar.getByRole('button', { name: 'Mark as done' }).click();
    expect((await moved).postDataJSON()).toMatchObject({ ids: [third] });
    const main = page.getByRole('main');
    await main.getByText('Newer data could not be loaded.').waitFor();
    await expect.poll(async () => (await ids())[0]).toBe(first);
    await page.unroute(isList);
    await main.getByRole('button', { name: 'Try again' }).click();
    await main.getByText('Newer data could not be loaded.').waitFor({ state: 'detached' });
    expect(consoleErrors.filter((text) => !/ 400 |404.*\/keywords\/\d/.test(text))).toEqual([]);
    await close();
  });

  test('alerts that cannot be marked as read or loaded are reported', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    const refuse = (method: string, pattern: RegExp) =>
      page.route(pattern, (route) =>
        route.request().method() === method
          ? route.fulfill({ status: 400, json: {} })
          : route.fallback(),
      );
    await refuse('POST', /\/events\/read$/);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    const failure = page.locator('[data-toast][data-tone=failure]');
    await failure.getByRole('button', { name: 'Close' }).click();
    await failure.waitFor({ state: 'detached' });

    await page.route(/\/events\?.*order=desc/, async (route) => {
      if (route.request().url().includes('cursor=')) return route.fallback();
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'older' } });
    });
    await refuse('GET', /\/events\?.*cursor=/);
    await goTo(page, '/alerts');
    const main = page.getByRole('main');
    await main.getByRole('button', { name: 'Show more' }).click();
    await main.getByText('Newer data could not be loaded.').waitFor();
    expect(await main.getByRole('listitem').count()).toBeGreaterThan(0);
    // They were marked because they are shown, without a click.
    expect(await failure.count()).toBe(0);
    expect(consoleErrors.filter((text) => !/ 400 /.test(text))).toEqual([]);
    await close();
  });

  test('close soon after a success; a failure stays until it is closed', async () => {
    const { page, context, loaded } = await testApp.open(browser!, ios('/reviews?tab=topics'));
    await loaded();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.clock.install();
    await page.getByRole('button', { name: 'Copy: Topics' }).click();
    const success = toasts(page).filter({ hasText: 'Copied to the clipboard' });
    await success.waitFor();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(5_000);
    await success.waitFor({ state: 'detached' });

    await testApp.killApi();
    const fetchNow = page.locator('main').getByRole('button', { name: 'Fetch now' });
    await fetchNow.click();
    const failure = page.locator('[data-toast][data-tone=failure]');
    await failure.waitFor();
    await takeShot(page, 'failure-1280');
    await page.clock.fastForward(120_000);
    expect(await failure.count()).toBe(1);
    // The same once more is the same toast.
    const again = page.waitForResponse((response) => response.url().endsWith('/reviews/sync'));
    await fetchNow.click();
    await again;
    // Later it would show the toast again that Escape has closed.
    await expect.poll(() => fetchNow.getAttribute('data-loading')).toBeNull();
    expect(await failure.count()).toBe(1);
    // Before it, Escape closes the tooltip of the button below the pointer, if it is shown yet.
    const closeNext = async () => {
      await page.keyboard.press('Escape');
      return failure.count();
    };
    await expect.poll(closeNext).toBe(0);
    // Its clock stays replaced.
    await context.close();
  });
});
