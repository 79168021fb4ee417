import { isComposing } from '#web/keys/is-composing.ts';
import { hideToast, readToasts } from './toast-store.ts';

/** Escape closes these first, and the lists of fields. */
const open = '[aria-modal=true], [role=dialog], [role=menu], [role=listbox]';

/**
 * Escape closes the toast with the focus, or the newest one, unless something else is open or the
 * key has another meaning where the focus is. Returns a function that ends it.
 */
export function closeByEscape(): () => void {
  let isFree = true;
  // Before others react: a menu is gone afterwards.
  const look = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') isFree = ![...document.querySelectorAll(open)].some(isVisible);
  };
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || !isFree) return;
    const focused = document.activeElement?.closest<HTMLElement>('[data-toast]');
    const shown = readToasts();
    const newest = shown.findLast(({ isLoading }) => !isLoading) ?? shown.at(-1);
    const id = focused?.dataset.toast ?? newest?.id;
    if (id === undefined) return;
    event.preventDefault();
    hideToast(id);
  };
  addEventListener('keydown', look, { capture: true });
  addEventListener('keydown', close);
  return () => {
    removeEventListener('keydown', look, { capture: true });
    removeEventListener('keydown', close);
  };
}

const isVisible = (element: Element): boolean => element.getClientRects().length > 0;
