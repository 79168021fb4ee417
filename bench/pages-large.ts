import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { launchBrowser } from '#tests/harness/browser.ts';
import type { History } from '#tests/harness/history.ts';
import { addLargeApp } from './large-app.ts';
import { percentile, type Measurement } from './measurement.ts';
import { onDashboard, type Visit } from './on-dashboard.ts';
import { listDescendants, usedMs } from './processor-time.ts';
import type { BenchApi } from './product.ts';
import { scrollTable, wheelSteps } from './scroll-table.ts';
import { openUntilIdle } from './idle-page.ts';

const keywords = 5_000;
const days = 1_096;
/** The newest of them; older ones are packed and read like these. */
const serpDays = 35;
const warmUps = 1;
const visits = 5;
/** `BENCH_PAGES=/competitors` measures the pages whose path has that. */
const chosen = process.env.BENCH_PAGES ?? '';
const lists = process.env.BENCH_LIST === '1';

const tabs = (path: string, names: string[]) => names.map((name) => `${path}?tab=${name}`);
/** Pages for visitors who are not signed in, of plans and of operators have none of this data. */
const elsewhere = ['/', '/sign-in', '/sign-up', '/invite', '/forgot-password', '/reset-password'];
const noData = ['/confirm-email', '/settings/billing', '/admin'];

const paths = [
  '/apps/$appId',
  '/apps/$appId/keywords',
  '/apps/$appId/distribution',
  ...tabs('/apps/$appId/competitors', ['competitors', 'matrix', 'gaps', 'compare', 'market']),
  '/apps/$appId/suggestions?source=listing',
  '/apps/$appId/country-scores',
  '/apps/$appId/popularity',
  '/apps/$appId/keyword-field',
  ...tabs('/apps/$appId/listing-drafts', ['drafts', 'storefronts']),
  '/apps/$appId/timeline',
  ...tabs('/apps/$appId/reviews', ['reviews', 'ratings', 'topics']),
  '/apps/$appId/charts',
  '/keywords/$keywordId',
  '/keywords/$keywordId/serp',
  '/briefing',
  '/actions',
  ...tabs('/alerts', ['events', 'rules', 'webhooks']),
  '/digest',
  '/capacity',
  ...tabs('/runs', ['days', 'jobs']),
  '/members',
  ...tabs('/imports-exports', ['export', 'import', 'reports']),
  '/methodology',
  '/settings',
  '/welcome',
  '/report',
];

/** Every page of an app with thousands of keywords, three years and hundreds of competitors. */
export async function* measure(): AsyncGenerator<Measurement> {
  requireEveryPage();
  const browser = await launchBrowser();
  if (browser === null) return;
  try {
    const { pages, frames } = await onDashboard(
      browser,
      keywords,
      async (visit, history, api) => ({
        pages: await visitPages(visit, history, api),
        frames: chosen === '' ? (await scrollTable(visit)).frames : [],
      }),
      { days, serpDays, addFacts: addLargeApp },
    );
    for (const { path, ms, processorMs } of pages) {
      yield { name: path, scale: 'large', measured: ms, unit: 'ms', goal: 1_000 };
      yield {
        name: '  processor time of all processes',
        scale: 'large',
        measured: processorMs,
        unit: 'ms',
        goal: null,
      };
    }
    if (frames.length > 0)
      yield {
        name: `keywords table, ${wheelSteps} steps of the wheel: p95 frame`,
        scale: 'large',
        measured: percentile(frames, 0.95),
        unit: 'ms',
        goal: 33,
      };
  } finally {
    await browser.close();
  }
}

function requireEveryPage(): void {
  const router = readFileSync(new URL('../web/src/router.tsx', import.meta.url), 'utf8');
  const routes = [...router.matchAll(/(?:path: |page\(\s*)'(\/[^']*)'/g)].map(([, path]) => path!);
  const known = new Set([...paths.map((path) => path.split('?')[0]), ...elsewhere, ...noData]);
  const missing = routes.filter((path) => !known.has(path));
  if (routes.length < 20 || missing.length > 0)
    throw new Error(`add these pages to bench/pages-large.ts: ${missing.join(', ')}`);
}

interface PageTimes {
  path: string;
  /** The median. */
  ms: number;
  /** Of a visit, on whatever processor: the server, PostgreSQL and the browser. */
  processorMs: number;
}

async function visitPages(visit: Visit, history: History, api: BenchApi): Promise<PageTimes[]> {
  const { context, page, appUrl } = await visit();
  const origin = new URL(appUrl).origin;
  const keywordId = history.keywords.find(({ number }) => number === 8)!.id;
  const report = chosen === '' || '/report'.includes(chosen) ? await shareReport(page, appUrl) : '';
  const measured: PageTimes[] = [];
  for (const path of paths.filter((one) => one.includes(chosen))) {
    const url =
      origin +
      path
        .replace('$appId', String(history.appIds[0]))
        .replace('$keywordId', String(keywordId))
        .replace(/^\/report$/, report);
    measured.push({ path, ...(await visitOften(page, url, api)) });
    if (lists) console.log(path, Math.round(measured.at(-1)!.ms));
  }
  await context.close();
  return measured;
}

/** Returns the path of a report of the whole app. */
async function shareReport(page: Page, appUrl: string): Promise<string> {
  await page.goto(appUrl);
  const { url } = await page.evaluate(
    async (appId) =>
      (
        await fetch('/api/backend/reports', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ appId, name: 'Report' }),
        })
      ).json(),
    Number(appUrl.split('/').at(-1)),
  );
  return `/report#${new URL(url).hash.slice(1)}`;
}

async function visitOften(
  page: Page,
  url: string,
  { database }: BenchApi,
): Promise<Pick<PageTimes, 'ms' | 'processorMs'>> {
  for (let warm = 0; warm < warmUps; warm += 1) await openUntilIdle(page, url);
  const times: number[] = [];
  const pids = () => [...listDescendants(process.pid), ...database.serverPids()];
  const before = usedMs(pids());
  for (let count = 0; count < visits; count += 1) {
    // An address with a # would not load again.
    await page.goto('about:blank');
    const { ms, responses } = await openUntilIdle(page, url);
    times.push(ms);
    if (lists && count === 0)
      for (const response of responses.filter((one) => one.ms > 100))
        console.log(`  ${Math.round(response.ms)} ms ${response.path}`);
  }
  const processorMs = (usedMs(pids()) - before) / visits;
  return {
    ms: percentile(
      times.toSorted((a, b) => a - b),
      0.5,
    ),
    processorMs,
  };
}
