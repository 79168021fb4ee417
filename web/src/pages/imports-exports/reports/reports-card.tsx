import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { lazyPart } from '#web/components/lazy-part.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { formatCountry, formatDevice, formatDay, zonedDayOf } from '#web/format.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { reportsQuery, type Report } from '#web/queries/reports.ts';
import { useCredentialAccess, useWriteAccess } from '#web/queries/write-guard.ts';
import styles from '../imports-exports-page.module.css';

const ReportDialog = lazyPart(async () => (await import('./report-dialog.tsx')).ReportDialog);

/** The links with which people without an account read reports. */
export function ReportsCard() {
  const { t } = useTranslation();
  const query = useQuery(reportsQuery);
  const { canWrite, reason } = useWriteAccess();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const create = (
    <Button
      leftSection={<Plus size={15} aria-hidden />}
      disabled={!canWrite}
      title={reason}
      onClick={() => {
        setOpened(true);
        setOpen(true);
      }}
    >
      {t('reports.create')}
    </Button>
  );
  return (
    <Card
      title={t('reports.title')}
      lead={t('reports.lead')}
      action={query.data && query.data.items.length > 0 && create}
    >
      <Loaded query={query} height={160}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={Link2} title={t('reports.none')} text={t('reports.noneText')}>
              {create}
            </EmptyState>
          ) : (
            <ul className={styles.rows}>
              {items.map((report) => (
                <ReportRow key={report.id} report={report} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {wasOpened && (
        <ReportDialog
          opened={isOpen}
          onClose={() => setOpen(false)}
          onFail={() => setOpened(false)}
        />
      )}
    </Card>
  );
}

function ReportRow({ report }: { report: Report }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: apps } = useQuery(appsQuery);
  const { canWrite, reason } = useCredentialAccess();
  const app = apps?.items.find(({ id }) => id === report.appId);
  const remove = useMutation({
    mutationFn: () => deleteIfThere(call('DELETE /reports/{id}', { params: { id: report.id } })),
    onSuccess: () => showSuccess(t('reports.deleted', { name: report.name })),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: reportsQuery.queryKey }),
  });
  const scope = [
    app && (app.displayName ?? app.name),
    report.country === null ? t('report.allCountries') : formatCountry(report.country),
    report.device !== null && formatDevice(report.device),
    t('reports.days', { count: report.days }),
    report.hasPassword && t('reports.hasPassword'),
  ].filter(Boolean);
  return (
    <li>
      <span className={styles.grow}>
        <span className={styles.name}>
          <bdi>{report.name}</bdi>
        </span>
        <span className="muted">{scope.join(' · ')}</span>
        <span className="muted">
          {report.lastOpenedAt === null ? (
            t('reports.neverOpened')
          ) : (
            <>
              {t('reports.opened')} <Ago instant={report.lastOpenedAt} />
            </>
          )}
          {' · '}
          {report.expiresAt === null
            ? t('reports.neverEnds')
            : t('reports.ends', { day: formatDay(zonedDayOf(report.expiresAt), true) })}
        </span>
      </span>
      <Button
        size="xs"
        variant="default"
        className="touch"
        disabled={!canWrite}
        title={reason}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('reports.delete')}
        <span className="sr-only"> {report.name}</span>
      </Button>
    </li>
  );
}
