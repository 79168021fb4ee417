import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { Move } from '#web/components/move.tsx';
import { drawDescription, drawWords, WordLegend } from '#web/components/phrase-words.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatDay, formatDevice } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import type { ComparedKeyword } from '#web/queries/rankings.ts';
import { kindOf, positionOf } from './comparison.ts';
import tableStyles from './compare-table.module.css';
import styles from './distribution-page.module.css';

interface Props {
  rows: readonly ComparedKeyword[];
  a: string;
  b: string;
  appId: number;
  /** Explains why the table cannot be copied or downloaded yet. */
  wait: string | undefined;
}

/** On phones the market is below the phrase, so that both days are in view. */
export function CompareTable({ rows, a, b, appId, wait }: Props) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const columns: DataColumn<ComparedKeyword>[] = [
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: (row) => (
        <>
          <Link
            to="/keywords/$keywordId"
            params={{ keywordId: String(row.keywordId) }}
            className={styles.phrase}
          >
            <bdi>{drawWords(row.phrase, row.words, t)}</bdi>
          </Link>
          {drawDescription(row.words, t)}
          {isNarrow && (
            <div className={tableStyles.market}>
              <MarketChip of={row} />
            </div>
          )}
        </>
      ),
      sortBy: (row) => row.phrase,
    },
    {
      id: 'country',
      head: t('column.country'),
      cell: (row) => <MarketChip of={row} />,
      sortBy: (row) => row.country,
      isCsvOnly: isNarrow,
    },
    {
      id: 'device',
      head: t('column.device'),
      cell: (row) => formatDevice(row.device),
      sortBy: (row) => formatDevice(row.device),
      isCsvOnly: true,
    },
    {
      id: 'before',
      head: formatDay(a, true),
      cell: (row) => <PositionText cell={row.a} />,
      sortBy: (row) => row.a?.position ?? null,
      csv: (row) => (row.a ? formatShortPosition(row.a, t) : null),
      isEnd: true,
    },
    {
      id: 'after',
      head: formatDay(b, true),
      cell: (row) => <PositionText cell={row.b} />,
      sortBy: (row) => row.b?.position ?? null,
      csv: (row) => (row.b ? formatShortPosition(row.b, t) : null),
      isEnd: true,
    },
    {
      id: 'move',
      head: t('compare.change'),
      cell: (row) => (
        <Move change={{ kind: kindOf(row), positionsGained: row.delta, from: row.a }} />
      ),
      sortBy: positionOf,
      csv: (row) => row.delta ?? t(`compare.move.${kindOf(row)}`),
      isEnd: true,
    },
  ];
  return (
    <div className={tableStyles.table}>
      <DataTable
        label={t('compare.title')}
        rows={rows}
        columns={columns}
        keyOf={(row) => row.keywordId}
        initialSort="-move"
        sortName="sort"
        fileName={`compare-${appId}-${a}-${b}`}
        wait={wait}
      />
      {rows.length > 0 && <WordLegend store={store} />}
    </div>
  );
}
