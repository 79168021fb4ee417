import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { isLong } from '../harness/short-form.ts';
import { markContrastSamples, sampleAttribute } from './contrast-samples.ts';
import { markRepeatedRows, repeatedAttribute } from './repeated-rows.ts';

const source = readFileSync(
  fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
);

interface AxeWindow {
  axe: {
    run(
      context: { include: (Document | Element)[]; exclude: Element[] },
      options: { resultTypes: string[]; runOnly?: string[] },
    ): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>;
  };
}

/**
 * Without the HTML of each element that passes. The long form checks the contrast of every text,
 * and looks for spacing in every style: only an important one breaks that rule.
 */
const settings = {
  noHtml: true,
  rules: isLong
    ? []
    : [
        { id: 'color-contrast', selector: `[${sampleAttribute}]` },
        { id: 'avoid-inline-spacing', selector: '[style*="important" i]' },
      ],
};
const configure = `axe.configure(${JSON.stringify(settings)})`;

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
 * The rules of axe for the page, or only those about colours. The short form leaves out rows that
 * are built like others, and `within` limits it to an element, which takes a tenth of the time.
 * A violation must last: a button that a response enables has the colours of neither state.
 */
export async function audit(
  page: Page,
  rules: 'all' | 'colours' = 'all',
  within?: Locator,
): Promise<string[]> {
  const violations = await auditOnce(page, rules, within);
  if (violations.length === 0) return violations;
  await sleep(500);
  return auditOnce(page, rules, within);
}

/** Loaded through the debugger: the page's own policy forbids foreign scripts. */
async function auditOnce(
  page: Page,
  rules: 'all' | 'colours',
  within: Locator | undefined,
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: `${source};${configure}` });
    await session.detach();
  }
  await untilStill(page);
  if (!isLong) {
    await page.evaluate(markContrastSamples, sampleAttribute);
    await page.evaluate(markRepeatedRows, { attribute: repeatedAttribute, keep: sampleAttribute });
  }
  const element = within && !isLong ? await within.elementHandle() : null;
  return page.evaluate(
    async ({ runOnly, root, repeated }) => {
      const exclude = [...document.querySelectorAll(`[${repeated}]`)];
      const { violations } = await (window as unknown as AxeWindow).axe.run(
        { include: [root ?? document], exclude },
        { resultTypes: ['violations'], ...(runOnly && { runOnly }) },
      );
      const show = ({ target }: { target: string[] }) =>
        document.querySelector(target.join(' '))?.outerHTML.slice(0, 120) ?? target.join(' ');
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(show).join(' | ')}`);
    },
    {
      runOnly: rules === 'colours' ? ['color-contrast', 'link-in-text-block'] : null,
      root: element,
      repeated: repeatedAttribute,
    },
  );
}

/** Pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
