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

/** One listener for the whole page. */
export function watchMenuFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    menuButton = target instanceof Element ? findMenuButton(target) : null;
  };
  addEventListener('focusin', onFocus);
  return () => removeEventListener('focusin', onFocus);
}
