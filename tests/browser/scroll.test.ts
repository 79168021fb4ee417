import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;
beforeAll(async () => {
  testApp = await startDemoTestApp();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await testApp?.stop();
});

const paths = (): string[] => [
  ...['', '/keywords', '/distribution', '/timeline', '/reviews', '/charts', '/competitors'].map(
    (name) => `/apps/${testApp.apps.ios}${name}`,
  ),
  '/actions',
  '/alerts',
  '/runs',
];

/** Content above the pressed control that arrives late moves the page too, and rightly. */
const untilLoaded = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('main [data-visible][data-animate]'));

/**
 * Presses every control of the page's main part whose choice is kept in the address, and returns
 * those that moved the page although it is long enough.
 */
const pressControls = (page: Page): Promise<{ pressed: number; moved: string[] }> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // While a list loads the page may be short, also between two frames.
    const untilDrawn = async () => {
      let lowest = Number.POSITIVE_INFINITY;
      const look = () => {
        lowest = Math.min(lowest, document.documentElement.scrollHeight - innerHeight);
      };
      const observer = new MutationObserver(look);
      observer.observe(document.body, { attributes: true, childList: true, subtree: true });
      for (let count = 0; count < 6; count += 1) {
        await frame();
        look();
      }
      observer.disconnect();
      return lowest;
    };
    const query = 'input[type=radio]:not(:checked), button[aria-pressed], th button, [role=tab]';
    const namesOf = () =>
      [...document.querySelectorAll<HTMLElement>(`main :is(${query})`)].map(
        (control) => control.getAttribute('aria-label') ?? control.id ?? control.textContent,
      );
    const moved: string[] = [];
    let pressed = 0;
    for (const index of namesOf().keys()) {
      const control = document.querySelectorAll<HTMLElement>(`main :is(${query})`)[index];
      if (!control) continue;
      scrollTo(0, 260);
      await untilDrawn();
      const from = scrollY;
      const before = location.search;
      const drawn = untilDrawn();
      control.click();
      const lowest = await drawn;
      if (location.search === before || from === 0) continue;
      pressed += 1;
      if (scrollY < Math.min(from, lowest) - 1)
        moved.push(`${control.closest('label')?.textContent || control.textContent} ${scrollY}`);
    }
    return { pressed, moved };
  });

test.skipIf(browser === null)(
  'a choice that is kept in the address leaves the page where it is',
  async () => {
    const { page, close } = await testApp.open(browser!, paths()[0]!);
    await page.setViewportSize({ width: 1_280, height: 500 });
    let pressed = 0;
    for (const path of paths()) {
      await goTo(page, path);
      await untilLoaded(page);
      const outcome = await pressControls(page);
      expect({ path, moved: outcome.moved }).toEqual({ path, moved: [] });
      pressed += outcome.pressed;
    }
    expect(pressed).toBeGreaterThan(15);
    // Another page begins at its top.
    await page.evaluate(() => scrollTo(0, 200));
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await close();
  },
  120_000,
);

test.skipIf(browser === null).each([
  [`/apps/1/competitors?tab=market`, 'Market'],
  ['/methodology', 'Methodology'],
])('the current tab of %s is in view, also when the window gets narrower', async (path, name) => {
  const { page, loaded, close } = await testApp.open(browser!, path);
  const tab = page.locator('#main').getByRole('link', { name, exact: true });
  await tab.waitFor();
  await loaded();
  const isInView = () =>
    tab.evaluate((one) => {
      const { left, right } = one.getBoundingClientRect();
      return left >= 0 && Math.floor(right) <= innerWidth;
    });
  for (const width of [1_280, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(isInView).toBe(true);
  }
  await page.reload();
  await loaded();
  await expect.poll(isInView).toBe(true);
  await close();
});
