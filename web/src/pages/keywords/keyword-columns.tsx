import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table';
import type { Keyword, RankChange } from '#web/api.ts';
import { compareText } from '#web/format.ts';
import { deviceIds } from '#stores/profiles.ts';

export const features = tableFeatures({
  rowSortingFeature,
  rowSelectionFeature,
  columnVisibilityFeature,
  sortedRowModel: createSortedRowModel(),
});
const helper = createColumnHelper<typeof features, Keyword>();

/**
 * Entered sorts above every gain and left below every loss. Without a comparison there is no value,
 * which sorts last.
 */
function moveValue({ kind, positionsGained }: RankChange): number | undefined {
  if (kind === 'unknown') return undefined;
  if (kind === 'entered') return 1_000;
  if (kind === 'left') return -1_000;
  return positionsGained ?? 0;
}

// `undefined` is last in both directions; null would be reversed.
const ranked = { sortFn: sortFn_basic, sortUndefined: 'last' } as const;

export const columns = helper.columns([
  helper.accessor('phrase', {
    id: 'phrase',
    sortFn: (a, b) => compareText(a.original.phrase, b.original.phrase),
  }),
  helper.accessor('country', { id: 'country', sortFn: sortFn_basic }),
  helper.accessor((row) => deviceIds.indexOf(row.device), { id: 'device', sortFn: sortFn_basic }),
  helper.accessor((row) => row.latest?.position ?? undefined, { id: 'position', ...ranked }),
  helper.accessor((row) => moveValue(row.change1d), {
    id: 'change1d',
    sortDescFirst: true,
    ...ranked,
  }),
  helper.accessor((row) => moveValue(row.change7d), {
    id: 'change7d',
    sortDescFirst: true,
    ...ranked,
  }),
  helper.accessor((row) => moveValue(row.change30d), {
    id: 'change30d',
    sortDescFirst: true,
    ...ranked,
  }),
  helper.accessor((row) => row.best?.position, { id: 'best', ...ranked }),
  helper.accessor((row) => row.traffic ?? undefined, {
    id: 'traffic',
    sortDescFirst: true,
    ...ranked,
  }),
  helper.accessor((row) => row.published?.popularity ?? undefined, {
    id: 'published',
    sortDescFirst: true,
    ...ranked,
  }),
  helper.accessor((row) => row.difficulty ?? undefined, { id: 'difficulty', ...ranked }),
  helper.accessor((row) => row.opportunity ?? undefined, {
    id: 'opportunity',
    sortDescFirst: true,
    ...ranked,
  }),
  helper.display({ id: 'trend', enableSorting: false }),
  helper.accessor((row) => row.latest?.checkedAt, {
    id: 'checked',
    sortDescFirst: true,
    ...ranked,
  }),
]);

export const columnIds = [
  'phrase',
  'country',
  'device',
  'position',
  'change1d',
  'change7d',
  'change30d',
  'best',
  'traffic',
  'published',
  'difficulty',
  'opportunity',
  'trend',
  'checked',
] as const;
export type ColumnId = (typeof columnIds)[number];
/** Optional columns, and those shown by default. */
export const optionalColumns = columnIds.filter((id) => id !== 'phrase' && id !== 'position');
export const usualColumns: readonly ColumnId[] = [
  'country',
  'change1d',
  'change7d',
  'traffic',
  'difficulty',
  'opportunity',
  'trend',
];
/** The columns of the two-line row on phones, whatever is selected on a desktop. */
export const phoneColumns: readonly ColumnId[] = [
  'phrase',
  'country',
  'position',
  'change7d',
  'trend',
];

/** In rem; the phrase takes the remaining width. */
const widths: Record<ColumnId, number> = {
  phrase: 12.75,
  country: 4,
  device: 5.75,
  position: 5.25,
  change1d: 4.5,
  change7d: 4.5,
  change30d: 4.75,
  best: 4.25,
  traffic: 4.75,
  published: 5.5,
  difficulty: 5.5,
  opportunity: 6.25,
  trend: 7.5,
  checked: 6.25,
};
const selectionColumns = [2.5, 2];

/** Grid columns of a row: checkbox, star, then the shown columns. */
export function gridOf(visible: readonly ColumnId[]): string {
  const columns = visible.map((id) =>
    id === 'phrase' ? `minmax(${widths.phrase}rem, 1fr)` : `${widths[id]}rem`,
  );
  return [...selectionColumns.map((rem) => `${rem}rem`), ...columns].join(' ');
}

/** Below this width, the table scrolls sideways. */
export function minWidthRem(visible: readonly ColumnId[]): number {
  const padding = 1.25;
  return [...selectionColumns, padding, ...visible.map((id) => widths[id])].reduce(
    (sum, rem) => sum + rem,
    0,
  );
}
