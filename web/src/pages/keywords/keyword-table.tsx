import { Checkbox } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { RowSelectionState, SortingState } from '@tanstack/react-table';
import { useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '../../api.ts';
import { columnIds, columns, features, gridOf, type ColumnId } from './keyword-columns.tsx';
import { KeywordRow } from './keyword-row.tsx';
import styles from './keyword-table.module.css';

interface Props {
  keywords: Keyword[];
  hidden: readonly ColumnId[];
  sorting: SortingState;
  onSorting: (sorting: SortingState) => void;
  selection: RowSelectionState;
  onSelection: (selection: RowSelectionState) => void;
  onFavorite: (keyword: Keyword) => void;
}

/** Only the rows in view exist; the window scrolls, so that the page stays one page on a phone. */
export function KeywordTable({ keywords, hidden, sorting, onSorting, selection, onSelection, onFavorite }: Props) {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const visible = columnIds.filter((id) => !hidden.includes(id));
  const table = useTable({
    features,
    columns,
    data: keywords,
    state: { sorting, rowSelection: selection },
    getRowId: (keyword) => String(keyword.id),
    enableSortingRemoval: false,
    onSortingChange: (update) => onSorting(typeof update === 'function' ? update(sorting) : update),
    onRowSelectionChange: (update) => onSelection(typeof update === 'function' ? update(selection) : update),
  });
  const { rows } = table.getRowModel();
  const body = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [isNarrow]);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (isNarrow ? 68 : 46),
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rows[index]!.id,
  });
  useLayoutEffect(() => virtualizer.measure(), [isNarrow, virtualizer]);

  const anchor = useRef<number | null>(null);
  const select = (keyword: Keyword, withRange: boolean) => {
    const at = rows.findIndex((row) => row.original.id === keyword.id);
    const isOn = !selection[String(keyword.id)];
    const from = withRange && anchor.current !== null ? Math.min(anchor.current, at) : at;
    const to = withRange && anchor.current !== null ? Math.max(anchor.current, at) : at;
    anchor.current = at;
    const next = { ...selection };
    for (const row of rows.slice(from, to + 1)) {
      if (isOn) next[row.id] = true;
      else delete next[row.id];
    }
    onSelection(next);
  };

  /** Arrow keys or j and k walk the rows, x ticks; only while the table has the focus. */
  const onKeyDown = (event: KeyboardEvent) => {
    const element = (event.target as HTMLElement).closest('[data-index]');
    if (!element || event.metaKey || event.ctrlKey || event.altKey) return;
    const at = Number(element.getAttribute('data-index'));
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    if (event.key === 'x') select(rows[at]!.original, false);
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(rows.length - 1, Math.max(0, at + step));
    virtualizer.scrollToIndex(next);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus({ preventScroll: true }));
  };

  const count = rows.filter((row) => selection[row.id]).length;
  return (
    <div
      role="table"
      aria-label={t('keywords.title')}
      aria-rowcount={rows.length + 1}
      className={styles.table}
      style={{ '--grid': gridOf(visible) } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" className={styles.head}>
        <div role="row" aria-rowindex={1} className={styles.headRow}>
          <span role="columnheader" className={styles.tick}>
            <Checkbox
              size="xs"
              aria-label={t('keywords.selectAll')}
              checked={count > 0 && count === rows.length}
              indeterminate={count > 0 && count < rows.length}
              onChange={() => onSelection(count === rows.length ? {} : Object.fromEntries(rows.map((row) => [row.id, true])))}
            />
          </span>
          <span role="columnheader" className={styles.star}>
            <span className="sr-only">{t('column.favorite')}</span>
          </span>
          {visible.map((id) => {
            const column = table.getColumn(id);
            const sorted = column?.getIsSorted() || false;
            return (
              <span
                key={id}
                role="columnheader"
                data-column={id}
                aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : undefined}
                className={styles.cell}
              >
                {column?.getCanSort() ? (
                  <button
                    type="button"
                    className={styles.sort}
                    data-sorted={sorted || undefined}
                    onClick={() => column.toggleSorting()}
                    title={t(`column.${id}.hint`)}
                  >
                    {t(`column.${id}`)}
                    {sorted === 'asc' ? (
                      <ArrowUp size={13} aria-hidden />
                    ) : sorted === 'desc' ? (
                      <ArrowDown size={13} aria-hidden />
                    ) : (
                      <ChevronsUpDown size={13} aria-hidden className={styles.unsorted} />
                    )}
                  </button>
                ) : (
                  t(`column.${id}`)
                )}
              </span>
            );
          })}
        </div>
      </div>
      <div role="rowgroup" ref={body} className={styles.body} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const row = rows[item.index]!;
          return (
            <KeywordRow
              key={row.id}
              keyword={row.original}
              index={item.index}
              visible={isNarrow ? columnIds : visible}
              selected={Boolean(selection[row.id])}
              style={{ height: item.size, transform: `translateY(${item.start - top}px)` }}
              onSelect={select}
              onFavorite={onFavorite}
            />
          );
        })}
      </div>
    </div>
  );
}
