import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import { audit, overflowOf } from './audit.ts';
import { startDemoStage, type DemoStage } from './demo-stage.ts';

const browser = await launchBrowser();
const shots = process.env.SHOTS;

describe.skipIf(!browser)('pages on a workspace that the product filled itself', () => {
  let stage: DemoStage;
  beforeAll(async () => {
    stage = await startDemoStage();
    if (shots) mkdirSync(shots, { recursive: true });
  }, 240_000);
  afterAll(async () => {
    await browser!.close();
    await stage.stop();
  });

  const pages: [name: string, path: () => string, has: string | RegExp][] = [
    ['reviews', () => `/apps/${stage.apps.ios}/reviews`, /Reviews by stars/],
    ['ratings', () => `/apps/${stage.apps.ios}/reviews?tab=ratings`, 'Rating by day'],
    ['topics', () => `/apps/${stage.apps.ios}/reviews?tab=topics`, 'Topics'],
    ['category-ranks', () => `/apps/${stage.apps.ios}/category-ranks`, /Places on/],
    ['competitors', () => `/apps/${stage.apps.ios}/competitors`, 'Competitors'],
    ['matrix', () => `/apps/${stage.apps.ios}/competitors?tab=matrix`, 'Places'],
    ['gaps', () => `/apps/${stage.apps.ios}/competitors?tab=gaps`, 'Gaps'],
    ['compare', () => `/apps/${stage.apps.ios}/competitors?tab=compare`, 'Listings'],
    ['market', () => `/apps/${stage.apps.ios}/competitors?tab=market`, 'Leaders'],
    ['results', () => `/keywords/${stage.keywordId}/results`, /\d{4}$/],
    ['discover', () => `/apps/${stage.apps.ios}/discover?source=listing`, /Suggestions for/],
    ['keyword-field', () => `/apps/${stage.apps.ios}/keyword-field`, 'The field'],
    ['overview', () => `/apps/${stage.apps.ios}`, 'Visibility'],
    ['distribution', () => `/apps/${stage.apps.ios}/distribution`, /./],
    ['timeline', () => `/apps/${stage.apps.ios}/timeline`, /./],
    ['actions', () => '/actions', /./],
    ['alerts', () => '/alerts', /./],
    ['rules', () => '/alerts?tab=rules', /./],
    ['webhooks', () => '/alerts?tab=webhooks', /./],
    ['capacity', () => '/capacity', /./],
    ['runs', () => '/runs', /./],
    ['digest', () => '/digest', /./],
    ['data', () => '/data', /./],
    ['settings', () => '/settings', /./],
    ['keyword-field-android', () => `/apps/${stage.apps.android}/keyword-field`, 'Google Play has no keyword field'],
  ];
  const modes = [
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 375 },
  ] as const;
  // Each page once, wide and light or narrow and dark in turn; every page in every mode is what SHOTS is for.
  const looks = pages.flatMap(([name, path, has], index) =>
    modes.filter((_, mode) => shots || mode === index % 2).map((mode) => ({ name, path, has, ...mode })),
  );

  test.each(looks)(
    '$name, $colorScheme at $width',
    async ({ name, path, has, colorScheme, width }) => {
      const { page, consoleErrors, foreignRequests, close } = await stage.open(browser!, path(), { colorScheme, width });
      await page.getByRole('heading', { name: has, level: 2 }).first().waitFor();
      await page.waitForLoadState('networkidle');
      if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}-${width}.png`, fullPage: true });
      expect(await audit(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect({ consoleErrors, foreignRequests }).toEqual({ consoleErrors: [], foreignRequests: [] });
      await close();
    },
    60_000,
  );
});
