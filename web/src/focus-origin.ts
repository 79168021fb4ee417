/** The button of the menu that had the focus last, until something else gets it. */
let menuButton: HTMLElement | null = null;

function findMenuButton(focused: Element | null): HTMLElement | null {
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : null;
}

/**
 * Where the focus returns to when what opens now is closed. A menu closes when one of its items
 * opens something, often before the code of that is loaded; its button stays.
 */
export function findFocusOrigin(): HTMLElement | null {
  const focused = document.activeElement;
  if (focused === document.body) return menuButton;
  return findMenuButton(focused) ?? (focused instanceof HTMLElement ? focused : null);
}

const isLost = (): boolean => document.activeElement === document.body;

/** Returns the heading that has the focus then, or null where the page has none. */
export function focusPage(): Element | null {
  const main = document.getElementById('main');
  const heading = main?.querySelector('h1') ?? null;
  heading?.setAttribute('tabindex', '-1');
  (heading ?? main)?.focus({ preventScroll: true });
  return heading;
}

/**
 * Unless something else has the focus by now. Where the origin was removed or disabled meanwhile,
 * the page gets it.
 */
export function returnFocusTo(origin: HTMLElement): void {
  if (isLost()) origin.focus({ preventScroll: true });
  // The next row of a list comes before the page.
  if (isLost()) queueMicrotask(() => isLost() && focusPage());
}

/** Calls back when the focus was lost because React removed this element with the focus in it. */
export function watchRemoval(element: HTMLElement, onLost: () => void): () => void {
  return () => {
    if (!element.contains(document.activeElement)) return;
    // After React has removed it.
    queueMicrotask(() => isLost() && onLost());
  };
}

/** One listener for the whole page. */
export function watchMenuFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    menuButton = target instanceof Element ? findMenuButton(target) : null;
  };
  addEventListener('focusin', onFocus);
  return () => removeEventListener('focusin', onFocus);
}
