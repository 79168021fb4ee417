import { Loader, SegmentedControl, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { FilePicker } from '#web/components/file-picker.tsx';
import { useOpenedFile } from '#web/components/use-opened-file.ts';
import { formatBytes } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchChoice } from '#web/search-value.ts';
import styles from './imports-exports-page.module.css';
import { CsvPlan } from './csv/csv-plan.tsx';
import { HistoryImport } from './history/history-import.tsx';
import { csvKinds } from './csv/mapping.ts';
import { maxCsvBytes, openCsv } from './csv/open-csv.ts';

export function CsvImportCard() {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const current = useCurrentApp();
  const { data: apps } = useQuery(appsQuery);
  const [kind, setKind] = useSearchChoice('csv', csvKinds);
  const [chosenApp, setChosenApp] = useState<string | null>(null);
  const { opened, isReading, pick } = useOpenedFile(openCsv);
  const app: App | undefined = apps?.items.find(({ id }) => String(id) === chosenApp) ?? current;
  const file = typeof opened === 'object' ? opened : null;
  return (
    <Card title={t('csv.title')} lead={t('csv.lead')}>
      <div className={styles.form}>
        <SegmentedControl
          className={styles.wideChoice}
          aria-label={t('csv.kind')}
          value={kind}
          onChange={(value) => setKind(value)}
          data={csvKinds.map((value) => ({ value, label: t(`csv.kind.${value}`) }))}
        />
        <p className="muted">{t(`csv.kind.${kind}.hint`)}</p>
        <Select
          className={styles.narrow}
          label={t('importsExports.app')}
          data={(apps?.items ?? []).map((item) => ({
            value: String(item.id),
            label: `${item.displayName ?? item.name} · ${profileOf(item.store).name}`,
          }))}
          value={app ? String(app.id) : null}
          onChange={setChosenApp}
          allowDeselect={false}
        />
        {kind === 'history' && app && <HistoryImport key={app.id} app={app} />}
        {kind === 'keywords' && (
          <FilePicker
            label={t('csv.pick')}
            hint={reason ?? t('csv.pickHint', { size: formatBytes(maxCsvBytes) })}
            accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
            chosen={file?.name}
            disabled={!canWrite || !app}
            onPick={pick}
          />
        )}
        {kind === 'keywords' && isReading && (
          <p role="status" className="muted">
            <Loader size="xs" aria-hidden /> {t('importsExports.reading')}
          </p>
        )}
        {kind === 'keywords' && typeof opened === 'string' && (
          <p role="alert" className={styles.fault}>
            {t(`csv.${opened}`, { size: formatBytes(maxCsvBytes) })}
          </p>
        )}
        {kind === 'keywords' && file && app && (
          <CsvPlan
            key={`${file.name} ${file.version} ${kind} ${app.id}`}
            table={file.table}
            kind={kind}
            app={app}
          />
        )}
      </div>
    </Card>
  );
}
