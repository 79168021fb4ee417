import { Progress, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Job } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { jobKinds, jobStates } from '#contract/choices.ts';
import { LoadedPages } from '#web/components/loaded-pages.tsx';
import { State, type Tone } from '#web/components/state.tsx';
import { formatJobError } from '#web/components/format-job-error.ts';
import { formatCount, formatHours } from '#web/format.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { jobPagesQuery } from '#web/queries/jobs.ts';
import { useSearchValue } from '#web/search-value.ts';
import { JobRowButtons } from './job-row-buttons.tsx';
import styles from './runs.module.css';

const tones: Record<Job['state'], Tone> = {
  queued: 'idle',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'off',
  shed: 'warn',
};

const secondsOf = ({ startedAt, finishedAt }: Job): number | null =>
  startedAt && finishedAt
    ? Math.ceil((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000)
    : null;

function JobProgress({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { done, total } = job.progress;
  if (total === 0) return <span className="muted">–</span>;
  const progress = t('job.progress', { done: formatCount(done), total: formatCount(total) });
  return (
    <span className={styles.progress}>
      <Progress value={(done / total) * 100} size="sm" aria-label={progress} />
      <span className="num muted">{progress}</span>
    </span>
  );
}

function useColumns(): DataColumn<Job>[] {
  const { t } = useTranslation();
  const { data } = useQuery(appsQuery);
  const appOf = (job: Job) => data?.items.find(({ id }) => id === job.appId);
  const nameOf = (job: Job) => {
    const app = appOf(job);
    return app ? `${app.displayName ?? app.name} · ${profileOf(app.store).name}` : null;
  };
  return [
    {
      id: 'kind',
      head: t('jobs.kind'),
      sortBy: (job) => t(`jobs.kind.${job.kind}`),
      cell: (job) => <span className={styles.words}>{t(`jobs.kind.${job.kind}`)}</span>,
    },
    {
      id: 'state',
      head: t('jobs.state'),
      sortBy: (job) => t(`jobs.state.${job.state}`),
      cell: (job) => {
        const error = formatJobError(job);
        return (
          <>
            <State tone={tones[job.state]}>{t(`jobs.state.${job.state}`)}</State>
            {error && <span className={`${styles.words} muted`}>{error}</span>}
          </>
        );
      },
    },
    {
      id: 'app',
      head: t('jobs.app'),
      sortBy: nameOf,
      cell: (job) => {
        const app = appOf(job);
        if (!app) return <span className="muted">{t('jobs.workspace')}</span>;
        return (
          <span className={styles.app}>
            <bdi className={styles.appName} title={app.displayName ?? app.name}>
              {app.displayName ?? app.name}
            </bdi>{' '}
            <span className="muted">{profileOf(app.store).name}</span>
          </span>
        );
      },
    },
    {
      id: 'progress',
      head: t('jobs.progress'),
      cell: (job) => <JobProgress job={job} />,
      csv: (job) => `${job.progress.done}/${job.progress.total}`,
    },
    {
      id: 'queued',
      head: t('jobs.queued'),
      sortBy: (job) => job.queuedAt,
      cell: (job) => <Ago instant={job.queuedAt} />,
    },
    {
      id: 'took',
      head: t('jobs.took'),
      sortBy: secondsOf,
      cell: (job) => {
        const seconds = secondsOf(job);
        if (seconds === null) return <span className="muted">–</span>;
        return seconds < 60 ? t('jobs.seconds', { count: seconds }) : formatHours(seconds / 3_600);
      },
    },
    {
      id: 'error',
      head: t('jobs.error'),
      cell: () => null,
      csv: formatJobError,
      // Below the state.
      isCsvOnly: true,
    },
    { id: 'do', head: t('jobs.do'), cell: (job) => <JobRowButtons job={job} /> },
  ];
}

export function JobsTab() {
  const { t } = useTranslation();
  const [askedKind, setKind] = useSearchValue('kind');
  const [askedState, setState] = useSearchValue('state');
  const kind = jobKinds.find((name) => name === askedKind);
  const state = jobStates.find((name) => name === askedState);
  const query = useInfiniteQuery(jobPagesQuery({ kind, state }));
  const columns = useColumns();
  const isFiltered = Boolean(kind || state);
  const filters = (
    <div className={styles.filters} role="search" aria-label={t('jobs.filters')}>
      <Select
        aria-label={t('jobs.kind')}
        value={kind ?? ''}
        data={[
          { value: '', label: t('jobs.anyKind') },
          ...jobKinds.map((value) => ({ value, label: t(`jobs.kind.${value}`) })),
        ]}
        onChange={setKind}
        allowDeselect={false}
      />
      <Select
        aria-label={t('jobs.state')}
        value={state ?? ''}
        data={[
          { value: '', label: t('jobs.anyState') },
          ...jobStates.map((value) => ({ value, label: t(`jobs.state.${value}`) })),
        ]}
        onChange={setState}
        allowDeselect={false}
      />
    </div>
  );
  return (
    <Card title={t('jobs.title')} lead={t('jobs.lead')} action={filters}>
      <LoadedPages
        query={query}
        height={420}
        more="wide"
        empty={
          <EmptyState
            icon={ListChecks}
            title={isFiltered ? t('jobs.noneTitle') : t('jobs.emptyTitle')}
            text={isFiltered ? t('jobs.noneText') : t('jobs.emptyText')}
          />
        }
      >
        {(jobs, unread) => (
          <DataTable
            label={t('jobs.title')}
            rows={jobs}
            columns={columns}
            keyOf={(job) => job.id}
            fileName="jobs"
            unread={unread}
          />
        )}
      </LoadedPages>
    </Card>
  );
}
