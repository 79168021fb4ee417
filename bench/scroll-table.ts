import type { Page } from 'playwright-core';
import type { Visit } from './on-dashboard.ts';

export const wheelSteps = 120;
/** The distance of a wheel notch in browsers; one follows another with every frame. */
const wheelStepPx = 120;

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
export async function scrollTable(visit: Visit): Promise<{ frames: number[]; tasks: number[] }> {
  const { context, page, appUrl } = await visit();
  await page.goto(`${appUrl}/keywords`);
  await page.locator('[data-index="3"]').waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[data-index="3"]').hover();
  const rotateWheel = async () => {
    for (let step = 0; step < wheelSteps; step += 1) {
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
