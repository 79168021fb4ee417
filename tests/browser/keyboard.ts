import type { Locator, Page } from 'playwright-core';

const maxSteps = 200;
const handful = 8;
/** A button may be disabled, or a dialog in the way, until the server has responded. */
const walkMs = 30_000;

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
    const walking = await page.evaluateHandle((step) => {
      const stop = new AbortController();
      const state = { stop, end: null as Element | null };
      const hold = (event: KeyboardEvent) => {
        if (event.key !== step || !state.end || state.end !== document.activeElement) return;
        event.preventDefault();
        event.stopPropagation();
      };
      addEventListener('keydown', hold, { capture: true, signal: stop.signal });
      return state;
    }, key);
    // Looked for each time: a list that is read again may have another element there.
    const isReached = () =>
      target.evaluate((element, state) => {
        state.end = element;
        return element === document.activeElement;
      }, walking);
    const deadline = performance.now() + walkMs;
    for (let steps = 0; !(await isReached()); steps += handful) {
      if (steps > maxSteps && performance.now() > deadline)
        throw new Error(`${target.toString()} is not reached by ${key}`);
      await Promise.all(Array.from({ length: handful }, () => page.keyboard.press(key)));
    }
    await walking.evaluate(({ stop }) => stop.abort());
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
