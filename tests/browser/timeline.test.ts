import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();

describe.skipIf(!browser)('the dashboard', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });

  const patterns = {
    English: {
      change: /^(.+ · )?Changed: /,
      version: /^(.+ · )?Version /,
      rank: /^\d+ keywords? moved (up|down)/,
      reviews: / in one day$/,
      run: /daily run/,
    },
    Deutsch: {
      change: /^(.+ · )?Geändert: /,
      version: /^(.+ · )?Version /,
      rank: /^\d+ Keywords? ge/,
      reviews: /^\d+ Rezension/,
      run: /^Der tägliche|^Ein Store/,
    },
    日本語: {
      change: /^(.+・)?変更：/,
      version: /^(.+・)?バージョン/,
      rank: /^\d+件のキーワード/,
      reviews: /件のレビュー$/,
      run: /^日次実行/,
    },
  };

  test('shows timeline items in the page’s language, and annotations as written', async () => {
    // No app of the demo has a new version in two weeks of some dates.
    await testApp.pool.query(
      `insert into changes (listing_id, country, field, before, after, version, detected_at,
         previous_at, snapshot_id)
       select distinct on (s.listing_id) s.listing_id, s.country, 'version', '"1.0.0"', '"1.0.1"',
         '1.0.1', s.taken_at, s.taken_at - interval '1 day', s.id
       from snapshots s join apps a on a.listing_id = s.listing_id
         and a.primary_country = s.country
       order by s.listing_id, s.id desc`,
    );
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    const { rows: notes } = await testApp.pool.query('select text from annotations');
    const seen = new Set<string>();
    for (const [language, shapes] of Object.entries(patterns)) {
      if (language !== 'English') {
        await page.getByRole('button', { name: /^(Account menu|Kontomenü)/ }).click();
        await page.getByRole('menuitemradio', { name: language }).click();
        await page.keyboard.press('Escape');
      }
      const isTranslated = ([kind, title]: readonly [string, string]) =>
        kind === 'annotation'
          ? notes.some(({ text }) => text === title)
          : shapes[kind as keyof typeof shapes].test(title);
      const readTitles = () =>
        page
          .locator('#main li[data-kind]')
          .evaluateAll((items) =>
            items.map(
              (item) =>
                [
                  item.getAttribute('data-kind')!,
                  item.querySelector('p')!.firstChild!.textContent!,
                ] as const,
            ),
          );
      for (const app of Object.values(testApp.apps)) {
        await goTo(page, `/apps/${app}/timeline?days=90`);
        await loaded();
        await expect
          .poll(async () => (await readTitles()).filter((item) => !isTranslated(item)))
          .toEqual([]);
        for (const [kind] of await readTitles()) seen.add(kind);
        if (process.env.SHOTS)
          await page.screenshot({ path: `${process.env.SHOTS}/timeline-${language}-${app}.png` });
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['annotation', 'rank', 'version']));
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('shows actions in the page’s language, or the API’s text for unknown evidence', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    const { rows } = await testApp.pool.query(
      "select id::float8 as id, type, title, reason from actions where status = 'open' order by id",
    );
    const old = rows[0].id as number;
    await testApp.pool.query(`update actions set evidence = '{}' where id = $1`, [old]);
    const english = new Map<number, string>(rows.map(({ id, title }) => [id, title]));
    const oneOfEach = [...new Map(rows.map((row) => [row.type, row] as const)).values(), rows[0]];
    const begins = (text: string, { reason }: { reason: string }) =>
      text.startsWith(reason.split(/(?<=\.) /)[0]!);
    const choose = async (language: string) => {
      await page.getByRole('button', { name: /^(Account menu|Kontomenü|アカウント)/ }).click();
      await page.getByRole('menuitemradio', { name: language }).click();
      // The texts are loaded first.
      const code = language === 'Deutsch' ? 'de' : 'ja';
      await page.locator(`html[lang="${code}"]`).waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
    };
    for (const language of ['Deutsch', '日本語']) {
      await choose(language);
      await goTo(page, '/actions');
      await loaded();
      const shown = await page
        .locator('#main [data-action]')
        .evaluateAll((links) =>
          links.map(
            (link) =>
              [
                Number(link.getAttribute('data-action')),
                link.firstElementChild!.textContent,
              ] as const,
          ),
        );
      expect(shown.length).toBe(rows.length);
      expect(shown.filter(([id, title]) => english.get(id) === title)).toEqual([
        [old, english.get(old)],
      ]);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/actions-${language}.png` });
      if (language !== 'Deutsch') continue;
      for (const row of oneOfEach) {
        await page.locator(`#main [data-action="${row.id}"]`).click();
        await page.waitForURL(new RegExp(`action=${row.id}\\b`));
        await loaded();
        await expect
          .poll(async () => [
            row.type,
            begins((await page.locator('#action-title + p').textContent())!, row),
          ])
          .toEqual([row.type, row.id === old]);
      }
      await goTo(page, `/apps/${testApp.apps.ios}`);
      await loaded();
      const shownReasons = page.locator('#main li:has(a[href*="/actions?"]) > p');
      await expect.poll(() => shownReasons.count()).toBe(3);
      const reasons = await shownReasons.allTextContents();
      // Keyword gaps share their first sentence.
      const others = rows.filter((row) => !begins(rows[0].reason, row));
      expect(others.filter((row) => reasons.some((text) => begins(text, row)))).toEqual([]);
      await goTo(page, '/alerts?tab=events&type=action.opened');
      await loaded();
      const suggestions = page.locator('#main li', { hasText: 'Vorgeschlagen: ' });
      await expect.poll(() => suggestions.count()).toBeGreaterThan(5);
      const suggested = await suggestions.allTextContents();
      expect(rows.filter(({ title }) => suggested.some((text) => text.includes(title)))).toEqual(
        [],
      );
    }
    expect(new Set(rows.map(({ type }) => type)).size).toBeGreaterThan(3);

    await choose('Deutsch');
    const cellsOf = (column: number) => page.locator(`#main tbody tr td:nth-child(${column})`);
    // Narrower pages have the sentence as a hint only.
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, `/apps/${testApp.apps.ios}/competitors?tab=gaps`);
    await loaded();
    await expect.poll(() => cellsOf(7).count()).toBeGreaterThan(3);
    const whys = await cellsOf(7).allTextContents();
    const sentence =
      /^Am .+: .+ Position \d+, Ihre App (Position \d+|nicht in den Top \d+ gefunden)\.$/u;
    expect(whys.filter((why) => !sentence.test(why))).toEqual([]);
    await testApp.pool.query(
      `update jobs set state = 'failed', error = 'it failed three times; the log says why'
       where id = (select max(id) from jobs where kind not in ('first-check', 'run-daily',
         'keyword-check', 'app-refresh', 'review-sync', 'score'))`,
    );
    await goTo(page, '/runs?tab=jobs&state=failed');
    await page
      .getByText('Alle Versuche sind fehlgeschlagen. Der Grund steht im Serverprotokoll.')
      .first()
      .waitFor();
    await testApp.pool.query(
      `insert into audit (workspace_id, at, actor, credential, action, subject, detail)
       select id, now(), 'command', 'command', 'keywords.changed', 'app 7',
         '{"count": 3, "fields": "paused, newest", "asPublicFacts": true}'
       from workspaces where id = $1`,
      [testApp.workspaceId],
    );
    await goTo(page, '/settings?tab=audit');
    await loaded();
    const [newest] = await page.locator('#main tbody tr').all();
    await expect
      .poll(() => newest!.textContent())
      .toMatch(
        /Kommandozeile.*App 7.*Anzahl: 3 · Felder: pausiert und newest · Für die ganze Instanz: ja/,
      );
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
