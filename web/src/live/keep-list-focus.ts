const rows = 'li, tr, [role=row]';
const lists = 'ul, ol';
const controls = 'a[href], button:not(:disabled), input:not(:disabled, [type=hidden])';
const parts = 'section, main, [role=dialog]';
/** Rows of long lists, which are removed while somebody scrolls because they are out of view. */
const virtualRows = '[data-index], tr[aria-hidden] ~ tr, tr:has(~ tr[aria-hidden])';
const scrollMs = 300;

/**
 * When the row with the focus is removed, the focus moves to the next or previous row, or to the
 * heading where no row is left, instead of the start of the page. Returns the function that ends
 * it.
 */
export function keepListFocus(): () => void {
  let row: Element | null = null;
  let isVirtual = false;
  let successor: Element | null = null;
  let scrolledAtMs = -scrollMs;
  const remember = ({ target }: FocusEvent) => {
    // A dialog or menu of the row may have the focus when the row is removed.
    const found = target instanceof Element && target.closest(rows);
    if (!found) return;
    row = found;
    isVirtual = found.matches(virtualRows);
  };
  const onScroll = () => (scrolledAtMs = performance.now());
  const onRemoval = (records: readonly MutationRecord[]) => {
    if (!row || row.isConnected) return;
    const lost = row;
    row = null;
    const isScrolledAway = isVirtual && performance.now() - scrolledAtMs < scrollMs;
    if (isScrolledAway || document.activeElement !== document.body) return;
    successor = findSuccessor(lost, records);
    if (successor instanceof HTMLElement) successor.focus({ preventScroll: true });
  };
  // A held key would delete the next row, too.
  const onKeyDown = (event: KeyboardEvent) => {
    const isPress = event.key === 'Enter' || event.key === ' ';
    if (isPress && event.repeat && event.target === successor) event.preventDefault();
  };
  const observer = new MutationObserver(onRemoval);
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener('focusin', remember);
  addEventListener('keydown', onKeyDown);
  addEventListener('scroll', onScroll, { capture: true, passive: true });
  return () => {
    observer.disconnect();
    removeEventListener('focusin', remember);
    removeEventListener('keydown', onKeyDown);
    removeEventListener('scroll', onScroll, { capture: true });
  };
}

function findSuccessor(row: Element, records: readonly MutationRecord[]): Element | null {
  for (const { target, removedNodes } of records)
    for (const removed of removedNodes) {
      if (!(removed instanceof Element) || !removed.contains(row)) continue;
      if (removed.matches(rows)) return findNeighbour(removed, records) ?? findHeading(target);
      const heading = findHeading(target);
      return heading ?? (removed.matches(lists) ? findNeighbour(removed, records) : null);
    }
  return null;
}

const findNeighbour = (removed: Element, records: readonly MutationRecord[]): Element | null =>
  findControl(removed, 'nextSibling', records) ?? findControl(removed, 'previousSibling', records);

/** The first control after or before a removed row or list. */
function findControl(
  removed: Element,
  side: 'nextSibling' | 'previousSibling',
  records: readonly MutationRecord[],
): Element | null {
  let at: Node | null = removed;
  while (at) {
    if (at.isConnected && at instanceof Element) {
      const control = at.matches(controls) ? at : at.querySelector(controls);
      if (control) return control;
    }
    // Several rows may be removed at once.
    at = (at.isConnected ? at : findRemoval(at, records))?.[side] ?? null;
  }
  return null;
}

/** The heading of the part that had the list. */
function findHeading(container: Node): Element | null {
  const part = container instanceof Element ? container.closest(parts) : null;
  const heading = part?.querySelector('h1, h2, h3') ?? null;
  heading?.setAttribute('tabindex', '-1');
  return heading;
}

const findRemoval = (node: Node, records: readonly MutationRecord[]): MutationRecord | undefined =>
  records.find(({ removedNodes }) => [...removedNodes].includes(node));
