import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');

interface AxeWindow {
  axe: { run(context: Document, options: { resultTypes: string[] }): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
}

/** Every rule of axe over the page as it is. Loaded through the debugger: the page's own policy forbids foreign scripts. */
export async function audit(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    const session = await page.context().newCDPSession(page);
    await session.send('Runtime.evaluate', { expression: source });
    await session.detach();
  }
  const violations = await page.evaluate(
    async () => (await (window as unknown as AxeWindow).axe.run(document, { resultTypes: ['violations'] })).violations,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(' | ')}`);
}

/** Pixels by which the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
