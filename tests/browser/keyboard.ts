import type { Locator, Page } from 'playwright-core';

const maxSteps = 200;
const handful = 8;

/** Operations of a user without a mouse. */
export interface Keyboard {
  press(...keys: string[]): Promise<void>;
  /** Returns the focus once there is one: a dialog that opens takes a moment to set it. */
  type(text: string): Promise<void>;
  /** Past the navigation, then Tab by Tab until it is reached. */
  reach(target: Locator): Promise<void>;
  /** Continues from the current focus. */
  tabTo(target: Locator): Promise<void>;
  /** In an open menu. */
  choose(item: Locator): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const walk = async (target: Locator, key: string) => {
    await target.waitFor();
    // Several at once, since each response takes time; too many have no effect at the end.
    const stay = await target.evaluateHandle((element, step) => {
      const stop = new AbortController();
      const hold = (event: KeyboardEvent) => {
        if (event.key !== step || element !== document.activeElement) return;
        event.preventDefault();
        event.stopPropagation();
      };
      addEventListener('keydown', hold, { capture: true, signal: stop.signal });
      return stop;
    }, key);
    const hasFocus = () => target.evaluate((element) => element === document.activeElement);
    for (let steps = 0; !(await hasFocus()); steps += handful) {
      if (steps > maxSteps) throw new Error(`${target.toString()} is not reached by ${key}`);
      await Promise.all(Array.from({ length: handful }, () => page.keyboard.press(key)));
    }
    await stay.evaluate((stop) => stop.abort());
  };
  const tabTo = (target: Locator) => walk(target, 'Tab');
  const choose = async (item: Locator) => {
    await walk(item, 'ArrowDown');
    await page.keyboard.press('Enter');
  };
  const reach = async (target: Locator) => {
    await target.waitFor();
    // The link is first in the document; the focus may be anywhere.
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await tabTo(skip);
    await page.keyboard.press('Enter');
    await tabTo(target);
  };
  const type = async (text: string) => {
    await page.waitForFunction(() =>
      document.activeElement?.matches('input, textarea, [contenteditable]'),
    );
    await page.keyboard.type(text);
  };
  return { press, type, reach, tabTo, choose };
}
