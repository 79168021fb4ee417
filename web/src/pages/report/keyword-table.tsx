import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { MarketChip } from '#web/components/market-chip.tsx';
import { Move } from '#web/components/move.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatDay, formatDevice } from '#web/format.ts';
import type { ReportComparison, ReportKeyword } from '#web/queries/reports.ts';
import styles from '../distribution/compare-table.module.css';
import { kindOf, positionOf } from '../distribution/comparison.ts';

const asCompared = ({ from, to, change, isComparable }: ReportKeyword) => ({
  a: from,
  b: to,
  delta: change,
  isComparable,
});

/** The keywords with their positions on both days, which are in view on phones, too. */
export function KeywordTable({ comparison }: { comparison: ReportComparison }) {
  const { t } = useTranslation();
  const { from, to, keywords } = comparison;
  const isNarrow =
    useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false }) ?? false;
  const columns: DataColumn<ReportKeyword>[] = [
    {
      id: 'phrase',
      head: t('column.phrase'),
      cell: (row) => (
        <>
          <bdi>{row.phrase}</bdi>
          {isNarrow && (
            <div className={styles.market}>
              <MarketChip of={row} />
            </div>
          )}
        </>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'country',
      head: t('column.country'),
      cell: (row) => <MarketChip of={row} />,
      sortBy: ({ country }) => country,
      isCsvOnly: isNarrow,
    },
    {
      id: 'device',
      head: t('column.device'),
      cell: ({ device }) => formatDevice(device),
      sortBy: ({ device }) => formatDevice(device),
      isCsvOnly: true,
    },
    {
      id: 'before',
      head: formatDay(from),
      cell: (row) => <PositionText cell={row.from} />,
      sortBy: (row) => row.from?.position ?? null,
      csv: (row) => (row.from ? formatShortPosition(row.from, t) : null),
      isEnd: true,
    },
    {
      id: 'position',
      head: formatDay(to),
      cell: (row) => <PositionText cell={row.to} />,
      sortBy: (row) => row.to?.position ?? null,
      csv: (row) => (row.to ? formatShortPosition(row.to, t) : null),
      isEnd: true,
    },
    {
      id: 'change',
      head: t('compare.change'),
      cell: (row) => (
        <Move
          change={{ kind: kindOf(asCompared(row)), positionsGained: row.change, from: row.from }}
        />
      ),
      sortBy: (row) => positionOf(asCompared(row)),
      csv: (row) => row.change ?? t(`compare.move.${kindOf(asCompared(row))}`),
      isEnd: true,
    },
  ];
  return (
    <div className={styles.table}>
      <DataTable
        label={t('report.keywords')}
        rows={keywords}
        columns={columns}
        keyOf={({ phrase, country, device }) => `${country} ${device} ${phrase}`}
        initialSort="position"
        fileName={`keywords-${from}-${to}`}
      />
    </div>
  );
}
