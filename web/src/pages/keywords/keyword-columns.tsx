import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table';
import type { Keyword, RankChange } from '../../api.ts';
import { compareText } from '../../format.ts';

export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
});
const helper = createColumnHelper<typeof features, Keyword>();

/** Entered above every gain, left below every loss; without a comparison there is no value, and it sorts last. */
function moveValue({ kind, places }: RankChange): number | undefined {
  if (kind === 'unknown') return undefined;
  if (kind === 'entered') return 1_000;
  if (kind === 'left') return -1_000;
  return places ?? 0;
}

// `undefined` stays last in both directions; null would be reversed with the rest.
const ranked = { sortFn: sortFn_basic, sortUndefined: 'last' } as const;

export const columns = helper.columns([
  helper.accessor('phrase', { id: 'phrase', sortFn: (a, b) => compareText(a.original.phrase, b.original.phrase) }),
  helper.accessor('country', { id: 'country', sortFn: sortFn_basic }),
  helper.accessor((row) => row.latest?.position ?? undefined, { id: 'position', ...ranked }),
  helper.accessor((row) => moveValue(row.change1d), { id: 'change1d', sortDescFirst: true, ...ranked }),
  helper.accessor((row) => moveValue(row.change7d), { id: 'change7d', sortDescFirst: true, ...ranked }),
  helper.accessor((row) => moveValue(row.change30d), { id: 'change30d', sortDescFirst: true, ...ranked }),
  helper.accessor((row) => row.best?.position, { id: 'best', ...ranked }),
  helper.display({ id: 'trend', enableSorting: false }),
  helper.accessor((row) => row.latest?.checkedAt, { id: 'checked', sortDescFirst: true, ...ranked }),
]);

export const columnIds = ['phrase', 'country', 'position', 'change1d', 'change7d', 'change30d', 'best', 'trend', 'checked'] as const;
export type ColumnId = (typeof columnIds)[number];
export const optionalColumns: ColumnId[] = ['country', 'change1d', 'change7d', 'change30d', 'best', 'trend', 'checked'];

const widths: Record<ColumnId, string> = {
  phrase: 'minmax(11rem, 1fr)',
  country: '4.25rem',
  position: '5.25rem',
  change1d: '4.5rem',
  change7d: '4.5rem',
  change30d: '4.75rem',
  best: '4rem',
  trend: '8.25rem',
  checked: '6.75rem',
};

/** The grid of a row: tick box, star, then what is shown. */
export function gridOf(visible: readonly ColumnId[]): string {
  return ['2.75rem', '2rem', ...visible.map((id) => widths[id])].join(' ');
}
