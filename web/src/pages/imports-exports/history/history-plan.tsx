import { Button } from '@mantine/core';
import { hashKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type App } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import {
  historyImportQuery,
  historyPresetsQuery,
  historyPreviewQuery,
  isInProgress,
  type HistoryPreview,
  type Reading,
  type Upload,
} from '#web/queries/history-imports.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from '../imports-exports-page.module.css';
import { HistoryResult } from './history-result.tsx';
import { HistoryRows } from './history-rows.tsx';
import { ReadingForm } from './reading-form.tsx';
import { useNamedFields } from './use-named-fields.ts';

function Recognized({ preview }: { preview: HistoryPreview }) {
  const { t } = useTranslation();
  const { data: presets } = useQuery(historyPresetsQuery);
  const preset = presets?.items.find(({ id }) => id === preview.preset);
  if (!preview.preset) return <p className="muted">{t('history.notRecognized')}</p>;
  const words = preset?.notFound.map((word) => (word === '' ? t('history.emptyCell') : word)) ?? [];
  return (
    <div className={styles.preview}>
      <h3>{t('history.recognized', { tool: preset?.tool ?? preview.preset })}</h3>
      <p>
        {words.length > 0
          ? t('history.presetNotFound', { words: words.join(', ') })
          : t('history.presetBeyond')}{' '}
        {preset?.depth === 'unknown' ? t('history.depthUnknown') : t('history.depthInFile')}
      </p>
      {preset?.note && <p>{t(`history.note.${preset.id}`, { defaultValue: preset.note })}</p>}
    </div>
  );
}

/** The order of members differs: PostgreSQL sorts those that it stores. */
const isSameReading = (a: Reading, b: Reading | null) => hashKey([a]) === hashKey([b]);

/** A file that was uploaded: how it is read, what an import would do, and the import. */
export function HistoryPlan({ upload, app }: { upload: Upload; app: App }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { importId, parts } = upload;
  const [changed, setChanged] = useState<Reading>();
  const preview = useQuery(historyPreviewQuery(importId, changed));
  // The last one stays while another reading loads or is refused, and so does its form.
  const [shown, setShown] = useState(preview.data);
  if (preview.data && preview.data !== shown) setShown(preview.data);
  const previewError = useNamedFields(preview.error);
  const fault = previewError !== null && (
    <ErrorNotice error={previewError} onRetry={() => void preview.refetch()} />
  );
  const { data: found } = useQuery(historyImportQuery(importId));
  // Without the preview: the file is gone when it was imported.
  const refresh = () =>
    queryClient.invalidateQueries({ queryKey: historyImportQuery(importId).queryKey, exact: true });
  const check = useMutation({
    mutationFn: (reading: Reading) =>
      call('POST /history-imports/{importId}/checks', {
        params: { importId },
        body: { parts, reading },
      }),
    onError: useErrorAfterLeaving(),
    onSettled: refresh,
  });
  const checkError = useNamedFields(check.error);
  if (!shown) return fault;
  const reading = changed ?? shown.reading;
  const isBusy = check.isPending || (found !== undefined && isInProgress(found));
  const isDone = found?.phase === 'imported';
  return (
    <>
      <Recognized preview={shown} />
      {!isDone && (
        <>
          <ReadingForm
            app={app}
            preview={shown}
            reading={reading}
            onChange={(next) => setChanged(next)}
          />
          {fault}
          <div className={styles.preview}>
            <h3>{t('csv.preview')}</h3>
            {shown.missing.length > 0 && (
              <p role="status" className={styles.fault}>
                {t('history.missing', {
                  facts: shown.missing.map((fact) => t(`history.fact.${fact}`)).join(', '),
                })}
              </p>
            )}
            <HistoryRows label={t('csv.preview')} rows={shown.rows.slice(0, 10)} />
          </div>
          <div className={styles.buttons}>
            <Button
              variant={found?.phase === 'checked' ? 'default' : 'filled'}
              disabled={shown.missing.length > 0 || !preview.isSuccess || isBusy}
              loading={isBusy && found?.phase !== 'importing'}
              onClick={() => check.mutate(reading)}
            >
              {t('history.check')}
            </Button>
            <span className="muted">{t('history.checkHint')}</span>
          </div>
          {checkError !== null && <ErrorNotice error={checkError} isWrite />}
        </>
      )}
      {found && found.phase !== 'uploading' && (
        <HistoryResult
          found={found}
          app={app}
          isOutdated={!isSameReading(reading, found.reading)}
          onChange={() => void refresh()}
        />
      )}
    </>
  );
}
