import { Button, Checkbox, Loader, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { FilePicker } from '#web/components/file-picker.tsx';
import { useOpenedFile } from '#web/components/use-opened-file.ts';
import { formatBytes, formatCount, formatInstant, formatShare } from '#web/format.ts';
import { appsQuery } from '#web/queries/apps.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from '../imports-exports-page.module.css';
import { importFile, ImportRefusal } from './import-file.ts';
import { ImportResult } from './import-result.tsx';
import { parseExportFile, type ExportFile } from './parse-export-file.ts';

function Refused({ refusal }: { refusal: ImportRefusal }) {
  const { t } = useTranslation();
  return (
    <div role="alert" className={styles.fault}>
      <p>{t('imports.refused')}</p>
      <ul lang="en">
        {(refusal.issues.length > 0 ? refusal.issues : [{ path: '', message: refusal.message }])
          .slice(0, 10)
          .map(({ path, message }) => (
            <li key={`${path} ${message}`}>{[path, message].filter(Boolean).join(': ')}</li>
          ))}
      </ul>
    </div>
  );
}

/** Shows the content of the file before it is sent. */
function Contents({ opened }: { opened: ExportFile }) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="import-contents" className={styles.preview}>
      <h3 id="import-contents">{t('imports.contents')}</h3>
      <p className="muted">
        {opened.exportedAt
          ? t('imports.made', {
              at: formatInstant(opened.exportedAt),
              size: formatBytes(opened.file.size),
            })
          : formatBytes(opened.file.size)}
      </p>
      <ul className={styles.tables}>
        {opened.tables.map(({ table, rows }) => (
          <li key={table}>
            <code>{table}</code>
            <span className="num">{formatCount(rows)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function WorkspaceImportCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const { data: apps } = useQuery(appsQuery);
  const { opened, isReading, pick } = useOpenedFile(parseExportFile);
  const [share, setShare] = useState(0);
  const [asPublicFacts, setAsPublicFacts] = useState(false);
  const mayPublish = useQuery(sessionQuery).data?.managesInstance === true;
  const send = useMutation({
    mutationFn: (file: File) => importFile(file, { asPublicFacts, onProgress: setShare }),
    onSuccess: () => queryClient.invalidateQueries(),
    onError: useErrorAfterLeaving(),
  });
  const file = typeof opened === 'object' ? opened : null;
  const isTaken = (apps?.items.length ?? 0) > 0;
  const why = reason ?? (isTaken ? t('imports.notEmpty') : undefined);
  return (
    <Card title={t('imports.title')} lead={t('imports.lead')}>
      <div className={styles.form}>
        <FilePicker
          label={t('imports.pick')}
          hint={why ?? t('imports.pickHint')}
          accept=".ndjson,application/x-ndjson"
          chosen={file?.file.name}
          // The parts of a second upload would replace those of the first.
          disabled={!canWrite || send.isPending}
          onPick={(picked) => {
            send.reset();
            pick(picked);
          }}
        />
        {isReading && (
          <p role="status" className="muted">
            <Loader size="xs" aria-hidden /> {t('importsExports.reading')}
          </p>
        )}
        {typeof opened === 'string' && (
          <p role="alert" className={styles.fault}>
            {t(`imports.${opened}`)}
          </p>
        )}
        {file && !send.data && (
          <>
            <Contents opened={file} />
            {send.error &&
              (send.error instanceof ImportRefusal ? (
                <Refused refusal={send.error} />
              ) : (
                <ErrorNotice error={send.error} />
              ))}
            {send.isPending && (
              <div role="status">
                <Progress
                  value={share * 100}
                  animated={share === 1}
                  aria-label={t('imports.sending')}
                />
                <p className="muted num">
                  {share === 1
                    ? t('imports.working')
                    : t('imports.sent', { share: formatShare(share) })}
                </p>
              </div>
            )}
            {mayPublish && !isTaken && (
              <Checkbox
                checked={asPublicFacts}
                disabled={send.isPending}
                onChange={(event) => setAsPublicFacts(event.currentTarget.checked)}
                label={t('imports.asPublicFacts')}
                description={t('imports.asPublicFactsHint')}
              />
            )}
            <div className={styles.buttons}>
              <Button
                disabled={isTaken}
                title={why}
                loading={send.isPending}
                onClick={() => send.mutate(file.file)}
              >
                {t('imports.start')}
              </Button>
            </div>
          </>
        )}
        {send.data && <ImportResult report={send.data} />}
      </div>
    </Card>
  );
}
