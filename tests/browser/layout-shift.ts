import type { Page } from 'playwright-core';

declare global {
  interface Window {
    shifted: number;
  }
}

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** Records from the start of the document; installing it again starts anew. */
export async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.shifted = 0;
    const add = (shift: LayoutShift) => {
      if (!shift.hadRecentInput) window.shifted += shift.value;
    };
    new PerformanceObserver((list) => (list.getEntries() as LayoutShift[]).forEach(add)).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
}

/** The layout shift since the last call, without shifts after user input. */
export function takeShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // The observer is notified after the frame is drawn.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { shifted } = window;
    window.shifted = 0;
    return shifted;
  });
}
