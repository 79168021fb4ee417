import { Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { FilePicker } from '#web/components/file-picker.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { State } from '#web/components/state.tsx';
import { formatBytes, formatCount, formatInstant, formatShare } from '#web/format.ts';
import {
  isRunning,
  popularityImportsQuery,
  uploadPopularityFile,
  type PopularityImport,
} from '#web/queries/popularity-imports.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import { PopularityImportResult } from './popularity-import-result.tsx';
import { PopularitySyncCard } from './popularity-sync-card.tsx';
import styles from './settings-page.module.css';

/** Imports Apple's monthly file. Only those who manage the instance may, because all see it. */
export function PopularityCard() {
  const { t } = useTranslation();
  const session = useQuery(sessionQuery);
  const mayImport = session.data?.managesInstance === true;
  if (session.data && !mayImport)
    return (
      <Card title={t('popularityImport.title')} lead={t('popularityImport.lead')}>
        <p className="muted">{t('popularityImport.notAllowed')}</p>
      </Card>
    );
  return (
    <>
      {mayImport && <PopularitySyncCard />}
      <UploadCard />
      {mayImport && <ImportsCard />}
    </>
  );
}

function UploadCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const imports = useQuery(popularityImportsQuery);
  const [share, setShare] = useState(0);
  const send = useMutation({
    mutationFn: (file: File) => {
      setShare(0);
      return uploadPopularityFile(file, setShare);
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['popularity'] }),
    onError: useErrorAfterLeaving(),
  });
  const isBusy = send.isPending || imports.data?.items.some(isRunning) === true;
  const hint = isBusy ? t('popularityImport.busy') : t('popularityImport.pickHint');
  return (
    <Card title={t('popularityImport.title')} lead={t('popularityImport.lead')}>
      <div className={styles.form}>
        <FilePicker
          label={t('popularityImport.pick')}
          hint={reason ?? hint}
          accept=".xlsx,.csv,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          chosen={send.variables?.name}
          disabled={!canWrite || isBusy}
          onPick={(file) => send.mutate(file)}
        />
        {send.isPending && (
          <div role="status">
            <Progress
              value={share * 100}
              aria-label={t('popularityImport.sending', { share: formatShare(share) })}
            />
            <span className="muted">
              {t('popularityImport.sending', { share: formatShare(share) })}
            </span>
          </div>
        )}
        {send.error && <ErrorNotice error={send.error} />}
      </div>
    </Card>
  );
}

const tones = {
  queued: 'busy',
  running: 'busy',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'off',
  shed: 'off',
} as const;

function ImportsCard() {
  const { t } = useTranslation();
  const query = useQuery(popularityImportsQuery);
  return (
    <Card title={t('popularityImport.imports')}>
      <Loaded query={query} height={160}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="muted">{t('popularityImport.none')}</p>
          ) : (
            <>
              <ul className={styles.rows}>
                {items.map((item) => (
                  <ImportRow key={item.id} item={item} />
                ))}
              </ul>
              <PopularityImportResult importId={items[0]!.id} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function ImportRow({ item }: { item: PopularityImport }) {
  const { t } = useTranslation();
  const { fileName, bytes, createdAt, state, percent, rowsRead, rowsRefused, refusal } = item;
  return (
    <li>
      <span className={styles.grow}>
        <span className={styles.name}>
          <bdi>{fileName}</bdi>
        </span>
        <span className="muted">
          {formatInstant(createdAt)} · {formatBytes(bytes)}
        </span>
        {isRunning(item) && (
          <Progress
            value={percent}
            mt={6}
            aria-label={t('popularityImport.reading', { file: fileName })}
          />
        )}
      </span>
      <span>
        {t('popularityImport.rows', {
          read: formatCount(rowsRead),
          refused: formatCount(rowsRefused),
        })}
      </span>
      <State tone={refusal ? 'bad' : tones[state]}>
        {t(refusal ? 'popularityImport.refused' : `popularityImport.state.${state}`)}
      </State>
    </li>
  );
}
