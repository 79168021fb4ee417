import { createStored, useStored } from '#web/stored.ts';
import { optionalColumns, usualColumns, type ColumnId } from './keyword-columns.tsx';
import type { KeywordFilters } from './keyword-filters.ts';

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
export function useShownColumns(
  { columns }: KeywordFilters,
  change: (next: Partial<KeywordFilters>) => void,
) {
  const last = useStored(kept);
  const choose = (next: readonly ColumnId[]) => {
    kept.set(next);
    change({ columns: next.join(',') || nothing });
  };
  return { columns: columns === undefined ? last : columns.split(',').filter(isOptional), choose };
}
