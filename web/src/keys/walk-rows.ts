const rowSelector = 'tbody tr:not([aria-hidden]), [role=row][data-index], [data-key-row]';
const reachable = 'a[href], button:not(:disabled), input:not(:disabled)';

function rowsOf(container: Element): HTMLElement[] {
  return [...container.querySelectorAll<HTMLElement>(rowSelector)].filter(
    (row) => row.offsetParent !== null,
  );
}

function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(rowSelector) ?? null;
}

/**
 * Moves the focus to the next or previous row of the current list, or to the first row of the page.
 */
export function focusNextRow(step: 1 | -1): void {
  const row = currentRow();
  const main = document.getElementById('main');
  if (!main) return;
  const list = row?.closest('table, [role=rowgroup], ul, ol') ?? main;
  const rows = rowsOf(list).toSorted(
    (a, b) => Number(a.dataset.index ?? 0) - Number(b.dataset.index ?? 0),
  );
  const next = row ? rows[rows.indexOf(row) + step] : rows[0];
  if (!next) return;
  const target =
    next.querySelector<HTMLElement>(reachable.replaceAll('input', 'input:not([type=checkbox])')) ??
    next;
  if (target === next) next.tabIndex = -1;
  target.focus();
  next.scrollIntoView({ block: 'nearest' });
}

/** Toggles the checkbox of the focused row, if it has one. */
export function toggleRow(): void {
  currentRow()?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
}

/** Focuses the first search field of the page. Returns false if there is none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    '#main input:is([type=search], [role=searchbox], [data-search])',
  );
  field?.focus();
  field?.select();
  return field !== null;
}
