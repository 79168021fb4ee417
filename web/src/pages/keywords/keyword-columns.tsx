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
  helper.accessor('phrase', {
    id: 'phrase',
    sortFn: (a, b) => compareText(a.original.phrase, b.original.phrase),
  }),
  helper.accessor('country', { id: 'country', sortFn: sortFn_basic }),
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
  'position',
  'change1d',
  'change7d',
  'change30d',
  'best',
  'traffic',
  'difficulty',
  'opportunity',
  'trend',
  'checked',
] as const;
export type ColumnId = (typeof columnIds)[number];
/** Those that may be left out, and those of them that are there until somebody chooses. */
export const optionalColumns = columnIds.filter((id) => id !== 'phrase' && id !== 'position');
export const usualColumns: readonly ColumnId[] = [
  'country',
  'change7d',
  'best',
  'traffic',
  'difficulty',
  'opportunity',
  'trend',
];
/** What the two lines of a row on a phone hold, whatever was chosen at the desk. */
export const phoneColumns: readonly ColumnId[] = [
  'phrase',
  'country',
  'position',
  'change7d',
  'trend',
];

/** In rem; the phrase takes what is left. */
const widths: Record<ColumnId, number> = {
  phrase: 10,
  country: 4,
  position: 5.25,
  change1d: 4.5,
  change7d: 4.5,
  change30d: 4.75,
  best: 4.25,
  traffic: 4.75,
  difficulty: 5.5,
  opportunity: 6.25,
  trend: 7.5,
  checked: 6.25,
};
const tickAndStar = [2.5, 2];

/** The grid of a row: tick box, star, then what is shown. */
export function gridOf(visible: readonly ColumnId[]): string {
  const columns = visible.map((id) =>
    id === 'phrase' ? `minmax(${widths.phrase}rem, 1fr)` : `${widths[id]}rem`,
  );
  return [...tickAndStar.map((rem) => `${rem}rem`), ...columns].join(' ');
}

/** Below this the columns need more room than there is, and the table is moved sideways. */
export function leastWidthRem(visible: readonly ColumnId[]): number {
  const padding = 1.25;
  return [...tickAndStar, padding, ...visible.map((id) => widths[id])].reduce(
    (sum, rem) => sum + rem,
    0,
  );
}
