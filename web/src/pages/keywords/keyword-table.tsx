import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { useTable, type RowSelectionState, type SortingState } from '@tanstack/react-table';
import { useMemo, useRef, type CSSProperties, type Dispatch, type SetStateAction } from 'react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { CsvButtons } from '#web/components/csv-buttons.tsx';
import { WordLegend } from '#web/components/phrase-words.tsx';
import { useStable } from '#web/components/use-stable.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { KeywordBody } from './keyword-body.tsx';
import {
  columnIds,
  columns,
  features,
  gridOf,
  minWidthRem,
  optionalColumns,
  phoneColumns,
  type ColumnId,
} from './keyword-columns.tsx';
import { nameKeywordsFile, writeKeywordsCsv } from './keyword-csv.ts';
import { KeywordHead } from './keyword-head.tsx';
import styles from './keyword-table.module.css';

interface Props {
  keywords: Keyword[];
  /** Set while more rows are loading, because a partial list would look complete. */
  isLoading: boolean;
  /** Columns besides phrase and position. */
  columns: readonly ColumnId[];
  sorting: SortingState;
  onSorting: (sorting: SortingState) => void;
  selection: RowSelectionState;
  onSelection: Dispatch<SetStateAction<RowSelectionState>>;
  onFavorite: (keyword: Keyword) => void;
}

export function KeywordTable({
  keywords,
  isLoading,
  columns: chosen,
  sorting,
  onSorting,
  selection,
  onSelection,
  onFavorite,
}: Props) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const store = app?.store;
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const visible = useMemo(
    () =>
      isNarrow
        ? phoneColumns
        : columnIds.filter(
            (id) => !optionalColumns.some((optional) => optional === id) || chosen.includes(id),
          ),
    [chosen, isNarrow],
  );
  const { ref: frame, width } = useElementSize();
  const minRem = minWidthRem(visible);
  const isTight = !isNarrow && width > 0 && width < minRem * 16;
  const table = useTable({
    features,
    columns,
    data: keywords,
    state: { sorting, rowSelection: selection },
    getRowId: (keyword) => String(keyword.id),
    enableSortingRemoval: false,
    onSortingChange: (update) => onSorting(typeof update === 'function' ? update(sorting) : update),
    onRowSelectionChange: onSelection,
  });
  const { rows } = table.getRowModel();
  const ordered = useMemo(() => rows.map((row) => row.original), [rows]);

  // The id of the row that was clicked last: an order, a filter or a poll moves rows.
  const anchor = useRef<string | null>(null);
  const tick = useStable((at: number, withRange: boolean) => {
    const anchorAt = withRange ? rows.findIndex(({ id }) => id === anchor.current) : -1;
    const start = anchorAt === -1 ? at : anchorAt;
    anchor.current = rows[at]!.id;
    // The second of two quick clicks may come before the first is rendered.
    onSelection((before) => {
      const isOn = !before[rows[at]!.id];
      const next = { ...before };
      for (const row of rows.slice(Math.min(start, at), Math.max(start, at) + 1)) {
        if (isOn) next[row.id] = true;
        else delete next[row.id];
      }
      return next;
    });
  });

  return (
    <>
      <div className={styles.tools}>
        <WordLegend store={store} />
        <CsvButtons
          label={t('keywords.title')}
          fileName={nameKeywordsFile(app)}
          csv={() => writeKeywordsCsv(ordered, chosen, t, app?.store)}
          wait={isLoading ? t('keywords.csvPending') : undefined}
        />
      </div>
      <div
        role="table"
        aria-label={t('keywords.title')}
        aria-rowcount={rows.length + 1}
        ref={frame}
        className={styles.table}
        data-tight={isTight || undefined}
        tabIndex={isTight ? 0 : undefined}
        style={{ '--grid': gridOf(visible), '--least': `${minRem}rem` } as CSSProperties}
      >
        <KeywordHead
          table={table}
          visible={visible}
          ticked={rows.filter((row) => selection[row.id]).length}
          total={rows.length}
          onTickAll={(isOn) =>
            onSelection(isOn ? Object.fromEntries(rows.map((row) => [row.id, true])) : {})
          }
        />
        <KeywordBody
          keywords={ordered}
          visible={visible}
          isTicked={(keyword) => Boolean(selection[String(keyword.id)])}
          onTick={tick}
          onFavorite={useStable(onFavorite)}
        />
      </div>
    </>
  );
}
