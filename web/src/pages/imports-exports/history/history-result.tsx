import { Button, Progress, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { historyOutcomes } from '#contract/choices.ts';
import { call, type App } from '#web/api.ts';
import { apiPath } from '#web/base-path.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { followJob } from '#web/components/job-toast.ts';
import { formatCount } from '#web/format.ts';
import {
  historyRowsQuery,
  isInProgress,
  type HistoryImport,
  type HistoryRow,
} from '#web/queries/history-imports.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { sendKeywords } from '../csv/send-rows.ts';
import styles from '../imports-exports-page.module.css';
import { HistoryRows } from './history-rows.tsx';

interface Props {
  found: HistoryImport;
  app: App;
  /** The file would now be read in another way than in the check. */
  isOutdated: boolean;
  onChange: () => void;
}

/** The result of an import or of its check: numbers, reasons, and each row. */
export function HistoryResult({ found, app, isOutdated, onChange }: Props) {
  const { t } = useTranslation();
  const run = useMutation({
    mutationFn: () =>
      call('POST /history-imports/{importId}/runs', { params: { importId: found.id } }),
    onError: useErrorAfterLeaving(),
    onSettled: onChange,
  });
  const isDone = found.phase === 'imported';
  const phase = found.phase === 'importing' ? 'importing' : 'checking';
  if (isInProgress(found))
    return (
      <div role="status">
        <Progress value={found.percent} animated aria-label={t(`history.phase.${phase}`)} />
        <p className="muted num">
          {t(`history.phase.${phase}`)}{' '}
          {t('history.read', { count: found.rowsRead, shown: formatCount(found.rowsRead) })}
        </p>
      </div>
    );
  return (
    <section className={styles.preview} aria-labelledby="history-result">
      <h3 id="history-result" className={isDone ? styles.done : undefined}>
        {isDone && <CircleCheck size={17} aria-hidden />}
        {isDone ? t('csv.done') : t('history.result')}
      </h3>
      {found.phase === 'refused' && (
        <p role="alert" className={styles.fault} lang="en">
          {found.refusal?.message}
        </p>
      )}
      {found.jobState === 'failed' && <p role="alert">{t('importsExports.state.failed')}</p>}
      <div role="status">
        <ul className={styles.counts}>
          {historyOutcomes.map((outcome) => (
            <li key={outcome}>
              {t(`history.count.${isDone && outcome === 'written' ? 'imported' : outcome}`, {
                count: found.counts[outcome],
                shown: formatCount(found.counts[outcome]),
              })}
            </li>
          ))}
        </ul>
      </div>
      {found.reasons.length > 0 && (
        <ul className={styles.tables}>
          {found.reasons.map(({ reason, rows }) => (
            <li key={reason}>
              <span>{t(`history.reason.${reason}`)}</span>
              <span className="num">{formatCount(rows)}</span>
            </li>
          ))}
        </ul>
      )}
      {hasEmptyCells(found) && <p className="muted">{t('history.emptyCells')}</p>}
      {found.phase === 'checked' && (
        <>
          {found.missing.length > 0 && (
            <TrackMissing found={found} app={app} isOutdated={isOutdated} />
          )}
          <div className={styles.buttons}>
            <Button
              disabled={isOutdated || found.counts.written === 0}
              loading={run.isPending}
              onClick={() => run.mutate()}
            >
              {t('csv.import', {
                count: found.counts.written,
                shown: formatCount(found.counts.written),
              })}
            </Button>
            {isOutdated && <span role="status">{t('history.outdated')}</span>}
          </div>
          {run.error && <ErrorNotice error={run.error} isWrite />}
        </>
      )}
      {isDone && (
        <p>
          <Link to="/apps/$appId/keywords" params={{ appId: String(app.id) }}>
            {t('csv.toKeywords')}
          </Link>
        </p>
      )}
      <Rows found={found} />
    </section>
  );
}

/** Of a table with a column for each day or keyword, where the list leaves them out. */
const hasEmptyCells = ({ reading, reasons }: HistoryImport): boolean =>
  reading !== null &&
  reading.layout !== 'rows' &&
  reasons.some(({ reason }) => reason === 'no_position');

/** Tracks the phrases of refused rows; a new check then reads them. */
function TrackMissing({ found, app, isOutdated }: Omit<Props, 'onChange'>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const track = useMutation({
    mutationFn: () =>
      sendKeywords(
        app.id,
        found.missing.map(({ phrase, country, device }, index) => ({
          row: index + 1,
          phrase,
          country,
          device,
          date: '',
          position: '',
          depth: '',
          tags: '',
          fault: null,
        })),
        () => undefined,
      ),
    onSuccess({ jobIds }) {
      for (const jobId of jobIds) void followJob(jobId, t('csv.firstChecks'), queryClient);
    },
    onError: useErrorAfterLeaving(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['apps'] }),
  });
  return (
    <>
      <p>{t('history.missingKeywords')}</p>
      <div className={styles.buttons}>
        <Button
          variant="default"
          loading={track.isPending}
          disabled={isOutdated || track.isSuccess}
          onClick={() => track.mutate()}
        >
          {t('csv.follow', {
            count: found.missing.length,
            shown: formatCount(found.missing.length),
          })}
        </Button>
        {track.isSuccess && <span role="status">{t('history.checkAgain')}</span>}
      </div>
      {track.error && <ErrorNotice error={track.error} isWrite />}
    </>
  );
}

function Rows({ found }: { found: HistoryImport }) {
  const { t } = useTranslation();
  const isDone = found.phase === 'imported';
  const [shown, setShown] = useState<HistoryRow['outcome'] | 'all'>('all');
  const outcome = shown === 'all' ? undefined : shown;
  const pages = useInfiniteQuery(historyRowsQuery(found.id, found.finishedAt, outcome));
  const file = `${apiPath}/history-imports/${found.id}/rows/file`;
  const rows = pages.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <div className={styles.buttons}>
        <SegmentedControl
          className={styles.wideChoice}
          aria-label={t('csv.outcome')}
          value={shown}
          onChange={(value) => setShown(value)}
          data={(['all', ...historyOutcomes] as const).map((value) => ({
            value,
            label: t(`history.show.${!isDone && value === 'written' ? 'toImport' : value}`),
          }))}
        />
        <Button
          size="xs"
          variant="default"
          className="touch"
          leftSection={<Download size={14} aria-hidden />}
          renderRoot={(props) => (
            <a href={outcome ? `${file}?outcome=${outcome}` : file} download {...props} />
          )}
        >
          CSV
        </Button>
      </div>
      {pages.error && <ErrorNotice error={pages.error} />}
      <HistoryRows label={t('csv.report')} rows={rows} isDone={isDone} />
      {pages.hasNextPage && (
        <div className={styles.buttons}>
          <Button
            variant="default"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            {t('history.more')}
          </Button>
        </div>
      )}
    </>
  );
}
