import { createStored, useStored } from '../../stored.ts';
import { optionalColumns, usualColumns, type ColumnId } from './keyword-columns.tsx';
import type { KeywordFilters } from './keyword-filters.ts';

const nothing = '-';
const isOptional = (found: unknown): found is ColumnId =>
  optionalColumns.some((id) => id === found);
const kept = createStored<readonly ColumnId[]>('toprung.keyword-columns', (found) =>
  Array.isArray(found) ? found.filter(isOptional) : usualColumns,
);

/** Those the address names, so that a saved or shared view has them; else the last choice of this browser. */
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
