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

/** The focus goes to the next or the row before of the list it is in, else to the first row of the page. */
export function stepRow(step: 1 | -1): void {
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

/** Ticks the row with the focus, where it can be ticked. */
export function tickRow(): void {
  currentRow()?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
}

/** The first search field of the page; false where there is none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    '#main input:is([type=search], [role=searchbox], [data-search])',
  );
  field?.focus();
  field?.select();
  return field !== null;
}
