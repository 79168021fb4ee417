import type { Page } from 'playwright-core';

declare global {
  interface Window {
    shifted: number;
  }
}

type LayoutShift = PerformanceEntry & { value: number; hadRecentInput: boolean };

/** From the beginning of the document on; asked again, it begins anew. */
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

/** How far what stood on the page jumped since the last answer, without anybody’s input. */
export function takeShift(page: Page): Promise<number> {
  return page.evaluate(async () => {
    // The observer is told after the frame is drawn.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const { shifted } = window;
    window.shifted = 0;
    return shifted;
  });
}
