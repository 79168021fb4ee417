import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addDays } from '#lib/dates.ts';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
const formatDay = (day: string) =>
  new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(
    new Date(day),
  );

describe.skipIf(!browser)('the overview', () => {
  let testApp: DemoTestApp;
  const path = () => `/apps/${testApp.apps.ios}`;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 300_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  test('shows the API’s figures, each with its change and coverage', async () => {
    const { page, consoleErrors, foreignRequests, close } = await testApp.open(
      browser!,
      '/methodology',
    );
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await goTo(page, path());
    await page.getByRole('img', { name: /^Visibility index from/ }).waitFor();
    const shownRequests = requested.filter((url) => url.includes('/visibility?'));
    const read = (at: string) =>
      page.evaluate(
        async (where) => (await fetch(`/api/backend${where}`)).json(),
        `${path()}${at}`,
      );
    const [overview, distribution, visibility] = await Promise.all([
      read('/overview'),
      read('/rankings/distribution'),
      read('/visibility?keywords=same'),
    ]);
    const tile = (name: string) =>
      page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    const checked = distribution.items.filter(
      (day: { notChecked: number; notFound: number }) => day.notChecked === 0 && day.notFound > 0,
    );
    const top10 = (day: { top1: number; top2to3: number; top4to10: number }) =>
      day.top1 + day.top2to3 + day.top4to10;
    const change = overview.top10 - top10(checked[0]);
    const words = change > 0 ? `▲ ${change}` : change < 0 ? `▼ ${-change}` : '=';
    await tile('Top 10').getByText(words, { exact: true }).waitFor();
    await expect.poll(() => tile('Top 10').textContent()).toContain(`${overview.top10}${words}`);
    await expect
      .poll(() => tile('Top 10').textContent())
      .toContain(`of ${overview.ranked + overview.notFound} checked, ${overview.tracked} tracked`);
    for (const name of ['Top 3', 'Top 10', 'Top 50', 'Average position'])
      await expect
        .poll(() => tile(name).textContent())
        .toContain(`Change since ${formatDay(checked[0].date)}`);
    const index = visibility.items.findLast(
      (day: { index: number | null }) => day.index !== null,
    ).index;
    // The same keywords on all days, so that added ones move no figure.
    expect(shownRequests).not.toEqual([]);
    expect(shownRequests.filter((url) => !url.includes('keywords=same'))).toEqual([]);
    await expect
      .poll(() => tile('Visibility').textContent())
      .toContain(new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(index));
    // Where today has no check, every tile names the day of the newest one.
    const day = formatDay(overview.newestCheck.date);
    expect(overview.newestCheck.date < overview.date).toBe(true);
    for (const name of ['Keywords', 'Top 3', 'Top 10', 'Top 50', 'Average position'])
      await expect.poll(() => tile(name).textContent()).toContain(`${day}: `);
    expect(
      await page.getByRole('link', { name: 'Visibility', exact: true }).getAttribute('href'),
    ).toContain('/methodology');
    // Positions of the days before are counted, and named.
    await testApp.pool.query(
      `update keywords set latest_on = latest_on - 1 where id in
         (select id from keywords where app_id = $1 and latest_position is not null limit 2)`,
      [testApp.apps.ios],
    );
    await page.reload();
    await tile('Keywords').getByText(`2 of these positions are from before ${day}`).waitFor();
    await testApp.pool.query(
      `update keywords set latest_on = (select max(latest_on) from keywords where app_id = $1)
       where app_id = $1`,
      [testApp.apps.ios],
    );
    expect([consoleErrors, foreignRequests]).toEqual([[], []]);
    await close();
  });

  test('draws visibility with gaps and marks, and links to actions, events and runs', async () => {
    const { page, loaded, close } = await testApp.open(browser!, path());
    const chart = page.getByRole('img', { name: /^Visibility index from/ });
    await chart.locator('svg').waitFor();
    await chart.locator('svg text').filter({ hasText: 'Annotation' }).first().waitFor();
    // Parts that arrive later would move the chart below the pointer.
    await loaded();
    const line = await chart
      .locator('svg path[fill="none"]')
      .evaluateAll(
        (paths) =>
          paths
            .map((one) => one.getAttribute('d') ?? '')
            .toSorted((a, b) => b.length - a.length)[0]!,
      );
    expect(line.match(/M/g)).toHaveLength(2);

    // Fewer days by keyboard, all of them again by a double click, and some by a drag.
    const firstDay = page.getByRole('slider', { name: 'First day shown' }).first();
    const wholeText = await firstDay.getAttribute('aria-valuetext');
    await firstDay.press('ArrowRight');
    await firstDay.press('ArrowRight');
    await expect.poll(() => firstDay.getAttribute('aria-valuenow')).toBe('2');
    await chart.locator('svg').dblclick();
    await expect.poll(() => firstDay.getAttribute('aria-valuetext')).toBe(wholeText);
    const box = (await chart.boundingBox())!;
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * 0.4, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 });
    await page.mouse.up();
    await expect
      .poll(async () => Number(await firstDay.getAttribute('aria-valuenow')))
      .toBeGreaterThan(3);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save: Visibility' }).click();
    await page.getByRole('menuitem', { name: 'Image (PNG)' }).click();
    const picture = await readFile(await (await saved).path());
    const width = picture.readUInt32BE(16);
    expect([picture.toString('latin1', 1, 4), width]).toEqual(['PNG', Math.round(box.width) * 2]);
    // A drawing that lost its styles has few colours and is small.
    expect(picture.length).toBeGreaterThan(8_000);

    const actions = page.getByRole('region', { name: 'Suggested actions' });
    await expect.poll(() => actions.getByRole('listitem').count()).toBe(3);
    const events = page.getByRole('region', { name: 'Recent activity' });
    await expect.poll(() => events.getByRole('listitem').count()).toBe(8);
    await expect
      .poll(() => page.getByRole('region', { name: 'Stores and runs' }).textContent())
      .toContain('Completed');
    await actions.getByRole('link').nth(1).click();
    await page.waitForURL(/\/actions\?.*action=\d+/);
    await close();
  });

  test('shows moves since the first checked day, linked to the keyword', async () => {
    const { page, close } = await testApp.open(browser!, path());
    const risen = page.getByRole('region', { name: /^Top gainers/ });
    await risen.getByRole('link').first().click();
    await page.waitForURL(/\/keywords\/\d+/);
    await close();
  });

  test('compares positions with one day: tiles, moves, distribution and the API', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, `${path()}?days=7`);
    const read = (at: string) =>
      page.evaluate(
        async (where) => (await fetch(`/api/backend${where}`)).json(),
        `${path()}${at}`,
      );
    const tile = (name: string) =>
      page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
    const { newestCheck, movers } = await read('/overview');
    const to: string = newestCheck.date;
    const from = addDays(to, -7);
    const base = `Change since ${formatDay(from)}`;
    const { items } = await read(`/rankings/distribution?from=${from}&to=${to}`);
    const [first, last] = [items[0], items.at(-1)];
    expect([first.date, last.date]).toEqual([from, to]);
    let top = 0;
    for (const [name, ...bands] of [
      ['Top 3', 'top1', 'top2to3'],
      ['Top 10', 'top4to10'],
      ['Top 50', 'top11to50'],
    ] as const) {
      for (const band of bands) top += last[band] - first[band];
      const change = top > 0 ? `up by ${top}` : top < 0 ? `down by ${-top}` : 'unchanged';
      await tile(name)
        .getByText(`${change} since ${formatDay(from)}`)
        .waitFor();
      await expect.poll(() => tile(name).textContent()).toContain(base);
    }
    // Keywords that were found on one day only have no distance, so it says how many count.
    await tile('Average position')
      .getByText(new RegExp(`${base} of \\d+ keywords found on both days$`))
      .waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `${formatDay(from)} and ${formatDay(to)}:` })
      .waitFor();
    const moved = await read(`/rankings/movers?from=${from}&to=${to}&limit=100`);
    expect([moved.gained.length + moved.entered.length, moved.lost.length]).toEqual([
      movers.days7.gained + movers.days7.entered,
      movers.days7.lost,
    ]);
    await goTo(page, `${path()}/distribution?days=7`);
    await page.getByText(`compared with ${formatDay(from)}`).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('shows moves since the checked day before, from the address, with both counts', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, path(), {
      width: 375,
    });
    const read = (at: string) =>
      page.evaluate(
        async (where) => (await fetch(`/api/backend${where}`)).json(),
        `${path()}${at}`,
      );
    const { items } = await read('/rankings/distribution');
    const [from, to] = items
      .filter(
        (day: { notChecked: number; notFound: number }) => day.notChecked === 0 && day.notFound > 0,
      )
      .slice(-2);
    const asked = page.waitForResponse((response) =>
      response.url().includes(`/rankings/movers?from=${from.date}&to=${to.date}`),
    );
    await page
      .getByRole('radiogroup', { name: 'Comparison period' })
      .getByText('1 day', { exact: true })
      .click();
    const { gained, entered } = await (await asked).json();
    expect(new URL(page.url()).searchParams.get('moves')).toBe('day');
    await page.reload();
    await page.getByText(/: 36 of 36 tracked keywords checked on both days\.$/).waitFor();
    const risen = page.getByRole('region', { name: /^Top gainers/ });
    await expect
      .poll(() => risen.getByRole('listitem').count())
      .toBe(Math.min(8, gained.length + entered.length));
    await loaded();
    expect([consoleErrors, await audit(page), await overflowOf(page)]).toEqual([[], [], 0]);
    await close();
  });

  test('keeps the other parts when one fails, and recovers it', async () => {
    await testApp.pool.query('alter table events rename to events_away');
    const { page, close } = await testApp.open(browser!, path());
    const events = page.getByRole('region', { name: 'Recent activity' });
    await events.getByRole('alert').waitFor();
    await page.getByRole('img', { name: /^Visibility index from/ }).waitFor();
    await page
      .getByRole('region', { name: 'Suggested actions' })
      .getByRole('listitem')
      .first()
      .waitFor();
    await testApp.pool.query('alter table events_away rename to events');
    await events.getByRole('button', { name: 'Try again', exact: true }).click();
    await events.getByRole('listitem').first().waitFor();
    await close();
  });

  test('shows no moves while the days to compare cannot be read, and recovers them', async () => {
    const { page, close } = await testApp.open(browser!, '/methodology');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const pattern = /\/rankings\/distribution\?/;
    const refusal = { statusCode: 409, code: 'conflict', message: 'Refused.', path: '/' };
    await page.route(pattern, (route) => route.fulfill({ status: 409, json: refusal }));
    await goTo(page, path());
    const retry = page
      .locator('main > :not(section) [role=alert]')
      .getByRole('button', { name: 'Try again', exact: true });
    await retry.waitFor();
    expect(requested.filter((url) => url.includes('/rankings/movers'))).toEqual([]);
    expect(await page.getByText('No keywords moved up').count()).toBe(0);
    const before = requested.filter((url) => pattern.test(url)).length;
    await retry.click();
    await expect
      .poll(() => requested.filter((url) => pattern.test(url)).length)
      .toBeGreaterThan(before);
    await page.unroute(pattern);
    const gainers = page.getByRole('region', { name: /^Top gainers/ }).getByRole('link');
    // A change may have it read again before, and a press during a read does nothing.
    await expect
      .poll(async () => {
        await retry.evaluateAll((buttons) =>
          buttons.forEach((button) => (button as HTMLElement).click()),
        );
        return gainers.count();
      })
      .toBeGreaterThan(0);
    await close();
  });

  test('compares nothing with days of another search provider, and says so', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    const { newestCheck } = await page.evaluate(
      async (where) => (await fetch(`/api/backend${where}`)).json(),
      `${path()}/overview`,
    );
    const to: string = newestCheck.date;
    const switchOn = async (day: string) => {
      await testApp.pool.query("delete from position_series where provider = 'mzstore'");
      await testApp.pool.query("insert into position_series values ('ios', $1, 'mzstore')", [day]);
    };
    const top10 = page
      .locator('dl > div')
      .filter({ has: page.getByText('Top 10', { exact: true }) });
    onTestFinished(async () => {
      await testApp.pool.query("delete from position_series where provider = 'mzstore'");
    });
    await switchOn(to);
    await goTo(page, `${path()}?days=7&moves=day`);
    await page.getByText(/^\d+ keywords are not comparable: the search provider/).waitFor();
    for (const name of [/^Top gainers/, /^Top losers/])
      await page
        .getByRole('region', { name })
        .getByText('No keywords can be compared between these days.')
        .waitFor();
    await expect.poll(() => top10.textContent()).toMatch(/Top 10\d+/);
    expect(await top10.textContent()).not.toContain('Change since');
    await goTo(page, `${path()}/distribution?days=7&versus=previous`);
    await page.getByText(/^Not comparable with .*: the search provider differs\.$/).waitFor();
    await page.getByText(/The search provider differs between the periods/).waitFor();
    await switchOn(addDays(to, -3));
    await goTo(page, `${path()}?days=7`);
    await page.reload();
    await expect
      .poll(() => top10.textContent())
      .toContain(`Change since ${formatDay(addDays(to, -3))}`);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('says what to do without keywords, and why a suspended one has no checks', async () => {
    await testApp.pool.query('update keywords set archived_at = now() where app_id = $1', [
      testApp.apps.android,
    ]);
    await testApp.change(`update workspaces set suspended_at = now() where id = $1`, [
      testApp.workspaceId,
    ]);
    const { page, close } = await testApp.open(browser!, `/apps/${testApp.apps.android}`);
    await page.getByRole('heading', { name: 'No keywords yet' }).waitFor();
    const check = page.getByRole('button', { name: 'Check now' });
    await expect.poll(() => check.getAttribute('aria-disabled')).toBe('true');
    const asked: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && asked.push(request.url()));
    await check.click({ force: true });
    await page.getByRole('link', { name: 'View keywords' }).click();
    await page.waitForURL(/\/keywords/);
    expect(asked).toEqual([]);
    await close();
    await testApp.change(`update workspaces set suspended_at = null where id = $1`, [
      testApp.workspaceId,
    ]);
  });
});
