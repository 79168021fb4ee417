import type { Locator, Page } from 'playwright-core';

const mostSteps = 150;

/** What somebody without a mouse has. */
export interface Keyboard {
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Past the navigation, then Tab by Tab, as far as it takes. */
  reach(target: Locator): Promise<void>;
  /** On from where the focus is. */
  tabTo(target: Locator): Promise<void>;
  /** Of an open menu. */
  choose(item: Locator): Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);
  const walk = async (target: Locator, key: string) => {
    await target.waitFor();
    for (let steps = 0; !(await hasFocus(target)); steps++) {
      if (steps === mostSteps) throw new Error(`${target.toString()} is not reached by ${key}`);
      await page.keyboard.press(key);
    }
  };
  const tabTo = (target: Locator) => walk(target, 'Tab');
  const choose = async (item: Locator) => {
    await walk(item, 'ArrowDown');
    await page.keyboard.press('Enter');
  };
  const reach = async (target: Locator) => {
    await target.waitFor();
    // The link stands first in the document; the focus may be anywhere.
    const skip = page.getByRole('link', { name: 'Skip to the page' });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await tabTo(skip);
    await page.keyboard.press('Enter');
    await tabTo(target);
  };
  return { press, type: (text) => page.keyboard.type(text), reach, tabTo, choose };
}
