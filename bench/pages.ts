import type { Page } from 'playwright-core';
import { launchBrowser, placeholder } from '#tests/harness/browser.ts';
import { percentile, type Measurement } from './measurement.ts';
import { onDashboard, type Visit } from './on-dashboard.ts';

const loads = 9;
const firstVisits = 5;
const steps = 120;
/** The distance of a wheel notch in browsers; one follows another with every frame. */
const wheelStepPx = 120;

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
    const table = `keywords table of 5,000 rows, ${steps} steps of the wheel`;
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

const noteFrames = `
  let last = performance.now();
  const frames = [];
  window.frameTimes = frames;
  requestAnimationFrame(function note(now) {
    frames.push(now - last);
    last = now;
    requestAnimationFrame(note);
  });`;

/**
 * Milliseconds, sorted: between frames while the table is scrolled, and CPU time of each task of
 * the page's thread.
 */
async function scrollTable(visit: Visit): Promise<{ frames: number[]; tasks: number[] }> {
  const { context, page, appUrl } = await visit();
  await page.goto(`${appUrl}/keywords`);
  await page.locator('[data-index="3"]').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[data-index="3"]').hover();
  const rotateWheel = async () => {
    for (let step = 0; step < steps; step += 1) {
      await page.mouse.wheel(0, wheelStepPx);
      await page.waitForTimeout(16);
    }
  };
  await page.evaluate(noteFrames);
  await rotateWheel();
  const frames = await page.evaluate<number[]>('window.frameTimes');
  // Separate: writing a trace takes time of frames.
  const stopTrace = await traceTasks(page);
  await rotateWheel();
  const tasks = await stopTrace();
  if ((await page.locator('[data-index="3"]').count()) > 0)
    throw new Error('the table was not scrolled');
  await context.close();
  return { frames: frames.slice(1).toSorted((a, b) => a - b), tasks };
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds of CPU time. */
  tdur?: number;
  args: { name?: string };
}

/**
 * A frame includes rasterization, which runs on the CPU here, and other work: this is the share of
 * our code.
 */
async function traceTasks(page: Page): Promise<() => Promise<number[]>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) =>
    events.push(...(value as unknown as TraceEvent[])),
  );
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  });
  return async () => {
    const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
    await session.send('Tracing.end');
    await complete;
    const threads = new Set(
      events
        .filter(({ args }) => args.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    const tasks = events.filter(
      ({ name, ph, pid, tid }) =>
        ph === 'X' && name.endsWith('RunTask') && threads.has(`${pid} ${tid}`),
    );
    return tasks.map(({ tdur = 0 }) => tdur / 1_000).toSorted((a, b) => a - b);
  };
}
