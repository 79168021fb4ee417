import type { Page } from 'playwright-core';
import { launchBrowser, placeholder } from '#tests/harness/browser.ts';
import { percentile, type Measurement } from './measurement.ts';
import { onDashboard, type Visit } from './on-dashboard.ts';
import { scrollTable, wheelSteps } from './scroll-table.ts';

const loads = 9;
const firstVisits = 5;

/** The waits of a user in a real browser, on the API and the dashboard as shipped. */
export async function* measure(): AsyncGenerator<Measurement> {
  const browser = await launchBrowser();
  if (browser === null) return;
  try {
    const { anew, first } = await onDashboard(browser, 1_000, timeOverview);
    const p50 = (loads: Load[], of: keyof Load) =>
      percentile(
        loads.map((load) => load[of]).toSorted((a, b) => a - b),
        0.5,
      );
    const overview = 'overview of 1,000 keywords, loaded anew';
    yield {
      name: `${overview} until all is drawn, p50`,
      scale: 'target',
      measured: p50(anew, 'wholeMs'),
      unit: 'ms',
      goal: 1_000,
    };
    yield {
      name: '  until its figures can be read and links followed',
      scale: 'target',
      measured: p50(anew, 'readableMs'),
      unit: 'ms',
      goal: 1_000,
    };
    yield {
      name: '  on a first visit: figures and links',
      scale: 'target',
      measured: p50(first, 'readableMs'),
      unit: 'ms',
      goal: null,
    };
    yield {
      name: '  on a first visit: all is drawn',
      scale: 'target',
      measured: p50(first, 'wholeMs'),
      unit: 'ms',
      goal: null,
    };
    const { frames, tasks } = await onDashboard(browser, 5_000, scrollTable);
    const table = `keywords table of 5,000 rows, ${wheelSteps} steps of the wheel`;
    yield {
      name: `${table}: longest frame`,
      scale: 'target',
      measured: percentile(frames, 1),
      unit: 'ms',
      goal: 50,
    };
    yield {
      name: '  p95 of its frames',
      scale: 'target',
      measured: percentile(frames, 0.95),
      unit: 'ms',
      goal: null,
    };
    yield {
      name: '  longest task of the page, its own processor time',
      scale: 'target',
      measured: percentile(tasks, 1),
      unit: 'ms',
      goal: 50,
    };
  } finally {
    await browser.close();
  }
}

interface Load {
  /** From the address until the figures are visible and can be clicked. */
  readableMs: number;
  /** Until the chart is drawn and no request is pending. */
  wholeMs: number;
}

/**
 * A reload takes files from the browser's cache; a first visit takes all of them from the server.
 */
async function timeOverview(visit: Visit): Promise<{ anew: Load[]; first: Load[] }> {
  const first: Load[] = [];
  for (let count = 0; count < firstVisits; count += 1) {
    const { context, page, appUrl } = await visit();
    first.push(await loadOverview(page, appUrl));
    await context.close();
  }
  const { context, page, appUrl } = await visit();
  for (let warm = 0; warm < 2; warm += 1) await loadOverview(page, appUrl);
  const anew: Load[] = [];
  while (anew.length < loads) anew.push(await loadOverview(page, appUrl));
  await context.close();
  return { anew, first };
}

async function loadOverview(page: Page, url: string): Promise<Load> {
  const start = performance.now();
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByText('Top 10', { exact: true }).first().waitFor();
  const readableMs = performance.now() - start;
  await page
    .getByRole('img', { name: /^Visibility index from/ })
    .locator('svg')
    .waitFor();
  await page.locator(placeholder).first().waitFor({ state: 'detached' });
  return { readableMs, wholeMs: performance.now() - start };
}
