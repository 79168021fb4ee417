import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Run } from '#web/api.ts';
import { DataTable, type DataColumn, type Unread } from '#web/components/data-table.tsx';
import { formatCount, formatDay, formatShare } from '#web/format.ts';
import { gapReasons, sumShed } from './load-kinds.ts';
import { hoursOf, RunGaps, RunState, RunTime } from './run-state.tsx';

/** Days as rows. Sorting and CSV are offered only where all days are loaded. */
export function RunsTable({
  runs,
  fileName,
  unread,
}: {
  runs: readonly Run[];
  fileName?: string;
  unread?: Unread | undefined;
}) {
  const { t } = useTranslation();
  const columns: DataColumn<Run>[] = [
    {
      id: 'day',
      head: t('history.day'),
      sortBy: (run) => run.date,
      cell: (run) => (
        <Link
          to="/runs"
          search={(before) => ({ ...before, tab: undefined, day: run.date }) as never}
        >
          {formatDay(run.date)}
        </Link>
      ),
    },
    {
      id: 'state',
      head: t('runs.state'),
      sortBy: (run) => t(`runState.${run.state}`),
      cell: (run) => <RunState state={run.state} />,
    },
    {
      id: 'coverage',
      head: t('runs.coverage'),
      isEnd: true,
      sortBy: (run) => run.coverage,
      cell: (run) => <strong>{run.coverage === null ? '–' : formatShare(run.coverage)}</strong>,
    },
    {
      id: 'checks',
      head: t('runs.checks'),
      isEnd: true,
      sortBy: (run) => run.done,
      cell: (run) =>
        t('runs.done', { done: formatCount(run.done), planned: formatCount(run.planned) }),
      csv: (run) => `${run.done}/${run.planned}`,
    },
    {
      id: 'time',
      head: t('runs.time'),
      sortBy: hoursOf,
      cell: (run) => <RunTime run={run} />,
      csv: (run) => run.startedAt,
    },
    {
      id: 'gaps',
      head: t('runs.gaps'),
      sortBy: (run) => gapReasons.reduce((sum, reason) => sum + run.gaps[reason], 0) + sumShed(run),
      cell: (run) => <RunGaps run={run} />,
    },
  ];
  return (
    <DataTable
      label={t('runs.title')}
      rows={runs}
      columns={columns}
      keyOf={(run) => run.date}
      initialSort="-day"
      unread={unread}
      {...(fileName && { fileName })}
    />
  );
}
