import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { draw, isLong } from '../harness/short-form.ts';
import { startDemoTestApp, type DemoTestApp } from './demo-test-app.ts';
import { goTo } from './go-to.ts';
import { listPageCases, type PageCase } from './page-cases.ts';
import { pressControls } from './press-controls.ts';

const browser = await launchBrowser();
let testApp: DemoTestApp;
beforeAll(async () => {
  testApp = await startDemoTestApp();
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await testApp?.stop();
});

const { signedIn } = listPageCases(() => testApp);
/** Its choices are kept in the browser, and one of them is the language. */
const withoutAddress = ['settings: display'];
/** The pages with the most controls, which every run tests. */
const always = ['overview', 'keywords', 'distribution'];
const ofName = (names: readonly string[]) => (page: PageCase) => names.includes(page[0]);
const others = signedIn.filter((page) => !ofName([...always, ...withoutAddress])(page));
const pages = [...signedIn.filter(ofName(always)), ...draw('pages that scroll', 4, others)];

test.skipIf(browser === null)(
  'a choice that is kept in the address leaves the page where it is',
  async () => {
    const { page, loaded, close } = await testApp.open(browser!, '/methodology');
    await page.setViewportSize({ width: 1_280, height: 500 });
    const outcomes: Record<string, number> = {};
    for (const [name, path, has] of pages) {
      await goTo(page, path());
      await page.getByRole('heading', { name: has, exact: true }).first().waitFor();
      await loaded();
      const { pressed, moved } = await pressControls(page, isLong ? 40 : 3);
      expect({ name, moved }).toEqual({ name, moved: [] });
      outcomes[name] = pressed;
    }
    for (const name of always) expect([name, outcomes[name]! >= 4]).toEqual([name, true]);
    // Another page begins at its top.
    await goTo(page, '/methodology');
    await loaded();
    await page.evaluate(() => scrollTo(0, 200));
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Alerts' }).waitFor();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await close();
  },
  isLong ? 900_000 : 300_000,
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
