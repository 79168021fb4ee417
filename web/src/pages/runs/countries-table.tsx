import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { CountryChip } from '#web/components/country-chip.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { formatCount, formatCountry, formatShare } from '#web/format.ts';
import { gapReasons } from './load-kinds.ts';
import type { RunDetail } from './day-card.tsx';

type Row = RunDetail['countries'][number];

const shareOf = ({ planned, done }: Row): number | null => (planned === 0 ? null : done / planned);

/** The checks of a day by store and country, lowest coverage first. */
export function CountriesTable({ run }: { run: RunDetail }) {
  const { t } = useTranslation();
  const reasons = gapReasons.filter((reason) => run.gaps[reason] > 0);
  const columns: DataColumn<Row>[] = [
    {
      id: 'country',
      head: t('actions.fact.country'),
      sortBy: (row) => formatCountry(row.country),
      cell: (row) => <CountryChip code={row.country} named />,
    },
    {
      id: 'store',
      head: t('facts.store'),
      sortBy: (row) => profileOf(row.store).name,
      cell: (row) => profileOf(row.store).name,
    },
    {
      id: 'coverage',
      head: t('runs.coverage'),
      isEnd: true,
      sortBy: shareOf,
      cell: (row) => {
        const share = shareOf(row);
        return <strong>{share === null ? '–' : formatShare(share)}</strong>;
      },
    },
    {
      id: 'checks',
      head: t('runs.checks'),
      isEnd: true,
      sortBy: (row) => row.done,
      cell: (row) =>
        t('runs.done', { done: formatCount(row.done), planned: formatCount(row.planned) }),
      csv: (row) => `${row.done}/${row.planned}`,
    },
    ...reasons.map((reason): DataColumn<Row> => ({
      id: reason,
      head: t(`runs.${reason}`),
      isEnd: true,
      sortBy: (row) => row.gaps[reason],
      cell: (row) => formatCount(row.gaps[reason]),
    })),
  ];
  return (
    <DataTable
      label={t('runs.byCountry')}
      rows={run.countries}
      columns={columns}
      keyOf={(row) => `${row.store} ${row.country}`}
      initialSort="coverage"
      sortName="by"
      fileName={`run-${run.date}`}
    />
  );
}
