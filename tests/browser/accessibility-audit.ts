import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const source = readFileSync(
  fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
);

interface AxeWindow {
  axe: {
    run(
      context: Document,
      options: { resultTypes: string[]; runOnly?: string[] },
    ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
  };
}

/** Resolves when animations have ended. */
export function untilStill(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // The first frame computes styles; the second has started their transitions.
    await drawn();
    await drawn();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/**
 * The rules of axe for the page, or only those about colours. Loaded through the debugger: the
 * page's own policy forbids foreign scripts.
 */
export async function audit(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: source });
    await session.detach();
  }
  await untilStill(page);
  const violations = await page.evaluate(
    async (runOnly) =>
      (
        await (window as unknown as AxeWindow).axe.run(document, {
          resultTypes: ['violations'],
          ...(runOnly && { runOnly }),
        })
      ).violations,
    rules === 'colours' ? ['color-contrast', 'link-in-text-block'] : null,
  );
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`,
  );
}

/** Pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
