import { toggleItem } from '#web/search-value.ts';
import { createStored, useStored } from '#web/stored.ts';
import { optionalColumns, usualColumns, type ColumnId } from './keyword-columns.tsx';
import type { ChangeKeywordFilters, KeywordFilters } from './keyword-filters.ts';

const nothing = '-';
const isOptional = (found: unknown): found is ColumnId =>
  optionalColumns.some((id) => id === found);
const kept = createStored<readonly ColumnId[]>('toprung.keyword-columns', (found) =>
  Array.isArray(found) ? found.filter(isOptional) : usualColumns,
);

/**
 * The columns of the address, so that saved and shared views include them; otherwise the last
 * choice in this browser.
 */
export function useShownColumns(filters: KeywordFilters, change: ChangeKeywordFilters) {
  const last = useStored(kept);
  const toggle = (id: ColumnId) =>
    change((latest) => {
      const shown = toggleItem(readColumns(latest, kept.get()), id);
      const next = optionalColumns.filter((column) => shown.includes(column));
      kept.set(next);
      return { columns: next.join(',') || nothing };
    });
  return { columns: readColumns(filters, last), toggle };
}

function readColumns({ columns }: KeywordFilters, last: readonly ColumnId[]): readonly ColumnId[] {
  return columns === undefined ? last : columns.split(',').filter(isOptional);
}
