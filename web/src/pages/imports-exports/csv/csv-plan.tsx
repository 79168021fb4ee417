import { Button, Checkbox, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '#web/api.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { followJob } from '#web/components/job-toast.ts';
import { formatCount } from '#web/format.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from '../imports-exports-page.module.css';
import { CsvPreview } from './csv-preview.tsx';
import { CsvReport } from './csv-report.tsx';
import { guessMapping, requiredFields, type CsvKind } from './mapping.ts';
import { MappingForm } from './mapping-form.tsx';
import { keyOf, planRows, type PlannedRow } from './plan-rows.ts';
import type { CsvTable } from './parse-csv.ts';
import { readFollowed, sendHistory, sendKeywords } from './send-rows.ts';

interface Props {
  table: CsvTable;
  kind: CsvKind;
  app: App;
}

const oncePerKeyword = (rows: readonly PlannedRow[]): PlannedRow[] => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
];

/** The steps of an import: mapping, preview, sending and report. */
export function CsvPlan({ table, kind, app }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [mapping, setMapping] = useState(() => guessMapping(table, app));
  const [withMissing, setWithMissing] = useState(true);
  const [progress, setProgress] = useState<[done: number, total: number]>([0, 1]);
  const isMapped = requiredFields[kind].every((field) => mapping.columns[field] !== null);
  const today = new Date().toISOString().slice(0, 10);
  const rows = useMemo(
    () => (isMapped ? planRows(table, mapping, kind, { store: app.store, today }) : []),
    [isMapped, table, mapping, kind, app.store, today],
  );
  const good = rows.filter((row) => row.fault === null);
  const { data: followed } = useQuery({
    queryKey: ['apps', app.id, 'followed'],
    queryFn: ({ signal }) => readFollowed(app.id, signal),
    enabled: kind === 'history',
  });
  const isFollowed = (row: PlannedRow) => followed?.has(keyOf(row)) ?? true;
  const missing = kind === 'history' ? oncePerKeyword(good.filter((row) => !isFollowed(row))) : [];
  const sendable = kind === 'keywords' || withMissing ? good : good.filter(isFollowed);
  const send = useMutation({
    mutationFn: async () => {
      const showProgress = (done: number, total: number) => setProgress([done, total]);
      showProgress(0, 1);
      const toFollow = kind === 'keywords' ? good : withMissing ? missing : [];
      const keywords =
        toFollow.length > 0 ? await sendKeywords(app.id, toFollow, showProgress) : null;
      const sent =
        kind === 'history'
          ? await sendHistory(app.id, sendable, showProgress)
          : (keywords?.sent ?? []);
      return { sent, budgetDelta: keywords?.budgetDelta, jobIds: keywords?.jobIds ?? [] };
    },
    onSuccess({ jobIds }) {
      for (const jobId of jobIds) void followJob(jobId, t('csv.firstChecks'), queryClient);
    },
    onError: useErrorAfterLeaving(),
    // Rows sent before an error stay imported.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['apps'] }),
  });
  if (send.data)
    return (
      <CsvReport
        {...send.data}
        kind={kind}
        omitted={rows.length - send.data.sent.length}
        app={app}
      />
    );
  return (
    <>
      <MappingForm
        store={app.store}
        table={table}
        kind={kind}
        mapping={mapping}
        onChange={setMapping}
      />
      {!isMapped && <p className="muted">{t('csv.mapFirst')}</p>}
      {isMapped && <CsvPreview rows={rows} kind={kind} />}
      {missing.length > 0 && (
        <Checkbox
          checked={withMissing}
          onChange={(event) => setWithMissing(event.currentTarget.checked)}
          label={t('csv.follow', { count: missing.length, shown: formatCount(missing.length) })}
          description={t('csv.followHint')}
        />
      )}
      {send.error && <ErrorNotice error={send.error} onRetry={() => send.mutate()} isWrite />}
      {send.isPending && (
        <div role="status">
          <Progress value={(100 * progress[0]) / progress[1]} aria-label={t('csv.sending')} />
          <p className="muted num">
            {t('csv.sent', { done: formatCount(progress[0]), total: formatCount(progress[1]) })}
          </p>
        </div>
      )}
      <div className={styles.buttons}>
        <Button
          disabled={!isMapped || sendable.length === 0}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          {t('csv.import', { count: sendable.length, shown: formatCount(sendable.length) })}
        </Button>
      </div>
    </>
  );
}
