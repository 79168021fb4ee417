import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../harness/browser.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw } from '../harness/short-form.ts';
import { audit, overflowOf } from './accessibility-audit.ts';
import { setColorScheme } from './color-scheme.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { keyboardOf } from './keyboard.ts';

keepOrder('the tests share a workspace, and later ones change what earlier ones read');

const browser = await launchBrowser();
const schemes = ['light', 'dark'] as const;
/** The printable part of a page at 96 dpi. */
const a4 = { width: 703, height: 1_016 };

declare global {
  interface Window {
    announcements: string[];
  }
}

/** Collects what a screen reader says of live regions: text that is added to one. */
function watchAnnouncements(): void {
  const live = '[aria-live], [role=status], [role=alert], [role=log]';
  window.announcements = [];
  const say = (node: Node, isWhole: boolean) => {
    const element = node instanceof Element ? node : node.parentElement;
    const text = node.textContent?.trim();
    if (text && element && (isWhole ? element.closest(live) : element.parentElement?.closest(live)))
      window.announcements.push(text);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      if (type === 'characterData') say(target, true);
      else for (const node of addedNodes) say(node, true);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

/**
 * The buttons that toasts cover: those that do not scroll, and those that remain covered when they
 * are scrolled into view.
 */
function listCovered(): { fixed: string[]; stuck: string[] } {
  const cards = [...document.querySelectorAll('.toasts > div > *')].map((card) =>
    card.getBoundingClientRect(),
  );
  const modal = document.querySelector('[aria-modal=true]');
  const isCovered = (button: Element) => {
    const box = button.getBoundingClientRect();
    return cards.some(
      (card) =>
        box.right > card.left + 1 &&
        box.left < card.right - 1 &&
        box.bottom > card.top + 1 &&
        box.top < card.bottom - 1,
    );
  };
  const isFixed = (button: Element) => {
    for (let at: Element | null = button; at; at = at.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return true;
    return false;
  };
  const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent;
  const buttons = [...(modal ?? document).querySelectorAll('button, a, input, [role=combobox]')]
    .filter((button) => !button.closest('.toasts') && button.getClientRects().length > 0)
    .filter((button) => button.getBoundingClientRect().width > 1);
  const fixed = buttons.filter((button) => isFixed(button) && !modal && isCovered(button));
  const before = scrollY;
  const stuck = buttons.filter((button) => {
    button.scrollIntoView({ block: 'nearest' });
    return isCovered(button);
  });
  scrollTo(0, before);
  return { fixed: fixed.map(nameOf), stuck: stuck.map(nameOf) };
}

/** What would be wrong on paper, on a page as wide as paper. */
function inspectPrint() {
  const main = document.querySelector('main')!;
  const style = (element: Element) => getComputedStyle(element);
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const all = [...document.querySelectorAll('body *')].filter(isShown);
  const inMain = all.filter((element) => main.contains(element) && !element.closest('.sr-only'));
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()}: ${(element.textContent ?? '').trim().slice(0, 40)}`;
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  const lightnessOf = (color: string) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#fff';
    canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
      const share = byte / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
  };
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
  /** Rows of a grid overlap where a page ends. */
  const isBelowInGrid = (section: Element) => {
    const before = section.previousElementSibling;
    return (
      before !== null &&
      /grid|flex/.test(style(section.parentElement!).display) &&
      before.getBoundingClientRect().bottom <= section.getBoundingClientRect().top
    );
  };
  const right = main.getBoundingClientRect().right + 1;
  return {
    controls: all
      .filter(
        (element) =>
          element.matches('nav, aside, [role=toolbar], [role=slider], .toasts') ||
          (element.matches('button, input, select, textarea') &&
            !element.closest('table, [role=table], [data-print=shown]')),
      )
      .map(nameOf),
    pale: inMain
      .filter(
        (element) =>
          hasText(element) &&
          !element.closest('svg, [aria-hidden=true]') &&
          1.05 / (lightnessOf(style(element).color) + 0.05) < 7,
      )
      .map(nameOf),
    dark: all
      .filter((element) => element.matches('html, body, main, section, table, tr, td, th, li'))
      .filter((element) => lightnessOf(style(element).backgroundColor) < 0.9)
      .map(nameOf),
    cut: inMain
      .filter((element) => {
        const box = element.getBoundingClientRect();
        const clips =
          style(element).overflowX !== 'visible' || style(element).overflowY !== 'visible';
        return (
          (box.right > right && (hasText(element) || element.matches('svg'))) ||
          (clips &&
            element.matches('div, ul, ol, section') &&
            (element.scrollWidth > element.clientWidth + 2 ||
              element.scrollHeight > element.clientHeight + 4))
        );
      })
      .map(nameOf),
    headless: inMain
      .filter(
        (element) =>
          element.matches('thead') ||
          (element.matches('[role=row]') && element.querySelector('[role=columnheader]')),
      )
      .map((element) => element.closest('thead, [role=rowgroup], [role=row]')!)
      .filter((element) => {
        for (let at: Element | null = element; at && at !== main; at = at.parentElement)
          if (style(at).display === 'table-header-group') return false;
        return true;
      })
      .map(nameOf),
    torn: inMain
      .filter((element) =>
        element.matches('section')
          ? isBelowInGrid(element)
          : element.matches('tr, [role=row], [data-chart], main li, dl > div') &&
            style(element).breakInside !== 'avoid',
      )
      .map(nameOf),
  };
}

const takeShot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

describe.skipIf(!browser)('the frame', () => {
  let testApp: DemoTestApp;
  beforeAll(async () => {
    testApp = await startDemoTestApp();
  });
  afterAll(async () => {
    await browser!.close();
    await testApp.stop();
  });
  const keywordsPath = () => `/apps/${testApp.apps.ios}/keywords`;
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { name, level: 1 }).waitFor();

  /** The owner of the demo joins another workspace, which tracks the same iOS app. */
  async function joinWorkspace(name: string): Promise<{ id: number; appId: number }> {
    const { rows } = await testApp.pool.query(
      'insert into workspaces (name) values ($1) returning id',
      [name],
    );
    const { id } = rows[0];
    onTestFinished(async () => {
      await testApp.pool.query('delete from workspaces where id = $1', [id]);
    });
    await testApp.pool.query(
      `insert into memberships (workspace_id, user_id, role) select $1, user_id, 'member' ` +
        `from memberships where workspace_id = $2 and role = 'owner'`,
      [id, testApp.workspaceId],
    );
    const app = await testApp.pool.query(
      'insert into apps (workspace_id, listing_id, primary_country, created_at) select $1, ' +
        'listing_id, primary_country, now() from apps where id = $2 returning id',
      [id, testApp.apps.ios],
    );
    return { id, appId: app.rows[0].id };
  }

  test('without plans, the dashboard has no page, menu entry or banner about them', async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/settings');
    await page
      .getByText(/^Last run|^Run in progress|^No runs yet/)
      .first()
      .waitFor();
    await loaded();
    for (const name of ['Plan and usage', 'Admin'])
      expect(await page.getByRole('link', { name }).count()).toBe(0);
    expect(
      await page
        .locator('[data-frame="page"] [role="status"]')
        .filter({ hasText: /plan|trial/i })
        .count(),
    ).toBe(0);
    for (const path of ['/settings/billing', '/admin']) {
      await page.goto(`${testApp.webUrl}${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    }
    await close();
  });

  test('the last run has a day, unless it was today in the zone of the workspace', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/methodology');
    const now = new Date();
    const anHourAgo = new Date(now.getTime() - 3_600_000).toISOString();
    /** A zone in which the clock shows this hour now. */
    const zoneAt = (hour: number) => {
      const ahead = ((hour - now.getUTCHours() + 36) % 24) - 12;
      return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
    };
    await page.route(/\/runs\?limit=1$/, async (route) => {
      const response = await route.fetch();
      const { items, ...rest } = await response.json();
      const [run] = items.map((item: object) => ({ ...item, finishedAt: anHourAgo }));
      await route.fulfill({ response, json: { ...rest, items: [run] } });
    });
    let timezoneForDisplay = '';
    await page.route(/\/settings$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), timezoneForDisplay } });
    });
    for (const [hour, text] of [
      [0, /^Last run [A-Z][a-z]+ \d+, 23:\d\d /],
      [12, /^Last run 11:\d\d /],
    ] as const) {
      timezoneForDisplay = zoneAt(hour);
      await page.reload();
      await page.getByRole('banner').getByText(text).waitFor();
    }
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the palette opens pages, keywords and apps, and remembers them', async () => {
    const { page, consoleErrors, foreignRequests, close } = await testApp.open(
      browser!,
      keywordsPath(),
    );
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search pages, apps, keywords, actions' });
    await field.waitFor();
    expect(await audit(page)).toEqual([]);
    await field.fill('distr');
    const active = page.getByRole('option', { selected: true });
    await active.getByText('Distribution').waitFor();
    // In Safari the Enter that ends the composition of an input method comes after its end.
    await field.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await field.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    await page.keyboard.press('Enter');
    await heading(page, 'Rank distribution');

    const { rows } = await testApp.pool.query(
      'select m.phrase from keywords k join markets m on m.id = k.market_id where k.id = $1',
      [testApp.keywordId],
    );
    await page.keyboard.press('Control+k');
    await field.fill(rows[0].phrase);
    await page
      .getByRole('group', { name: 'Keywords of this app' })
      .getByRole('option')
      .first()
      .click();
    await heading(page, rows[0].phrase);

    await page.keyboard.press('s');
    await page.getByRole('combobox', { name: 'Search apps' }).and(page.locator(':focus')).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    const isChosen = (index: number) =>
      expect
        .poll(() => page.getByRole('option').nth(index).getAttribute('aria-selected'), {
          timeout: 20_000,
        })
        .toBe('true');
    await isChosen(0);
    await page.keyboard.press('ArrowDown');
    await isChosen(1);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => /^\/apps\/\d+$/.test(url.pathname));

    await page.keyboard.press('Control+k');
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option');
    await expect.poll(() => recent.count()).toBe(3);
    await recent.nth(1).getByText(rows[0].phrase).waitFor();
    await field.fill('no such thing anywhere');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect({ consoleErrors, foreignRequests }).toEqual({
      consoleErrors: [],
      foreignRequests: [],
    });
    await close();
  });

  test('the page stays when the code of a part of it cannot be loaded', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, keywordsPath());
    const failed = 'Part of the page could not be loaded';
    const toast = page.locator('[data-toast]').filter({ hasText: failed });
    const dialog = page.getByRole('dialog');
    const fail = async (file: string, open: () => Promise<void>) => {
      await page.route(`**/assets/${file}-*.js`, (route) => route.abort());
      await open();
      await toast.getByText('reload the page').waitFor();
      expect([file, await dialog.count()]).toEqual([file, 0]);
      await heading(page, 'Keywords');
      await toast.getByRole('button', { name: 'Close' }).click();
    };
    for (const [file, key] of [
      ['palette', 'Control+k'],
      ['key-map', '?'],
      ['view-dialog', 'v'],
    ] as const)
      await fail(file, () => page.keyboard.press(key));
    const add = page.getByRole('button', { name: 'Add keywords' }).first();
    await fail('add-keywords', () => add.click());
    await page.setViewportSize({ width: 375, height: 800 });
    await fail('menu-drawer', () => page.getByRole('button', { name: 'Open menu' }).click());

    // What is no dialog says it in its place.
    await page.setViewportSize({ width: 1_280, height: 800 });
    await goTo(page, `/apps/${testApp.apps.ios}`);
    // Tiles that arrive between the press and the release of the mouse would move the card away.
    await loaded();
    await page.route('**/assets/plain-table-*.js', (route) => route.abort());
    const showTable = () =>
      page
        .locator('main label', { hasText: /^Table$/ })
        .first()
        .click();
    await showTable();
    const notice = page.getByRole('main').getByRole('alert').filter({ hasText: failed });
    await notice.waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await notice.getByRole('button', { name: 'Try again' }).click();
    await notice.waitFor({ state: 'detached' });
    await showTable();
    await page.getByRole('main').getByRole('table').first().waitFor();
    await page.keyboard.press('Control+k');
    await dialog.waitFor();
    expect(consoleErrors.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
    await close();
  });

  test('keywords of the palette that arrive late do not move a chosen mark', async () => {
    const { page, close } = await testApp.open(browser!, keywordsPath());
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search pages, apps, keywords, actions' });
    const found = page.getByRole('group', { name: 'Keywords of this app' }).getByRole('option');
    await field.fill('d');
    await found.first().waitFor();
    expect(await found.first().getAttribute('aria-selected')).toBe('true');

    const late = Promise.withResolvers<void>();
    await page.route(/\/keywords\?.*q=distr/, async (route) => {
      await late.promise;
      await route.continue({ url: route.request().url().replace('q=distr', 'q=d') });
    });
    await field.fill('distr');
    const active = page.getByRole('option', { selected: true });
    await active.getByText('Distribution').waitFor();
    expect(await found.count(), 'they were found for another text').toBe(0);
    await page.keyboard.press('ArrowDown');
    late.resolve();
    await found.first().waitFor();
    await active.getByText('Distribution').waitFor();
    expect(await field.getAttribute('aria-activedescendant')).toBe(await active.getAttribute('id'));
    await page.keyboard.press('Enter');
    await heading(page, 'Rank distribution');
    await close();
  });

  test('a view with its filters is saved, opened, renamed, deleted and restored', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `${keywordsPath()}?state=not_found&sort=-change7d`,
    );
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Lost sheep');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    const views = page.getByRole('list', { name: 'Saved views of this app' });
    const link = views.getByRole('link', { name: 'Lost sheep' });
    await link.waitFor();
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
    expect(await audit(page)).toEqual([]);
    await goTo(page, '/capacity');
    await heading(page, 'Capacity');
    await link.click();
    await heading(page, 'Keywords');
    expect(new URL(page.url()).search).toContain('state=not_found');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('sheep');
    await page.getByRole('option', { name: 'Lost sheep' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Options for Lost sheep' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Not found');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Options for Not found' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await views.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await views.getByRole('link', { name: 'Not found' }).waitFor();
    await page.reload();
    await views.getByRole('link', { name: 'Not found' }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('the app switcher works by keyboard and keeps the page', async () => {
    const { page, close } = await testApp.open(browser!, `/apps/${testApp.apps.ios}/reviews`);
    const switcher = page.getByRole('button', { name: 'Switch app' });
    await switcher.focus();
    await page.keyboard.press('Enter');
    await keyboardOf(page).choose(page.getByRole('menuitem').filter({ hasText: 'Android' }));
    await page.waitForURL(`**/apps/${testApp.apps.android}/reviews*`);
    await close();
  });

  test('density and language persist, and number formats follow the language', async () => {
    const { page, consoleErrors, close } = await testApp.open(browser!, '/capacity');
    const html = page.locator('html');
    await expect.poll(() => html.getAttribute('lang')).toBe('en');
    await page.getByRole('button', { name: /^Theme/ }).click();
    await page.getByRole('menuitemradio', { name: 'Compact' }).click();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await expect.poll(() => html.getAttribute('lang')).toBe('de');
    await page.reload();
    await page.locator('h1').waitFor();
    expect([await html.getAttribute('lang'), await html.getAttribute('data-density')]).toEqual([
      'de',
      'compact',
    ]);
    await goTo(page, keywordsPath());
    await page.locator('[data-index="0"]').waitFor();
    expect((await page.locator('[data-index="0"]').boundingBox())!.height).toBeLessThan(40);
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test('printing shows the page alone, in white, with all its rows', async () => {
    const { page, close } = await testApp.open(browser!, keywordsPath(), {
      colorScheme: 'dark',
      height: 500,
    });
    await page.locator('[data-index="0"]').waitFor();
    const drawn = await page.locator('[data-index]').count();
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    // The system's colours change meanwhile.
    await page.evaluate(() =>
      document.documentElement.setAttribute('data-mantine-color-scheme', 'dark'),
    );
    const total = Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1;
    await expect.poll(() => page.locator('[data-index]').count()).toBe(total);
    expect(total).toBeGreaterThan(drawn);
    expect(await page.getByRole('navigation').count()).toBe(0);
    // The colour changes with the next frame, because even without motion it is a transition.
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      .toBe('rgb(255, 255, 255)');
    expect(await page.getByRole('button', { name: 'Add keywords' }).count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    await close();
  });

  test('pages print black on white, with whole charts and rows, and repeated heads', async () => {
    const { page, loaded, consoleErrors, close } = await testApp.open(browser!, '/methodology', {
      colorScheme: 'dark',
      width: 1_280,
    });
    const everywhere = [`/keywords/${testApp.keywordId}`, `/apps/${testApp.apps.ios}/charts`];
    const printed = [`/apps/${testApp.apps.ios}?competitors=1`, keywordsPath(), '/digest'];
    for (const path of process.env.SHOTS
      ? [...printed, ...everywhere]
      : draw('printed pages', 1, printed)) {
      await goTo(page, path);
      await loaded();
      if (process.env.SHOTS) {
        const name = path.replaceAll(/[^a-z]+/g, '-');
        await page.pdf({ format: 'A4', path: `${process.env.SHOTS}/print${name}.pdf` });
      }
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.setViewportSize(a4);
      await expect
        .poll(async () => ({ path, ...(await page.evaluate(inspectPrint)) }))
        .toEqual({ path, controls: [], pale: [], dark: [], cut: [], headless: [], torn: [] });
      await expect
        .poll(() => page.locator('main').getAttribute('data-printed'))
        .toMatch(/ · Toprung · .*\d{4}$/);
      await page.evaluate(() => dispatchEvent(new Event('afterprint')));
      await page.emulateMedia({ media: null, colorScheme: 'dark' });
      await page.setViewportSize({ width: 1_280, height: 800 });
    }
    // A head is repeated only if it cannot be torn itself.
    await goTo(page, keywordsPath());
    await page.locator('[data-index="0"]').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'light' });
    const head = page.locator('main [role=rowgroup]').first();
    expect(await head.evaluate((element) => getComputedStyle(element).breakInside)).toBe('avoid');
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test.each(draw('widths of toasts', 1, [375, 1_280]))(
    'at %i px, toasts cover no button for good and are announced once',
    async (width) => {
      const { page, loaded, consoleErrors, close } = await testApp.open(browser!, keywordsPath(), {
        width,
        height: 812,
      });
      await page.locator('[data-index="0"]').waitFor();
      await page.evaluate(watchAnnouncements);
      const announced = (text: string) =>
        page.evaluate(
          (part) => window.announcements.filter((one) => one.includes(part)).length,
          text,
        );
      const toasts = page.locator('.toasts');
      const coverings = () => page.evaluate(listCovered);

      // A row that is removed, near the foot of the window.
      await page.locator('[data-index="1"]').getByRole('checkbox').check();
      const bar = page.getByRole('toolbar', { name: 'Selected keywords' });
      await bar.getByRole('button', { name: /^Remove/ }).click();
      const removed = toasts.getByText('1 keyword removed');
      await removed.waitFor();
      await expect.poll(coverings).toEqual({ fixed: [], stuck: [] });
      expect(await announced('1 keyword removed')).toBe(1);
      await page.locator('[data-index="0"]').getByRole('checkbox').check();
      await bar.waitFor();
      await expect.poll(coverings).toEqual({ fixed: [], stuck: [] });
      await takeShot(page, `toast-${width}`);
      // Its time starts again when the pointer leaves it.
      await removed.hover();
      expect(await audit(page)).toEqual([]);
      await bar.getByRole('button', { name: 'Clear selection' }).click();

      await removed.hover();
      // A dialog opens and saves while toasts are there, and none of its buttons is below them.
      await page.getByRole('button', { name: 'Add keywords' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add keywords' });
      await dialog.getByLabel('Phrases').fill('morning list');
      await dialog.getByRole('button', { name: /^Add 1 keyword/ }).waitFor();
      await expect.poll(coverings).toEqual({ fixed: [], stuck: [] });
      await takeShot(page, `toast-dialog-${width}`);
      await removed.hover();
      expect(await audit(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await toasts.getByRole('button', { name: 'Undo' }).click();
      await removed.waitFor({ state: 'detached' });
      // A toast below the pointer stays.
      await page.mouse.move(0, 0);
      await expect
        .poll(() => page.evaluate(() => getComputedStyle(document.body).paddingBottom))
        .toBe('0px');
      await loaded();
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test.each(draw('colours on a phone', 1, schemes))(
    'on a phone, %s: menu, palette and saving a view',
    async (colorScheme) => {
      const { page, consoleErrors, close } = await testApp.open(browser!, '/capacity', {
        colorScheme,
        width: 375,
      });
      await page.getByRole('button', { name: 'Open menu' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Search' }).click();
      await page.getByRole('dialog').getByRole('combobox').fill('a');
      await page.getByRole('option').first().waitFor();
      expect((await page.getByRole('option').first().boundingBox())!.height).toBeGreaterThanOrEqual(
        44,
      );
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.keyboard.press('Escape');
      expect(consoleErrors).toEqual([]);
      await close();
    },
  );

  test('the account menu switches the workspace in every tab', async () => {
    const { page, context, consoleErrors, close } = await testApp.open(browser!, keywordsPath());
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('group', { name: 'Workspaces' }).count()).toBe(0);
    const harbour = await joinWorkspace('Harbour Games');
    // A session of its own: the test app’s is for the other tests.
    await context.addCookies([{ ...(await testApp.signIn()), url: testApp.webUrl }]);
    await page.goto(`${testApp.webUrl}/capacity`);
    await heading(page, 'Capacity');
    const beside = await context.newPage();
    await beside.goto(`${testApp.webUrl}/runs`);
    await heading(beside, 'Runs');

    const menu = page.getByRole('button', { name: 'Account menu' });
    await menu.focus();
    await page.keyboard.press('Enter');
    const choices = page.getByRole('group', { name: 'Workspaces' });
    const choice = choices.getByRole('menuitemradio', { name: 'Harbour Games Member · active' });
    await choice.waitFor();
    await expect
      .poll(() => choices.getByRole('menuitemradio', { checked: true }).textContent())
      .toContain('Owner · active');
    expect(await audit(page)).toEqual([]);
    // Both toasts close by themselves after four seconds.
    const isSaid = [page, beside].map((tab) =>
      tab
        .locator('.toasts')
        .getByText('You switched to Harbour Games.')
        .waitFor({ timeout: 60_000 }),
    );
    await Promise.all([...isSaid, keyboardOf(page).choose(choice)]);
    await page.waitForURL(`**/apps/${harbour.appId}`);
    await expect.poll(() => menu.textContent()).toContain('Harbour Games');
    await beside.waitForURL('**/briefing');

    // A tab without notifications: returning to this one shows the current workspace.
    await testApp.change('update sessions set workspace_id = $1 where workspace_id = $2', [
      testApp.workspaceId,
      harbour.id,
    ]);
    // A read that is refused meanwhile shows it, too.
    await page.evaluate(() => dispatchEvent(new Event('focus'))).catch(() => undefined);
    await page.waitForURL('**/briefing');
    await expect.poll(() => menu.textContent()).not.toContain('Harbour Games');
    await beside.close();

    await page.setViewportSize({ width: 375, height: 800 });
    await page.reload();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Account menu' }).click();
    await choice.waitFor();
    for (const colorScheme of schemes) {
      await setColorScheme(page, colorScheme);
      expect((await choice.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      const violations = await audit(page, colorScheme === 'light' ? 'all' : 'colours');
      expect([violations, await overflowOf(page)]).toEqual([[], 0]);
    }
    // A page without an app has no frame, and a way back.
    await testApp.pool.query('delete from apps where workspace_id = $1', [harbour.id]);
    await choice.click();
    await page.waitForURL('**/welcome');
    await page.getByRole('button', { name: 'Switch workspace: Harbour Games' }).click();
    await choices.getByRole('menuitemradio').first().waitFor();
    expect([await audit(page), await overflowOf(page)]).toEqual([[], 0]);
    await choices.getByRole('menuitemradio', { checked: false }).click();
    await page.waitForURL(`**/apps/${testApp.apps.ios}`);
    // What the page reads of the previous workspace in that moment is refused.
    expect(consoleErrors.filter((text) => !/status of 409/.test(text))).toEqual([]);
    await close();
  });

  test('a tab that missed a switch writes nothing into the other workspace', async () => {
    const { page, context, consoleErrors, close } = await testApp.open(browser!, '/runs');
    const harbour = await joinWorkspace('Harbour Games');
    await context.addCookies([{ ...(await testApp.signIn()), url: testApp.webUrl }]);
    await page.goto(`${testApp.webUrl}/settings?tab=tokens`);
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Reports');

    // It hears of the switch, and cannot read the session.
    const body = { statusCode: 429, message: 'Wait.', code: 'rate_limited', path: '/auth/session' };
    await page.route('**/auth/session', (route) => route.fulfill({ status: 429, json: body }));
    const beside = await context.newPage();
    await beside.goto(`${testApp.webUrl}/runs`);
    await beside.getByRole('button', { name: 'Account menu' }).click();
    const isRead = page.waitForResponse('**/auth/session');
    await beside.getByRole('menuitemradio', { name: /^Harbour Games/ }).click();
    await Promise.all([isRead, beside.waitForURL(`**/apps/${harbour.appId}`)]);
    const isReadAgain = page.waitForResponse('**/auth/session');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText('Another workspace is open').waitFor();
    await isReadAgain;

    const isLoaded = page.waitForURL('**/briefing');
    await page.unroute('**/auth/session');
    await page.keyboard.press('Escape');
    await Promise.all([isLoaded, page.getByRole('link', { name: 'Runs' }).click()]);
    const menu = page.getByRole('button', { name: 'Account menu' });
    await expect.poll(() => menu.textContent()).toContain('Harbour Games');
    const { rows } = await testApp.pool.query('select name from tokens where name = $1', [
      'Reports',
    ]);
    expect(rows).toEqual([]);
    const isRefusal = (text: string) => /status of (409|429)/.test(text);
    expect(consoleErrors.filter((text) => !isRefusal(text))).toEqual([]);
    await close();
  });

  test('on a phone, one button shows country and days in any language and opens both', async () => {
    const { page, consoleErrors, close } = await testApp.open(
      browser!,
      `/apps/${testApp.apps.ios}`,
      {
        width: 375,
      },
    );
    const button = page.locator('[data-frame="top"]').getByRole('button', {
      name: /^(Country, device and period|Land, Gerät und Zeitraum|国、デバイス、期間)/,
    });
    await button.click();
    const opened = page.getByRole('dialog', { name: 'Country, device and period' });
    await opened.getByRole('combobox', { name: 'Country' }).click();
    await page.getByRole('option', { name: 'Germany' }).click();
    await opened.getByRole('combobox', { name: 'Period', exact: true }).click();
    await page.getByRole('option', { name: 'Last 365 days' }).click();
    await page.waitForURL(
      (url) => url.searchParams.get('country') === 'de' && url.searchParams.get('days') === '365',
    );
    await page.keyboard.press('Escape');
    await opened.waitFor({ state: 'hidden' });
    const lastDays = page.url();
    const range = `/apps/${testApp.apps.ios}?country=de&from=2025-12-15&to=2026-01-14`;
    for (const [language, said, saidOfRange] of [
      ['en', 'DE · 365 days', /^DE · 12\/15\/25 – 1\/14\/26$/],
      ['de', 'DE · 365 Tage', /^DE · 15\.12\.25 – 14\.01\.26$/],
      ['ja', 'DE · 365日', /^DE · 2025\/12\/15～2026\/01\/14$/],
    ] as const) {
      await page.evaluate(
        (chosen) => localStorage.setItem('toprung.language', JSON.stringify(chosen)),
        language,
      );
      for (const [show, text] of [
        [() => page.goto(lastDays), said],
        [() => goTo(page, range), saidOfRange],
      ] as const) {
        await show();
        const words = button.getByText(text, { exact: true });
        await words.waitFor();
        expect(
          await words.evaluate((element) => [
            element.scrollWidth - element.clientWidth,
            element.scrollHeight - element.clientHeight,
          ]),
        ).toEqual([0, 0]);
        expect((await button.boundingBox())!.height).toBe(44);
      }
    }
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
