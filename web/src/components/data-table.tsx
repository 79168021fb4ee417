import { useVirtualizer } from '@tanstack/react-virtual';
import type { TFunction } from 'i18next';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { writeCsv, type CsvValue } from '#lib/csv-writer.ts';
import { useDensity } from '../density.ts';
import { compareText, formatCount } from '../format.ts';
import { useIsPrinting } from '../printing.ts';
import { useSearchValue } from '../search-value.ts';
import { CsvButtons } from './csv-buttons.tsx';
import styles from './data-table.module.css';

export interface DataColumn<Row> {
  id: string;
  head: string;
  cell: (row: Row) => ReactNode;
  /**
   * The value to sort by; null is last in both directions. Without it, the column cannot be sorted.
   */
  sortBy?: (row: Row) => string | number | bigint | null;
  /**
   * The value in the CSV: a number, a day or a code of the API as it is, else the text of the page
   * in its language. Defaults to the value to sort by.
   */
  csv?: (row: Row) => CsvValue;
  /** Aligns numbers to the end of the cell. */
  isEnd?: boolean;
  /** Isolates the direction of a head that is the name of an app. */
  isName?: boolean;
  /** Included in the CSV but not shown, because another column shows the same. */
  isCsvOnly?: boolean;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly DataColumn<Row>[];
  keyOf: (row: Row) => string | number;
  /**
   * `-rating` sorts by rating in descending order. The order is kept in the address under `sort` or
   * the given name.
   */
  initialSort?: string;
  sortName?: string;
  /** Name of the CSV without extension. Without it, there is no CSV. */
  fileName?: string;
  /** Explains why nothing can be copied or downloaded yet. */
  wait?: string | undefined;
  tools?: ReactNode;
  /** Total number of rows, if known, where not all rows are loaded. */
  unread?: Unread | undefined;
}

export interface Unread {
  total: number | null;
}

/** Uses the style of `.plain-table`. */
const rowHeights = { comfortable: 41, compact: 31 };
const rowsRenderedAtOnce = 120;

/** A table with sorting, CSV and copy. Only the visible rows of a long table are rendered. */
export function DataTable<Row>({
  label,
  rows,
  columns,
  keyOf,
  initialSort,
  sortName = 'sort',
  fileName,
  wait,
  tools,
  unread,
}: Props<Row>) {
  const { t } = useTranslation();
  const [asked, setSort] = useSearchValue(sortName);
  // The address may contain the order of another table.
  const sort = asked !== null && sortedBy(columns, asked) ? asked : (initialSort ?? '');
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const box = useRef<HTMLDivElement>(null);
  const isPrinting = useIsPrinting();
  const isLong = sorted.length > rowsRenderedAtOnce && !isPrinting;
  const rowHeight = rowHeights[useDensity()];
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    enabled: isLong,
  });
  useLayoutEffect(() => virtual.measure(), [rowHeight, virtual]);
  const items = virtual.getVirtualItems();
  const drawn = columns.filter(({ isCsvOnly }) => !isCsvOnly);
  const [before, after] = isLong
    ? [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)]
    : [0, 0];
  const shown = isLong ? items.map((item) => sorted[item.index]!) : sorted;
  const csv = () =>
    writeCsv([
      columns.map((column) => column.head),
      ...sorted.map((row) => columns.map((column) => (column.csv ?? column.sortBy)?.(row))),
    ]);
  return (
    <>
      {(fileName || tools || unread) && (
        <div className={styles.tools}>
          <span className={styles.count}>
            {unread
              ? formatLoadedCount(rows.length, unread, t)
              : t('table.count', { count: rows.length })}
          </span>
          {tools}
          {fileName && <CsvButtons label={label} fileName={fileName} csv={csv} wait={wait} />}
        </div>
      )}
      <div
        ref={box}
        className={isLong ? 'table-scroll tall' : 'table-scroll'}
        role="region"
        aria-label={t('table.region', { label })}
        tabIndex={0}
      >
        <table className="plain-table" aria-rowcount={sorted.length + 1}>
          <thead>
            <tr>
              {drawn.map((column) => (
                <Head key={column.id} column={column} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr aria-hidden style={{ height: before }} />}
            {shown.map((row) => (
              <tr key={keyOf(row)}>
                {drawn.map((column) => (
                  <td key={column.id} className={column.isEnd ? 'end num' : undefined}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
            {after > 0 && <tr aria-hidden style={{ height: after }} />}
          </tbody>
        </table>
        {rows.length === 0 && <p className={styles.empty}>{t('table.empty')}</p>}
      </div>
    </>
  );
}

/** Order, copy and CSV cover the loaded rows only; a note says so. */
function formatLoadedCount(loaded: number, { total }: Unread, t: TFunction): string {
  if (total === null) return t('table.loadedSome', { count: loaded, shown: formatCount(loaded) });
  return t('table.loaded', { count: total, shown: formatCount(loaded), total: formatCount(total) });
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: DataColumn<Row>;
  sort: string;
  onSort: (sort: string) => void;
}) {
  const { t } = useTranslation();
  // A column of buttons has no head, because each button has its own name.
  if (column.head === '') return <td />;
  const isSorted = sort.replace(/^-/, '') === column.id;
  const isDown = isSorted && sort.startsWith('-');
  const text = column.isName ? (
    <bdi className={styles.name} title={column.head}>
      {column.head}
    </bdi>
  ) : (
    column.head
  );
  return (
    <th
      scope="col"
      className={column.isEnd ? 'end' : undefined}
      aria-sort={isSorted ? (isDown ? 'descending' : 'ascending') : undefined}
    >
      {column.sortBy ? (
        <button
          type="button"
          className={styles.sort}
          aria-label={t('table.sortBy', { column: column.head })}
          onClick={() => onSort(isSorted && !isDown ? `-${column.id}` : column.id)}
        >
          {text}
          {isSorted &&
            (isDown ? <ArrowDown size={12} aria-hidden /> : <ArrowUp size={12} aria-hidden />)}
        </button>
      ) : (
        text
      )}
    </th>
  );
}

function sortedBy<Row>(
  columns: readonly DataColumn<Row>[],
  sort: string,
): DataColumn<Row>['sortBy'] {
  return columns.find((column) => column.id === sort.replace(/^-/, ''))?.sortBy;
}

function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sort: string,
): readonly Row[] {
  const valueOf = sortedBy(columns, sort);
  if (!valueOf) return rows;
  const direction = sort.startsWith('-') ? -1 : 1;
  return rows.toSorted((rowA, rowB) => {
    const [a, b] = [valueOf(rowA), valueOf(rowB)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return (
      direction *
      (typeof a === 'string' && typeof b === 'string'
        ? compareText(a, b)
        : a < b
          ? -1
          : a > b
            ? 1
            : 0)
    );
  });
}
