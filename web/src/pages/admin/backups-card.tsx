import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { formatBytes, formatCount, formatDecimal } from '#web/format.ts';
import { adminBackupsQuery, type AdminBackup, type AdminBackups } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';

const tones = {
  pending: 'busy',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  interrupted: 'warn',
} as const;

function Upload({ upload }: { upload: AdminBackup['upload'] }) {
  const { t } = useTranslation();
  if (upload === null) return null;
  const { state, url, error, deletedAt } = upload;
  return (
    <span className={styles.small}>
      {url && !deletedAt ? <code>{url}</code> : t(`admin.backupUpload.${state}`)}
      {deletedAt && ` ${t('admin.backupDeleted')}`}
      {error && `: ${error}`}
    </span>
  );
}

function Bucket({ bucket }: Pick<AdminBackups, 'bucket'>) {
  const { t } = useTranslation();
  if (bucket === null) return null;
  const { url, keep, lastAt, isOverdue } = bucket;
  return (
    <State tone={isOverdue ? 'bad' : lastAt ? 'good' : 'warn'}>
      {t(isOverdue ? 'admin.backupUploadOverdue' : 'admin.backupBucket', { url, count: keep })}{' '}
      {lastAt && <Ago instant={lastAt} />}
    </State>
  );
}

function Row({ item }: { item: AdminBackup }) {
  const { t } = useTranslation();
  const { state, isScheduled, startedAt, path, bytes, rows, seconds, error, deletedAt, upload } =
    item;
  return (
    <tr>
      <td>
        <Ago instant={startedAt} />
        <span className={styles.small}>
          {t(isScheduled ? 'admin.backupScheduled' : 'admin.backupByCommand')}
        </span>
      </td>
      <td>
        <State tone={tones[state]}>{t(`admin.backupState.${state}`)}</State>
        {error && <span className={styles.small}>{error}</span>}
      </td>
      <td>
        {path ? <code>{path}</code> : <span className="muted">–</span>}
        {deletedAt && <span className={styles.small}>{t('admin.backupDeleted')}</span>}
        <Upload upload={upload} />
      </td>
      <td className="end num">{bytes === null ? '–' : formatBytes(Number(bytes))}</td>
      <td className="end num">{rows === null ? '–' : formatCount(rows)}</td>
      <td className="end num">
        {seconds === null ? '–' : t('admin.backupSeconds', { seconds: formatDecimal(seconds) })}
      </td>
    </tr>
  );
}

function BackupsTable({ items }: Pick<AdminBackups, 'items'>) {
  const { t } = useTranslation();
  if (items.length === 0) return <p className="muted">{t('admin.backupsNone')}</p>;
  return (
    <div
      className="table-scroll"
      role="region"
      aria-label={t('table.region', { label: t('admin.backups') })}
      tabIndex={0}
    >
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('admin.backupStarted')}</th>
            <th scope="col">{t('admin.backupResult')}</th>
            <th scope="col">{t('admin.backupFile')}</th>
            <th scope="col" className="end">
              {t('admin.backupSize')}
            </th>
            <th scope="col" className="end">
              {t('admin.backupRows')}
            </th>
            <th scope="col" className="end">
              {t('admin.backupDuration')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={String(item.id)} item={item} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The backups of the instance: whether there is a good one, and how old it is. */
export function BackupsCard() {
  const { t } = useTranslation();
  const query = useQuery(adminBackupsQuery);
  return (
    <Card title={t('admin.backups')} lead={t('admin.backupsLead')}>
      <Loaded query={query} height={180}>
        {({ schedule, isOverdue, bucket, items }) => (
          <div className="stack">
            <State tone={isOverdue ? 'bad' : schedule ? 'good' : 'warn'}>
              {isOverdue
                ? t('admin.backupOverdue')
                : schedule
                  ? t('admin.backupDaily', { at: schedule.at, count: schedule.keep })
                  : t('admin.backupUnscheduled')}
            </State>
            <Bucket bucket={bucket} />
            <BackupsTable items={items} />
          </div>
        )}
      </Loaded>
    </Card>
  );
}
