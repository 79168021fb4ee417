import { Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { FilePicker } from '#web/components/file-picker.tsx';
import { formatBytes, formatShare } from '#web/format.ts';
import { uploadHistory } from '#web/queries/history-imports.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { HistoryPlan } from './history-plan.tsx';

const maxBytes = 1_500_000_000;

/** The steps of an import: upload, preview with its reading, check, import. */
export function HistoryImport({ app }: { app: App }) {
  const { t } = useTranslation();
  const { canWrite, reason } = useWriteAccess();
  const [share, setShare] = useState(0);
  const [isTooLarge, setTooLarge] = useState(false);
  const upload = useMutation({
    mutationFn: (file: File) => uploadHistory(app.id, file, setShare),
    onError: useErrorAfterLeaving(),
  });
  const pick = (file: File) => {
    setShare(0);
    setTooLarge(file.size > maxBytes);
    if (file.size <= maxBytes) upload.mutate(file);
  };
  return (
    <>
      <FilePicker
        label={t('history.pick')}
        hint={reason ?? t('history.pickHint', { size: formatBytes(maxBytes) })}
        accept=".csv,.tsv,.txt,.ndjson,.json,text/csv,text/plain,application/x-ndjson"
        chosen={upload.variables?.name}
        disabled={!canWrite || upload.isPending}
        onPick={pick}
      />
      {isTooLarge && <p role="alert">{t('csv.tooLarge', { size: formatBytes(maxBytes) })}</p>}
      {upload.isPending && (
        <div role="status">
          <Progress value={share * 100} aria-label={t('imports.sending')} />
          <p className="muted num">{t('imports.sent', { share: formatShare(share) })}</p>
        </div>
      )}
      {upload.error && <ErrorNotice error={upload.error} isWrite />}
      {upload.data && <HistoryPlan key={upload.data.importId} upload={upload.data} app={app} />}
    </>
  );
}
