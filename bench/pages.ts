import type { Browser, Page } from 'playwright-core';
import { utcDayOf } from '../src/lib/dates.ts';
import { launchBrowser, newPage, placeholder } from '../tests/harness/browser.ts';
import { fillHistory } from '../tests/harness/history.ts';
import { startToprung, type Child } from '../tests/harness/process.ts';
import { makeDataDir, productEnvironment, removeDataDir } from '../tests/harness/product.ts';
import { openBenchDatabase } from './database.ts';
import { percentile, type Figure } from './figure.ts';

const loads = 9;
const turns = 120;
const turnPx = 400;

/** What a person waits for, in a real browser on the API and the dashboard as they ship. */
export async function* measure(): AsyncGenerator<Figure> {
  const browser = await launchBrowser();
  if (browser === null) return;
  try {
    const overview = await onDashboard(browser, 1_000, timeOverview);
    const name = 'overview of 1,000 keywords, loaded anew until all is drawn, p50';
    yield { name, scale: 'target', measured: percentile(overview, 0.5), unit: 'ms', goal: 1_000 };
    const frames = await onDashboard(browser, 5_000, scrollTable);
    const table = `keywords table of 5,000 rows, ${turns} turns of the wheel`;
    yield { name: `${table}: longest frame`, scale: 'target', measured: percentile(frames, 1), unit: 'ms', goal: 50 };
    yield { name: '  p95 of its frames', scale: 'target', measured: percentile(frames, 0.95), unit: 'ms', goal: null };
  } finally {
    await browser.close();
  }
}

/** Somebody signed in looks at an app with so many keywords and 90 days. */
async function onDashboard(browser: Browser, markets: number, look: (page: Page, appId: number) => Promise<number[]>): Promise<number[]> {
  const [database, dataDir] = await Promise.all([openBenchDatabase(), makeDataDir()]);
  const environment = { ...productEnvironment(dataDir, { baseUrl: 'http://127.0.0.1:9' }), DATABASE_URL: database.url };
  const children: Child[] = [];
  const start = async (role: string, more: Record<string, string>, announced: RegExp) => {
    const child = startToprung(['start', '--role', role], { ...environment, ...more });
    children.push(child);
    await child.waitFor(announced, 60_000);
    return announced.exec(child.output())![1]!;
  };
  try {
    const apiUrl = await start('api', {}, / API: +(http\S+)/);
    const webUrl = await start('web', { API_URL: apiUrl }, /Toprung is up: +(http\S+)/);
    const { cookie, workspaceId } = await signUp(apiUrl);
    const past = await fillHistory(database.pool, {
      workspaceId,
      apps: 1,
      markets,
      days: 90,
      lastDay: utcDayOf(new Date()),
      gapShare: 0.02,
      serpDays: 2,
    });
    await database.pool.query('vacuum analyze');
    const { page, context, close } = await newPage(browser);
    await context.addCookies([{ ...cookie, url: webUrl }]);
    await page.goto(`${webUrl}/methodology`);
    const seen = await look(page, past.appIds[0]!);
    await close();
    return seen.toSorted((a, b) => a - b);
  } finally {
    await Promise.all(children.map((child) => child.kill('SIGTERM')));
    await database.close();
    await removeDataDir(dataDir);
  }
}

async function signUp(apiUrl: string) {
  const answer = await fetch(`${apiUrl}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email: 'owner@example.org', password: 'grape-tunnel-oxide-41', name: 'Mara Lind', workspaceName: 'Northlight' }),
  });
  if (!answer.ok) throw new Error(`sign-up answered ${answer.status}: ${await answer.text()}`);
  const [name = '', value = ''] = answer.headers.getSetCookie()[0]!.split(';')[0]!.split('=');
  const { workspace } = (await answer.json()) as { workspace: { id: number } };
  return { cookie: { name, value }, workspaceId: workspace.id };
}

/** Milliseconds from the address to the last card; files come from the browser's cache but for the first time, which is not counted. */
async function timeOverview(page: Page, appId: number): Promise<number[]> {
  const taken: number[] = [];
  for (let load = 0; load <= loads; load += 1) {
    const start = performance.now();
    await page.goto(new URL(`/apps/${appId}`, page.url()).href, { waitUntil: 'commit' });
    await page
      .getByRole('img', { name: /^Visibility index from/ })
      .locator('svg')
      .waitFor();
    await page.waitForFunction(`document.querySelector('${placeholder}') === null`);
    if (load > 0) taken.push(performance.now() - start);
  }
  return taken;
}

const noteFrames = `
  let last = performance.now();
  const frames = [];
  window.frameTimes = frames;
  requestAnimationFrame(function note(now) {
    frames.push(now - last);
    last = now;
    requestAnimationFrame(note);
  });`;

/** Milliseconds between frames while the table is scrolled. */
async function scrollTable(page: Page, appId: number): Promise<number[]> {
  await page.goto(new URL(`/apps/${appId}/keywords`, page.url()).href);
  await page.locator('[data-index="3"]').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[data-index="3"]').hover();
  await page.evaluate(noteFrames);
  for (let turn = 0; turn < turns; turn += 1) {
    await page.mouse.wheel(0, turnPx);
    await page.waitForTimeout(16);
  }
  const frames = await page.evaluate<number[]>('window.frameTimes');
  if ((await page.locator('[data-index="3"]').count()) > 0) throw new Error('the table was not scrolled');
  return frames.slice(1);
}
