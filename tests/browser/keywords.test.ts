import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { listDeviceIds } from '#stores/profiles.ts';
import { launchBrowser, type WatchedPage } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw, isLong } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { startTestApp, type TestApp } from './test-app.ts';

keepOrder('tests that add and remove keywords come after those that count them');

const browser = await launchBrowser();
/** Several pages of the API in both directions. */
const markets = isLong ? 5_000 : 600;
const formatCount = (count: number) => Math.ceil(count).toLocaleString('en-US');
const all = formatCount(markets);

/** The positions of the visible rows, from top to bottom. */
async function readPositions(page: Page): Promise<string[]> {
  const rows = await page.locator('[role="row"][data-index]').evaluateAll((elements) =>
    elements.map((element) => ({
      index: Number(element.getAttribute('data-index')),
      text: element.querySelector('[data-column="position"] [aria-hidden]')?.textContent ?? '',
    })),
  );
  return rows.toSorted((a, b) => a.index - b.index).map(({ text }) => text);
}

async function scrollToEnd(page: Page): Promise<void> {
  const last = page.locator(`[data-index="${markets - 1}"]`);
  // Rendered rows may be higher than estimated, so the end moves.
  const scroll = async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    return last.isVisible();
  };
  await expect.poll(scroll, { timeout: 30_000 }).toBe(true);
}

describe.skipIf(!browser)('the keywords table', () => {
  let testApp: TestApp;
  let shared: WatchedPage;
  beforeAll(async () => {
    testApp = await startTestApp({ markets, days: 35 });
    shared = await testApp.open(browser!, '/methodology');
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  /** A page of its own, for tests of a fresh load or of a choice that a browser keeps. */
  const open = (path = '') => testApp.open(browser!, `/apps/${testApp.appId}/keywords${path}`);
  const show = async (path = '') => {
    await goTo(shared.page, `/apps/${testApp.appId}/keywords${path}`);
    return shared.page;
  };
  /** The newest position of the history as the table shows it. */
  const newestOf = (id: number): string => {
    const keyword = testApp.history.keywords.find((candidate) => candidate.id === id)!;
    const truths = testApp.history.days.map((day) => testApp.history.groundTruthOf(keyword, day));
    const { position, depth } = truths.findLast((truth) => truth !== null)!;
    return position === null ? `>${depth}` : String(position);
  };
  const untilAll = (page: Page) =>
    page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${all} keywords$`) })
      .waitFor({ timeout: 60_000 });

  test(`holds ${all} rows and draws only a few`, async () => {
    const page = await show();
    await untilAll(page);
    await expect
      .poll(() => page.getByRole('table').getAttribute('aria-rowcount'))
      .toBe(String(markets + 1));
    await scrollToEnd(page);
    expect(await page.locator('[role="row"][data-index]').count()).toBeLessThan(80);
    expect(shared.consoleErrors.splice(0)).toEqual([]);
  });

  test('sorts keywords without a position last in both directions', async () => {
    const page = await show();
    await untilAll(page);
    const header = page.getByRole('columnheader', { name: 'Position' });
    for (const direction of ['ascending', 'descending']) {
      await page.evaluate(() => window.scrollTo(0, 0));
      if (direction === 'descending') await header.getByRole('button').click();
      await page.locator(`[role="columnheader"][aria-sort="${direction}"]`).waitFor();
      await page.locator('[data-index="0"]').waitFor();
      const wrong = async () => {
        const first = (await readPositions(page)).map(Number);
        const sorted = first.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a));
        return first.filter((position, at) => !(position >= 1) || position !== sorted[at]);
      };
      await expect.poll(wrong).toEqual([]);
      await scrollToEnd(page);
      const last = await readPositions(page);
      expect(last.length).toBeGreaterThan(5);
      expect(last.every((position) => /^>(30|200)$|^–$/.test(position))).toBe(true);
    }
  });

  test('shows a position, or more than the depth that was examined', async () => {
    const page = await show('?sort=phrase');
    await untilAll(page);
    await page.locator('[role="row"][data-index]').nth(10).waitFor();
    const rows = await page.locator('[role="row"][data-index]').evaluateAll((elements) =>
      elements.map((element) => ({
        id: Number(
          /\d+$/.exec(element.querySelector('a')!.getAttribute('href')!.split('?')[0]!)![0],
        ),
        shown: element.querySelector('[data-column="position"] [aria-hidden]')!.textContent,
      })),
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { id, shown } of rows) {
      expect(shown).toBe(newestOf(id));
    }
  });

  test('works by keyboard: past the menu, along rows, into a keyword and back', async () => {
    const { page, close } = await open('?q=word 12');
    // While pages arrive, rows still move, and the focused one may leave the view.
    await page
      .getByText(new RegExp(`^[\\d,]+ of ${all} keywords(?! · loading)`))
      .waitFor({ timeout: 60_000 });
    await page.locator('[data-index="0"]').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    const inTable = () =>
      page.evaluate(
        () => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') ?? null,
      );
    for (let presses = 0; presses < 40 && (await inTable()) === null; presses++)
      await page.keyboard.press('Tab');
    expect(await inTable()).toBe('0');
    await page.keyboard.press('j');
    await page.waitForFunction(
      () => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') === '1',
    );
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    // Switched off in another tab, where a dictated word would trigger them.
    await page.evaluate(() => {
      localStorage.setItem('toprung.single-keys', 'false');
      dispatchEvent(new StorageEvent('storage', { key: 'toprung.single-keys' }));
    });
    for (const key of ['k', 'x', 'ArrowDown']) await page.keyboard.press(key);
    await page.waitForFunction(
      () => document.activeElement?.closest('[data-index]')?.getAttribute('data-index') === '2',
    );
    await page.getByText('1 selected').waitFor();
    const phrase = await page.evaluate(() => document.activeElement!.textContent);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: phrase, level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Keywords', level: 1 }).waitFor();
    await close();
  });

  test('keeps several countries in the address', async () => {
    const { page, consoleErrors, close } = await open();
    await untilAll(page);
    const filters = page.getByRole('search', { name: 'Filter keywords' });
    // Undone before it was sent: it must not return and leave no row below.
    await filters.locator('[data-search]').fill('none has this');
    await filters.getByRole('button', { name: 'Clear search' }).click();
    await filters.getByRole('button', { name: 'Any country' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Germany' }).click();
    await page.getByText(`${formatCount(markets / 6)} of ${all} keywords`).waitFor();
    await page.getByRole('menuitemcheckbox', { name: 'Japan' }).click();
    await page.getByText(`${formatCount(markets / 3)} of ${all} keywords`).waitFor();
    await page.reload();
    await page
      .getByText(`${formatCount(markets / 3)} of ${all} keywords`)
      .waitFor({ timeout: 60_000 });
    await filters.getByRole('button', { name: 'DE, JP' }).waitFor();
    const shown = async () => {
      const texts = await page.locator('[data-index] [data-column="country"]').allInnerTexts();
      return new Set(texts.map((text) => text.trim().split('\n')[0]));
    };
    await expect.poll(shown).toEqual(new Set(['DE', 'JP']));
    await filters.getByRole('button', { name: 'Reset filters' }).click();
    await untilAll(page);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('keeps the chosen columns in the address', async () => {
    const heads = (page: Page) =>
      page
        .getByRole('columnheader')
        .evaluateAll((all) => all.flatMap((head) => head.getAttribute('data-column') ?? []));
    const { page, consoleErrors, close } = await open('?q=word 12');
    await page.locator('[data-index="0"]').waitFor();
    await expect
      .poll(() => heads(page))
      .toEqual([
        'phrase',
        'country',
        'position',
        'change1d',
        'change7d',
        'traffic',
        'difficulty',
        'opportunity',
        'trend',
      ]);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Best position' }).click();
    await page.getByRole('menuitemcheckbox', { name: '30-day trend' }).click();
    const chosen = [
      'phrase',
      'country',
      'position',
      'change1d',
      'change7d',
      'best',
      'traffic',
      'difficulty',
      'opportunity',
    ];
    await expect.poll(() => heads(page)).toEqual(chosen);
    const { pathname, search } = new URL(page.url());
    const other = await testApp.open(browser!, pathname + search);
    await other.page.locator('[data-index="0"]').waitFor();
    await expect.poll(() => heads(other.page)).toEqual(chosen);
    await other.close();
    // From now on the choice is this browser's own.
    await page.goto(`${testApp.webUrl}/apps/${testApp.appId}/keywords`);
    await page.locator('[data-index="0"]').waitFor();
    await expect.poll(() => heads(page)).toEqual(chosen);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test(`lists phrases by country in ${all} rows, the missing positions last`, async () => {
    const page = await show('?by=de');
    await untilAll(page);
    await page.getByRole('link', { name: 'By country' }).click();
    const table = page.getByRole('table');
    await page.locator(`table[aria-rowcount="${markets + 1}"]`).waitFor();
    const region = page.getByRole('region', { name: 'Table: By country' });
    const column = await table
      .locator('thead th')
      .evaluateAll((heads) => heads.findIndex((head) => head.textContent === 'Germany'));
    const cells = () =>
      table.locator('tbody tr:not([aria-hidden])').evaluateAll(
        (rows, at) =>
          rows.map((row) => {
            const cell = row.children[at]!;
            return {
              href: cell.querySelector('a')?.getAttribute('href') ?? null,
              shown: cell.querySelector('[aria-hidden]')?.textContent ?? '',
            };
          }),
        column,
      );
    for (const direction of ['ascending', 'descending']) {
      await region.evaluate((box) => box.scrollTo(0, 0));
      if (direction === 'descending')
        await page.getByRole('button', { name: 'Sort by Germany' }).click();
      await table.locator(`th[aria-sort="${direction}"]`).waitFor();
      await expect.poll(async () => (await cells())[0]?.href).toBeTruthy();
      const isSorted = async () => {
        const depths = (await cells()).map(({ shown }) =>
          shown.startsWith('>') ? 1_000 + Number(shown.slice(1)) : Number(shown),
        );
        const sorted = depths.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a));
        return depths.every((depth, at) => depth === sorted[at]);
      };
      await expect.poll(isSorted).toBe(true);
      const first = await cells();
      expect(first.length).toBeLessThan(80);
      for (const { href, shown } of first) {
        const id = Number(/\/keywords\/(\d+)/.exec(href!)![1]);
        expect(shown).toBe(newestOf(id));
      }
      await region.evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await expect.poll(async () => (await cells()).every(({ href }) => href === null)).toBe(true);
    }
    expect(shared.consoleErrors.splice(0)).toEqual([]);
  });

  test('by country are no file before every keyword is loaded', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    const gate = Promise.withResolvers<void>();
    await page.route(/\/keywords\?.*cursor=/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await goTo(page, `/apps/${testApp.appId}/keywords?view=pivot`);
    const csv = page.getByRole('button', { name: 'Download CSV: By country' });
    await csv.waitFor();
    expect(await csv.getAttribute('aria-disabled')).toBe('true');
    await csv.hover();
    await page.getByRole('tooltip', { name: 'Loading all keywords' }).waitFor();
    gate.resolve();
    await expect.poll(() => csv.getAttribute('aria-disabled')).toBeNull();
    const [download] = await Promise.all([page.waitForEvent('download'), csv.click()]);
    const [, ...lines] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(markets);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('say why further ones could not be loaded, and load them on request', async () => {
    const { page, close } = await testApp.open(browser!, '/methodology');
    await page.route(/\/keywords\?.*cursor=/, (route) =>
      route.fulfill({
        status: 503,
        json: {
          statusCode: 503,
          error: 'Service Unavailable',
          message: 'The database is starting.',
          code: 'unavailable',
          path: '/',
          timestamp: '',
        },
      }),
    );
    await goTo(page, `/apps/${testApp.appId}/keywords`);
    const notice = page.locator('#main').getByRole('alert');
    const again = notice.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    expect(await audit(page)).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
    const loaded = page.getByText(new RegExp(`^${all} keywords(?! · loading)`));
    // Something else may have read them again meanwhile.
    await expect
      .poll(async () => {
        if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => undefined);
        return loaded.count();
      })
      .toBe(1);
    await notice.waitFor({ state: 'detached' });
    await close();
  });

  test('selects from the row that was clicked last, wherever an order has moved it', async () => {
    const page = await show('?q=word 12&sort=phrase');
    const row = (index: number) => page.locator(`[data-index="${index}"]`);
    const phraseOf = (index: number) => row(index).locator('[data-column="phrase"] a').innerText();
    const untilCounted = () =>
      page
        .getByText(new RegExp(`^[\\d,]+ of ${all} keywords(?! · loading)`))
        .waitFor({ timeout: 60_000 });
    await untilCounted();
    const first = await phraseOf(0);
    await row(0).getByRole('checkbox').click();
    await page.getByText('1 selected').waitFor();
    await page.getByRole('columnheader', { name: 'Phrase' }).getByRole('button').click();
    await page.waitForURL(/sort=-phrase/);
    await expect.poll(() => phraseOf(0)).not.toBe(first);
    const last = Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 2;
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await row(last - 2)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText('3 selected', { exact: true }).waitFor();
    for (const index of [last - 2, last - 1, last])
      expect(await row(index).getAttribute('aria-selected')).toBe('true');

    // A filter has hidden the row.
    await goTo(page, `/apps/${testApp.appId}/keywords?q=word 13&sort=phrase`);
    await untilCounted();
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => phraseOf(0)).toMatch(/^word 13/);
    await row(4)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await page.getByText('1 selected', { exact: true }).waitFor();
    await page.getByRole('toolbar').getByRole('button', { name: 'Clear selection' }).click();
    expect(shared.consoleErrors.splice(0)).toEqual([]);
  });

  test('exports every filtered row as a file, in the columns and order shown', async () => {
    const { page, consoleErrors, close } = await open(
      '?q=word&sort=-phrase&columns=country,change7d,trend',
    );
    await untilAll(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV: Keywords' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^app-1-keywords-\d{4}-\d\d-\d\d\.csv$/);
    const [head, ...lines] = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(head).toBe(
      'Phrase,Tags,Country,Position,Position as a number,Depth,Search provider,"Change, 7 days"',
    );
    expect(lines).toHaveLength(markets);
    const first = await page.locator('[data-index="0"] [data-column="phrase"] a').textContent();
    expect(lines[0]!.split(',')[0]).toBe(first);
    for (const line of lines) {
      const [, , , shown, position, depth] = line.split(',');
      expect([shown === '' ? '' : `>${depth}`, position]).toContain(shown);
      expect(position).toBe(shown!.startsWith('>') ? '' : shown);
    }
    expect(lines.some((line) => line.includes(',>'))).toBe(true);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('loads another language’s texts before it switches, and shows no key', async () => {
    const { page, consoleErrors, close } = await open('?q=word 12');
    await page.getByText(new RegExp(`^[\\d,]+ of ${all} keywords`)).waitFor({ timeout: 60_000 });
    await page.evaluate(() => {
      const shown = new Set<string>();
      Object.assign(window, { shownKeys: shown });
      const look = () => {
        for (const key of document.body.innerText.match(/\b[a-z][A-Za-z]*(\.[a-z]\w+)+\b/g) ?? [])
          shown.add(key);
      };
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await page.getByRole('textbox', { name: 'Suchbegriffe durchsuchen' }).waitFor();
    await page.getByRole('link', { name: 'Verteilung' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Verteilung der Positionen' }).waitFor();
    expect(
      await page.evaluate(() => [...(window as unknown as { shownKeys: Set<string> }).shownKeys]),
    ).toEqual([]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  // Runs last: it leaves keywords behind.
  test('shows the cost before keywords are added, and undoes a removal', async () => {
    const page = await show();
    await untilAll(page);
    await page.getByRole('button', { name: 'Add keywords' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    await dialog.getByLabel('Phrases').fill('zebra crossing\nzebra stripes, zebra, Zebra');
    await dialog.getByText('+3 searches per day').waitFor();
    await dialog.getByText('3 new, 0 already tracked').waitFor();
    await dialog.getByRole('button', { name: 'Add 3 keywords' }).click();
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${all} keywords`) })
      .or(page.getByText(`${formatCount(markets + 3)} keywords`))
      .first()
      .waitFor();
    await page.getByRole('textbox', { name: 'Search phrases' }).fill('zebra');
    await page.getByText('3 of', { exact: false }).first().waitFor();
    // On a slow machine the previous rows may stay for a moment.
    const tickAll = async () => {
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      return page.getByText('3 selected', { exact: true }).isVisible();
    };
    await expect.poll(tickAll).toBe(true);
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No matching keywords').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 keywords restored').waitFor();
    await page.getByRole('link', { name: 'zebra stripes' }).waitFor();
    expect(shared.consoleErrors.splice(0)).toEqual([]);

    // A change that did not reach the server does not look saved.
    await page.route('**/api/backend/**', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort(),
    );
    const star = page.getByRole('button', { name: 'Favourite: zebra stripes' });
    await star.click();
    const failure = page.locator('[data-toast]').filter({ hasText: 'No connection to Toprung' });
    await failure.waitFor();
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('false');
    await failure.getByRole('button', { name: 'Close' }).click();
    await failure.waitFor({ state: 'detached' });
    await expect.poll(tickAll).toBe(true);
    await page.getByRole('toolbar').getByRole('button', { name: 'Remove', exact: true }).click();
    await failure.waitFor();
    await page.getByRole('link', { name: 'zebra stripes' }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    shared.consoleErrors.splice(0);
  });
});

describe.skipIf(!browser)('the keywords of the demo', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const open = (path = '', options?: Parameters<DemoTestApp['open']>[2]) =>
    testApp.open(browser!, `/apps/${testApp.apps.ios}/keywords${path}`, options);
  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByRole('menuitem', { name }).click();
  };

  test('are copied to another market with its cost first; missing scores sort last', async () => {
    const { page, consoleErrors, close } = await open();
    await page.getByText('36 keywords', { exact: true }).waitFor();
    const { rows: tags } = await testApp.pool.query<{ name: string; color: string }>(
      'select name, color from tag_styles where color is not null',
    );
    const colors = new Map(tags.map(({ name, color }) => [name, color]));
    /** Each dot is before the name of its tag, in its colour. */
    const readDots = () =>
      page.locator('main [data-index] [class*=_dot_]').evaluateAll((all) =>
        all.map((dot) => {
          const probe = document.createElement('i');
          probe.style.color = (dot as HTMLElement).style.background;
          document.body.append(probe);
          const channels = getComputedStyle(probe).color.match(/\d+/g)!.map(Number);
          probe.remove();
          const color = `#${channels.map((one) => one.toString(16).padStart(2, '0')).join('')}`;
          return { name: dot.parentElement!.textContent, color };
        }),
      );
    // The colours load after the rows.
    await expect
      .poll(async () => {
        const drawn = (await readDots()).filter(({ name }) => colors.has(name));
        const wrong = drawn.filter(({ name, color }) => colors.get(name) !== color);
        return { several: new Set(drawn.map(({ name }) => name)).size > 1, wrong };
      })
      .toEqual({ several: true, wrong: [] });
    await choose(page, 'Copy to other countries');
    const dialog = page.getByRole('dialog', { name: 'Copy to other countries' });
    await dialog.getByLabel('To', { exact: true }).fill('France');
    await page.getByRole('option', { name: 'France' }).click();
    await dialog.getByText('+21 searches per day').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('combobox', { name: 'Only keywords with this tag' }).click();
    await page.getByRole('option', { name: 'long tail' }).click();
    const count = (
      await testApp.pool.query(
        `select from keywords where app_id = $1 and country = 'us' and 'long tail' = any(tags)`,
        [testApp.apps.ios],
      )
    ).rowCount!;
    expect(count).toBeGreaterThan(3);
    await dialog.getByText(`+${count} searches per day`).waitFor();
    await dialog.getByText(`${count} new, 0 already tracked`).waitFor();
    const before = await testApp.pool.query(
      `select from keywords where app_id = $1 and country = 'fr'`,
      [testApp.apps.ios],
    );
    expect(before.rowCount).toBe(0);
    await dialog.getByRole('button', { name: `Copy ${count} keywords` }).click();
    await page
      .getByText(`${36 + count} keywords`)
      .first()
      .waitFor();
    const { rows } = await testApp.pool.query(
      `select phrase, device, tags from keywords where app_id = $1 and country = 'fr'`,
      [testApp.apps.ios],
    );
    expect(rows.every(({ tags }) => tags.includes('long tail'))).toBe(true);
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ device }) => device))).toEqual(new Set(listDeviceIds('ios')));

    for (const [score, name] of [
      ['traffic', 'Traffic'],
      ['difficulty', 'Difficulty'],
      ['opportunity', 'Opportunity'],
    ] as const)
      for (const direction of draw(`order of ${score}`, 1, ['ascending', 'descending'] as const)) {
        const sort = `${direction === 'descending' ? '-' : ''}${score}`;
        const button = page.getByRole('columnheader', { name }).getByRole('button');
        for (
          let clicks = 0;
          clicks < 2 && new URL(page.url()).searchParams.get('sort') !== sort;
          clicks++
        ) {
          await button.click();
          await page.waitForURL(new RegExp(`sort=-?${score}`));
        }
        await page
          .locator(`[role="columnheader"][data-column="${score}"][aria-sort="${direction}"]`)
          .waitFor();
        await page.setViewportSize({ width: 1280, height: 4_000 });
        const cells = page.locator(`[data-index] [data-column="${score}"]`);
        // The rows that fit into a taller window are rendered a moment later.
        await expect.poll(() => cells.count()).toBe(36 + count);
        const wrong = async () => {
          const values = await cells.allInnerTexts();
          const known = values.slice(0, 36).map(Number);
          const sorted = known.toSorted((a, b) => (direction === 'ascending' ? a - b : b - a));
          return [
            ...known.filter((value, at) => !(value >= 0 && value <= 100) || value !== sorted[at]),
            ...values.slice(36).filter((text) => !text.startsWith('–')),
          ];
        };
        await expect.poll(wrong).toEqual([]);
      }
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('above 200 are added in batches, and a failure says how many were added', async () => {
    const { page, consoleErrors, close } = await open();
    const previews: string[] = [];
    const sent: number[] = [];
    await page.route(/\/apps\/\d+\/keywords(\/preview)?$/, async (route) => {
      const request = route.request();
      if (request.method() !== 'POST') return route.fallback();
      if (request.url().endsWith('/preview')) {
        previews.push(request.url());
        return route.fallback();
      }
      const { keywords } = request.postDataJSON() as { keywords: object[] };
      sent.push(keywords.length);
      if (sent.length > 1) return route.abort();
      return route.fulfill({ json: { added: keywords, existing: [], job: null } });
    });
    await page.getByRole('button', { name: 'Add keywords' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    const phrases = Array.from({ length: 201 }, (_, index) => `late phrase ${index}`);
    await dialog.getByLabel('Phrases').fill(phrases.join('\n'));
    await dialog.getByText('not shown for more than 200 keywords').waitFor();
    await dialog.getByRole('button', { name: 'Add 201 keywords' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText('No connection to Toprung').waitFor();
    expect(await alert.textContent()).toContain('200 keywords were added before this error.');
    expect(sent).toEqual([200, 1]);
    expect(previews).toEqual([]);
    expect(consoleErrors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    await close();
  });

  test('are added on another device with its cost first, and shown for one device', async () => {
    const { page, consoleErrors, close } = await open();
    await page.getByRole('button', { name: 'Add keywords' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    await dialog.getByLabel('Phrases').fill('sketch planner');
    await dialog.getByText('+1 search per day').waitFor();
    await dialog.getByRole('checkbox', { name: 'iPad' }).check();
    await dialog.getByText('+2 searches per day').waitFor();
    await dialog.getByRole('checkbox', { name: 'iPhone' }).uncheck();
    await dialog.getByText('1 new, 0 already tracked').waitFor();
    expect(await audit(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add 1 keyword' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('combobox', { name: 'Device' }).click();
    await page.getByRole('option', { name: 'iPad' }).click();
    const { rows } = await testApp.pool.query(
      `select phrase from keywords where app_id = $1 and device = 'ipad'`,
      [testApp.apps.ios],
    );
    expect(rows.map(({ phrase }) => phrase)).toContain('sketch planner');
    const cells = page.locator('[data-index] [data-column="country"]');
    await expect.poll(() => cells.count()).toBe(rows.length);
    const others = async () =>
      (await cells.allTextContents()).filter((text) => !text.endsWith('iPad'));
    await expect.poll(others).toEqual([]);
    await page.getByRole('link', { name: 'sketch planner' }).click();
    await page.getByRole('heading', { level: 1, name: 'sketch planner' }).waitFor();
    await page.getByRole('main').getByText('iPad', { exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => cells.count()).toBe(rows.length);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('that are added after their dialog was closed leave another one open', async () => {
    const { page, consoleErrors, close } = await open();
    const dialog = page.getByRole('dialog', { name: 'Add keywords' });
    const send = async (phrase: string) => {
      const gate = Promise.withResolvers<'send' | 'refuse'>();
      await page.route(/\/apps\/\d+\/keywords$/, async (route) => {
        if ((await gate.promise) === 'send') return route.fallback();
        return route.fulfill({ status: 400, json: {} });
      });
      await page.getByRole('main').getByRole('button', { name: 'Add keywords' }).click();
      await dialog.getByLabel('Phrases').fill(phrase);
      const isSent = page.waitForRequest(/\/apps\/\d+\/keywords$/);
      await dialog.getByRole('button', { name: 'Add 1 keyword' }).click();
      await isSent;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('main').getByRole('button', { name: 'Add keywords' }).click();
      await dialog.waitFor();
      return gate.resolve;
    };
    const failure = page.locator('[data-toast][data-tone=failure]');
    const refuse = await send('quiet hours');
    refuse('refuse');
    await failure.getByRole('button', { name: 'Close' }).click();
    await failure.waitFor({ state: 'detached' });
    await expect.poll(() => dialog.getByLabel('Phrases').inputValue()).toBe('quiet hours');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });

    const accept = await send('quiet hours');
    await dialog.getByLabel('Phrases').fill('still typing');
    accept('send');
    await page.getByText('1 keyword added').waitFor();
    expect(await dialog.getByLabel('Phrases').inputValue()).toBe('still typing');
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await page.getByRole('main').getByRole('button', { name: 'Add keywords' }).click();
    await expect.poll(() => dialog.getByLabel('Phrases').inputValue()).toBe('still typing');
    expect(consoleErrors.filter((text) => !/ 400 /.test(text))).toEqual([]);
    await close();
  });

  test('keep the focus on the selection after they are tagged', async () => {
    const { page, consoleErrors, close } = await open();
    await page.locator('[data-index="0"]').getByRole('checkbox').check();
    const tag = page.getByRole('toolbar').getByRole('button', { name: 'Tag' });
    await tag.press('Enter');
    const fields = page.getByRole('dialog', { name: 'Tag' });
    await fields.getByLabel('New tag').fill('one of them');
    await page.keyboard.press('Enter');
    await fields.waitFor({ state: 'detached' });
    await expect.poll(() => tag.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each(
    draw('looks of keywords', 1, [
      { width: 375, colorScheme: 'dark' },
      { width: 1280, colorScheme: 'light' },
    ] as const),
  )('have no accessibility issue in any view at $width, $colorScheme', async (options) => {
    const everything =
      '?columns=country,device,change1d,change7d,change30d,best,traffic,difficulty,opportunity,trend,checked';
    const { page, consoleErrors, loaded, close } = await open(everything, options);
    await loaded();
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await page.getByRole('link', { name: 'By country' }).click();
    await page.getByRole('region', { name: 'Table: By country' }).waitFor();
    expect(await audit(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await choose(page, 'Copy to other countries');
    await page
      .getByRole('dialog', { name: 'Copy to other countries' })
      .getByRole('button', { name: 'Copy keywords' })
      .waitFor();
    expect(await audit(page)).toEqual([]);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('can be imported from a file in one step', async () => {
    const { page, consoleErrors, close } = await open();
    await choose(page, 'Import from a file');
    await page.getByRole('heading', { level: 1, name: 'Import and export' }).waitFor();
    await page.locator('input[type="file"]').first().waitFor({ state: 'attached' });
    expect(new URL(page.url()).searchParams.get('tab')).toBe('import');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each([1_280, 375])('show their phrases beside long tags, at %i px', async (width) => {
    await testApp.pool.query('update keywords set tags = $1', [
      ['competitor brand', 'summer campaign', 'core'],
    ]);
    const { page, close } = await open('', { width });
    await page.locator('[data-index="0"]').waitFor();
    const cells = await page.locator('[data-column="phrase"]').evaluateAll((all) =>
      all.slice(1).map((cell) => {
        const link = cell.querySelector('a')!;
        const texts = [...cell.querySelectorAll('[title]')].map((tag) => tag.textContent);
        const isCut = link.scrollWidth > link.clientWidth || cell.scrollWidth > cell.clientWidth;
        return { phrase: link.textContent, isCut, texts };
      }),
    );
    const short = cells.filter(({ phrase }) => phrase.length <= 'mood journal'.length);
    expect(short.length).toBeGreaterThan(5);
    expect(short.filter(({ isCut }) => isCut)).toEqual([]);
    expect(short[0]!.texts.slice(-1)).toEqual(['+1']);
    await close();
  });
});
