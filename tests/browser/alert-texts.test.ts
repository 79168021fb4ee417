import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
const labels: Record<string, string> = JSON.parse(
  readFileSync(new URL('../../web/src/locales/en/alerts.json', import.meta.url), 'utf8'),
);

describe.skipIf(!browser)('the alerts page', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const read = (page: Page, path: string) =>
    page.evaluate(async (at) => (await fetch(`/api/backend${at}`)).json(), path);

  test.each(['America/Los_Angeles', 'Pacific/Kiritimati'])(
    'shows events by the days and times of the workspace’s zone, %s',
    async (timeZone) => {
      await testApp.pool.query(
        `insert into settings (workspace_id, settings) values ($1, $2)
         on conflict (workspace_id) do update
           set settings = settings.settings || excluded.settings`,
        [testApp.workspaceId, JSON.stringify({ timezoneForDisplay: timeZone })],
      );
      // A late and an early hour of a UTC day are on other days in both zones.
      const { rows } = await testApp.pool.query(
        'select sequence::int from events where workspace_id = $1 order by sequence desc limit 2',
        [testApp.workspaceId],
      );
      for (const [index, time] of ['22:41', '03:07'].entries())
        await testApp.pool.query(
          `update events set body = regexp_replace(body,
             '("timestamp":"\\d{4}-\\d\\d-\\d\\d)T[^"]+', '\\1T' || $3::text || ':00.000Z')
           where workspace_id = $1 and sequence = $2`,
          [testApp.workspaceId, rows[index].sequence, time],
        );
      const { page, consoleErrors, close } = await testApp.open(browser!, '/alerts');
      await page.locator('main time').first().waitFor();
      const shown = await page.locator('main section').evaluateAll((sections) =>
        sections.flatMap((section) =>
          [...section.querySelectorAll('time')].map((time) => ({
            day: section.querySelector('h2')!.textContent,
            at: time.dateTime,
            time: time.textContent,
          })),
        ),
      );
      const dayOf = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'medium' });
      const clock = new Intl.DateTimeFormat('en', {
        timeZone,
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
        timeZoneName: 'short',
      });
      expect(shown.map(({ at }) => at.slice(11, 16))).toEqual(
        expect.arrayContaining(['22:41', '03:07']),
      );
      for (const { day, at, time } of shown)
        expect({ at, day, time }).toEqual({
          at,
          day: dayOf.format(new Date(at)),
          time: clock.format(new Date(at)),
        });
      const utcDays = shown.filter(
        ({ day, at }) => day === dayOf.format(new Date(`${at.slice(0, 10)}T12:00:00Z`)),
      );
      expect(utcDays.length).toBeLessThan(shown.length);
      await testApp.pool.query(
        "update settings set settings = settings - 'timezoneForDisplay' where workspace_id = $1",
        [testApp.workspaceId],
      );
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test('explains every rule in sentences, with the values that hold', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(
      browser!,
      '/alerts?tab=rules',
    );
    await loaded();
    const { defaults } = await read(page, '/alerts/rules');
    const sections = page.locator('main section[aria-labelledby^="rules-"]');
    await expect.poll(() => sections.count()).toBe(defaults.length);
    const isSentence = (text: string) => /^\p{Lu}.*[^.]\.$/su.test(text) && text.includes(' ');
    for (const { event, ...rule } of defaults) {
      const section = page.locator(`section[aria-labelledby="rules-${event}"]`);
      const texts = await section
        .locator('h2 + p, .mantine-InputWrapper-description, [id$="-description"]')
        .allTextContents();
      expect(texts.filter((text) => !isSentence(text))).toEqual([]);
      expect(texts.length).toBeGreaterThan(0);
      for (const [field, value] of Object.entries(rule)) {
        if (typeof value !== 'number') continue;
        const input = section.getByRole('textbox', { name: labels[`rules.field.${field}`]! });
        expect([event, field, await input.inputValue()]).toEqual([event, field, String(value)]);
      }
    }
    // What the rules would have said is a sentence with the phrase and both positions.
    const moved = page
      .getByRole('region', { name: 'Alerts that these rules would have triggered' })
      .locator(':is([data-type="rank.dropped"], [data-type="rank.improved"]) a')
      .first();
    await moved.waitFor({ state: 'attached' });
    await expect
      .poll(() => moved.textContent())
      .toMatch(/^“.+” \(.+\) (fell|rose) from \S.* to \S/);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('lets the reader try again once the countdown has ended', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    let isDown = true;
    await page.route('**/api/backend/events?*', async (route) => {
      if (!isDown) return route.continue();
      await route.fulfill({
        status: 503,
        headers: { 'retry-after': '8' },
        json: {
          statusCode: 503,
          error: 'Service Unavailable',
          message: 'The store is not responding.',
          code: 'store_unavailable',
          path: '/',
          timestamp: '',
          retryAfterSeconds: 8,
        },
      });
    });
    await goTo(page, '/alerts');
    const notice = page.locator('#main').getByRole('alert');
    // Looked for at once, because its name changes when the countdown ends.
    await notice.getByRole('button', { name: /^Try again in [1-8] s$/, disabled: true }).waitFor();
    isDown = false;
    const again = notice.getByRole('button', { name: 'Try again', exact: true });
    await again.waitFor();
    await expect.poll(() => again.isEnabled()).toBe(true);
    // Screen readers hear that the wait is over.
    await notice.getByRole('status').waitFor();
    await again.click();
    await page.locator('main time').first().waitFor();
    expect(await notice.count()).toBe(0);
    expect(consoleErrors.filter((line) => !line.includes(' 503 '))).toEqual([]);
    await close();
  });

  test('groups the digits of counts as the language does', async () => {
    await testApp.pool.query(
      `insert into events (workspace_id, sequence, type, key, app_id, occurred_at, body)
       select e.workspace_id, e.sequence + n, e.type, 'copy-' || n, e.app_id, e.occurred_at, e.body
       from (select * from events where workspace_id = $1 order by sequence desc limit 1) e,
         generate_series(1, 1234) n`,
      [testApp.workspaceId],
    );
    const { page, consoleErrors, close } = await testApp.open(browser!, '/briefing');
    const { unread } = await read(page, '/events/unread');
    expect(unread).toBeGreaterThanOrEqual(1_234);
    const card = (name: string) => page.getByRole('region', { name });
    for (const [language, title, format] of [
      ['en', 'Unread alerts', /^\d,\d{3} unread$/],
      ['de', 'Ungelesene Benachrichtigungen', /^\d\.\d{3} ungelesen/],
    ] as const) {
      await page.evaluate(
        (code) => localStorage.setItem('toprung.language', JSON.stringify(code)),
        language,
      );
      await page.reload();
      const text = card(title).getByText(format);
      await text.waitFor();
      await expect
        .poll(() => text.textContent())
        .toContain(new Intl.NumberFormat(language).format(unread));
    }
    await page.evaluate(() => localStorage.removeItem('toprung.language'));
    await testApp.pool.query("delete from events where key like 'copy-%'");
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
