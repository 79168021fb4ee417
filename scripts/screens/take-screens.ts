import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { demoEmail } from '#cli/demo-plan.ts';
import { registerAdsKey } from '#tests/api/popularity-sync.fixtures.ts';
import { startDemoTestApp, type DemoTestApp } from '#tests/browser/demo-test-app.ts';
import { launchBrowser, newPage } from '#tests/harness/browser.ts';
import { goldenFolders } from '#tests/listing-files/golden-folders.ts';
import { packPng } from './pack-png.ts';

/** In another language, only pages can be taken that nothing has to be pressed on. */
const {
  SCREENS_FOLDER: folder = fileURLToPath(new URL('../../docs/screens/', import.meta.url)),
  SCREENS_WIDTHS: widths = '1280,375',
  SCREENS_LANGUAGE: language = 'en',
} = process.env;
const schemes = ['light', 'dark'] as const;
const sizes = widths
  .split(',')
  .map(Number)
  .map((width) => ({ width, height: 800 }));
const tallest = 1_600;
const mostBytes = 150_000;
const heightStep = 200;

interface Screen {
  path: (testApp: DemoTestApp) => string;
  /** The button to press first. */
  prepare?: (page: Page, testApp: DemoTestApp) => Promise<void>;
  /** The heading in the middle of the picture, where the page is longer than it. */
  center?: string;
  signedOut?: boolean;
  on?: Instance;
}

/** `metered`: with plans, seen by its operator. `providers`: with a change of search providers. */
type Instance = 'usual' | 'metered' | 'providers';
const instances: readonly Instance[] = ['usual', 'metered', 'providers'];

const ofApp = (name: string): Screen => ({ path: ({ apps }) => `/apps/${apps.ios}${name}` });
const at = (path: string): Screen => ({ path: () => path });
const metered = (path: string): Screen => ({ path: () => path, on: 'metered' });

const screens: Record<string, Screen> = {
  overview: ofApp(''),
  keywords: ofApp('/keywords'),
  'add-keywords': {
    ...ofApp('/keywords?add=1&device=ipad'),
    prepare: async (page) => {
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Phrases').fill('daily planner\nfocus timer');
      await dialog.getByText('2 new').waitFor();
    },
  },
  distribution: ofApp('/distribution'),
  suggestions: ofApp('/suggestions'),
  'country-scores': ofApp('/country-scores'),
  popularity: ofApp('/popularity?genre=health_fitness'),
  'keyword-field': ofApp('/keyword-field'),
  'listing-drafts': { ...ofApp('/listing-drafts?live=on&country=us'), prepare: writeDraft },
  'listing-walk-1-folder': { ...ofApp('/listing-drafts'), prepare: pickFolder },
  'listing-walk-2-draft': { ...ofApp('/listing-drafts'), prepare: improveDraft },
  'listing-walk-3-diff': { ...ofApp('/listing-drafts?live=on&country=us'), prepare: compareDraft },
  'listing-walk-4-push': { ...ofApp('/listing-drafts'), prepare: chooseDownload },
  'storefront-locales': ofApp('/listing-drafts?tab=storefronts&country=us'),
  competitors: ofApp('/competitors'),
  positions: ofApp('/competitors?tab=matrix'),
  gaps: ofApp('/competitors?tab=gaps'),
  market: ofApp('/competitors?tab=market'),
  listings: ofApp('/competitors?tab=compare'),
  timeline: ofApp('/timeline'),
  reviews: ofApp('/reviews'),
  ratings: ofApp('/reviews?tab=ratings'),
  topics: ofApp('/reviews?tab=topics'),
  charts: ofApp('/charts'),
  keyword: { path: ({ keywordId }) => `/keywords/${keywordId}` },
  'keyword-tablet': { path: ({ tabletKeywordId }) => `/keywords/${tabletKeywordId}` },
  'keyword-providers': { path: ({ keywordId }) => `/keywords/${keywordId}`, on: 'providers' },
  'keyword-scores': {
    path: ({ keywordId }) => `/keywords/${keywordId}`,
    center: 'Estimate from the signals alone',
  },
  serp: { path: ({ keywordId }) => `/keywords/${keywordId}/serp` },
  briefing: at('/briefing'),
  actions: at('/actions'),
  alerts: at('/alerts'),
  rules: at('/alerts?tab=rules'),
  webhooks: at('/alerts?tab=webhooks'),
  digest: at('/digest'),
  capacity: at('/capacity'),
  runs: at('/runs'),
  jobs: at('/runs?tab=jobs'),
  members: at('/members'),
  export: at('/imports-exports'),
  import: at('/imports-exports?tab=import'),
  reports: at('/imports-exports?tab=reports'),
  methodology: at('/methodology'),
  'methodology-difficulty': at('/methodology#difficulty'),
  settings: at('/settings'),
  tokens: at('/settings?tab=tokens'),
  tags: at('/settings?tab=tags'),
  usage: at('/settings?tab=usage'),
  audit: at('/settings?tab=audit'),
  billing: metered('/settings/billing'),
  'admin-workspaces': metered('/admin'),
  'admin-capacity': metered('/admin?tab=capacity'),
  'admin-stores': metered('/admin?tab=stores'),
  'admin-backups': metered('/admin?tab=backups'),
  welcome: at('/welcome'),
  'sign-in': { path: () => '/sign-in', signedOut: true },
  palette: {
    ...ofApp('/keywords'),
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
    },
  },
  'popularity-import': { ...at('/settings?tab=popularity'), center: 'Imports' },
  // The last one: its worker continues the day.
  'popularity-key': { ...at('/settings?tab=popularity'), prepare: saveAdsKey },
};

test('screens', async () => {
  const requested = (process.env.SCREENS ?? '').split(',').filter(Boolean);
  const browser = await launchBrowser();
  expect(browser, 'a Chromium').not.toBeNull();
  mkdirSync(folder, { recursive: true });
  const chosen = Object.entries(screens).filter(
    ([name, { prepare, center }]) =>
      (requested.length === 0 || requested.some((part) => name.includes(part))) &&
      (language === 'en' || !(prepare ?? center)),
  );
  try {
    for (const instance of instances)
      await takeAll(
        browser!,
        instance,
        new Map(chosen.filter(([, { on = 'usual' }]) => on === instance)),
      );
  } finally {
    await browser!.close();
  }
});

/** The first picture needs the key and its synced weeks; later ones show them. */
async function saveAdsKey(page: Page, { simulator, startWorker }: DemoTestApp): Promise<void> {
  const field = page.getByLabel('Client ID');
  await field
    .or(page.getByRole('button', { name: 'Sync now' }))
    .first()
    .waitFor();
  if (await field.isVisible()) {
    startWorker();
    const key = registerAdsKey(simulator);
    await field.fill(key.clientId);
    await page.getByLabel('Team ID').fill(key.teamId);
    await page.getByLabel('Key ID').fill(key.keyId);
    await page.getByLabel('Private key').fill(key.privateKey);
    await page.getByRole('button', { name: 'Test and save' }).click();
  }
  await page.getByText('Up to date').waitFor({ timeout: 120_000 });
}

/** The first picture needs the draft that later ones show. */
async function writeDraft(page: Page): Promise<void> {
  const create = page.getByRole('button', { name: 'New draft' });
  await create.waitFor();
  if (await page.getByText('No drafts yet').isVisible()) {
    await create.click();
    await page.getByLabel('Name').fill('Spring release');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Begin with the live texts' }).click();
    const add = page.getByRole('combobox', { name: 'Add language' });
    await add.fill('es-MX');
    await page.getByRole('option', { name: 'es-MX' }).click();
    await page
      .getByRole('textbox', { name: 'Subtitle, en-US', exact: true })
      .fill('Habit tracker, mood and sleep diary');
    await page.getByRole('textbox', { name: 'Keyword field, en-US' }).fill('goal,planner,routine');
    await page
      .getByRole('textbox', { name: 'Title, es-MX', exact: true })
      .fill('Daily habit planner');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved').waitFor();
  }
  await page.getByText('tracked phrases covered').waitFor();
}

const walk = 'From the folder';

/** The walk from a folder to a better listing has a draft of its own. */
async function openWalk(page: Page): Promise<void> {
  const create = page.getByRole('button', { name: 'New draft' });
  await create.waitFor();
  const choice = page.getByRole('combobox', { name: 'Draft', exact: true });
  const isThere = async () => {
    if (!(await choice.isVisible())) return false;
    await choice.click();
    const option = page.getByRole('option', { name: walk });
    if (await option.isVisible()) {
      await option.click();
      return true;
    }
    await page.keyboard.press('Escape');
    return false;
  };
  if (!(await isThere())) {
    await create.click();
    await page.getByLabel('Name').fill(walk);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await page.getByRole('button', { name: 'Upload folder (zip)' }).waitFor();
}

/** A zip as people have it, with a screenshot. */
async function zipOfWalk(): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(goldenFolders.deliver))
    zip.addBuffer(Buffer.from(text), name);
  zip.addBuffer(randomBytes(3_000_000), 'fastlane/screenshots/en-US/1.png');
  zip.end();
  return buffer(zip.outputStream);
}

async function pickZip(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('input[type=file][accept]').setInputFiles({
    name: 'fastlane.zip',
    mimeType: 'application/zip',
    buffer: await zipOfWalk(),
  });
  await dialog.getByText('deliver in fastlane/metadata').waitFor();
}

async function pickFolder(page: Page): Promise<void> {
  await openWalk(page);
  await pickZip(page, 'Upload folder (zip)');
}

/** With the texts of the folder, and then better ones, once. */
async function improveDraft(page: Page): Promise<void> {
  await openWalk(page);
  const subtitle = page.getByRole('textbox', { name: 'Subtitle, en-US', exact: true });
  const better = 'Daily planner and mood diary';
  if (!(await subtitle.isVisible()) || (await subtitle.inputValue()) !== better) {
    await pickZip(page, 'Upload folder (zip)');
    await page.getByRole('button', { name: 'Save into the draft' }).click();
    await subtitle.waitFor();
    await subtitle.fill(better);
    await page.getByRole('button', { name: 'Save draft' }).click();
    for (const toast of ['Draft saved', 'Texts of the zip saved'])
      await page.getByText(toast).waitFor({ state: 'detached' });
  }
  await page.getByText('tracked phrases covered').waitFor();
}

async function compareDraft(page: Page): Promise<void> {
  await improveDraft(page);
  await page.getByRole('group', { name: 'Changes of Subtitle, en-US', exact: true }).waitFor();
}

async function chooseDownload(page: Page): Promise<void> {
  await improveDraft(page);
  await pickZip(page, 'Download zip');
}

async function takeAll(
  browser: Browser,
  instance: Instance,
  chosen: ReadonlyMap<string, Screen>,
): Promise<void> {
  if (chosen.size === 0) return;
  const isMetered = instance === 'metered';
  const testApp = await startDemoTestApp({
    changesProvider: instance === 'providers',
    environment: isMetered ? { BILLING_ENABLED: 'true', OPERATOR_EMAILS: demoEmail } : {},
  });
  if (isMetered) await addTenants(testApp);
  try {
    for (const [name, screen] of chosen) {
      for (const size of sizes) {
        const watched = screen.signedOut
          ? await newPage(browser, size)
          : await testApp.open(browser, screen.path(testApp), size);
        if (screen.signedOut) await watched.page.goto(`${testApp.webUrl}${screen.path(testApp)}`);
        if (language !== 'en') {
          await watched.page.evaluate(`localStorage['toprung.language'] = '"${language}"'`);
          await watched.page.reload();
        }
        await watched.page.locator('h1').first().waitFor();
        await watched.loaded();
        await screen.prepare?.(watched.page, testApp);
        for (const colorScheme of schemes)
          await take(watched.page, watched.loaded, `${name}-${colorScheme}-${size.width}`, {
            ...size,
            colorScheme,
            center: screen.center,
          });
        await watched.close();
      }
    }
  } finally {
    await testApp.stop();
  }
}

/** The demo's workspace in its trial, and others beside it. */
async function addTenants(testApp: DemoTestApp): Promise<void> {
  await testApp.pool.query(
    "update workspaces set status = 'trial', trial_ends_at = now() + interval '9 days' " +
      'where id = $1',
    [testApp.workspaceId],
  );
  await testApp.pool.query(
    `insert into workspaces (name, created_at, status, plan, trial_ends_at, suspended_at,
       suspended_reason) values
       ('Blue Otter', now() - interval '40 days', 'live', 'ultimate', null, null, null),
       ('Paper Lantern', now() - interval '12 days', 'live', 'indie', null, now(),
         'did not answer our mails'),
       ('Quiet Harbour', now() - interval '90 days', 'lapsed', 'indie', null, null, null)`,
  );
}

interface Look {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  center: string | undefined;
}

/**
 * The page in a window of its own height, so that the menu is as long as the page; cut off where
 * the file would grow too large.
 */
async function take(
  page: Page,
  loaded: () => Promise<void>,
  name: string,
  { width, height, colorScheme, center }: Look,
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const needed = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (let shown = Math.max(height, Math.min(tallest, needed)); ; shown -= heightStep) {
    await page.setViewportSize({ width, height: shown });
    await loaded();
    if (center !== undefined)
      await page
        .getByRole('heading', { name: center })
        .evaluate((heading: { scrollIntoView(options: object): void }) =>
          heading.scrollIntoView({ block: 'center' }),
        );
    const png = packPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    if (png.length > mostBytes && shown - heightStep >= height) continue;
    writeFileSync(join(folder, `${name}.png`), png);
    console.log(`${name}: ${Math.round(png.length / 1_000)} kB`);
    await page.setViewportSize({ width, height });
    return;
  }
}
