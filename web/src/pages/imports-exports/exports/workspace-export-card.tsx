import { apiPath } from '#web/base-path.ts';
import { Badge, Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { Download, PackageOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { formatBytes, formatCount, formatInstant } from '#web/format.ts';
import { workspaceExportsQuery, type WorkspaceExport } from '#web/queries/exports.ts';
import styles from '../imports-exports-page.module.css';

function describeState({ state, reason }: WorkspaceExport, t: TFunction): string {
  return reason === null
    ? t(`importsExports.state.${state}`)
    : t('importsExports.failedBecause', { reason });
}

function ExportRow({ made }: { made: WorkspaceExport }) {
  const { t } = useTranslation();
  const isOpen = made.state === 'queued' || made.state === 'running';
  return (
    <li>
      <span className={styles.grow}>
        <span className={styles.name}>
          {made.rows !== null && made.bytes !== null
            ? t('importsExports.exported', {
                count: made.rows,
                rows: formatCount(made.rows),
                size: formatBytes(made.bytes),
              })
            : describeState(made, t)}
          {isOpen && (
            <Badge variant="light" size="sm" tt="none">
              {t('importsExports.underWay')}
            </Badge>
          )}
        </span>
        <span className="muted">
          {t('importsExports.requested')} <Ago instant={made.createdAt} />
          {made.expiresAt &&
            ` · ${t('importsExports.until', { at: formatInstant(made.expiresAt) })}`}
        </span>
        {made.sha256 && <code className={styles.hash}>SHA-256 {made.sha256}</code>}
      </span>
      {made.download && (
        <Button
          size="xs"
          variant="default"
          className="touch"
          leftSection={<Download size={14} aria-hidden />}
          renderRoot={(props) => <a href={`${apiPath}${made.download}`} download {...props} />}
        >
          {t('importsExports.download')}
        </Button>
      )}
    </li>
  );
}

/** Exports the workspace as one file, written by a job and available for a day. */
export function WorkspaceExportCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const query = useQuery(workspaceExportsQuery);
  const request = useMutation({
    mutationFn: () => call('POST /workspace/exports', { body: { format: 'ndjson' } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: workspaceExportsQuery.queryKey }),
    onError: showError,
  });
  return (
    <Card title={t('importsExports.everything')} lead={t('importsExports.everythingLead')}>
      <Loaded query={query} height={64}>
        {(items) => (
          <ul className={styles.rows} aria-live="polite">
            {items.map((made) => (
              <ExportRow key={`${made.state} ${made.id}`} made={made} />
            ))}
          </ul>
        )}
      </Loaded>
      <div className={styles.buttons}>
        <Button
          leftSection={<PackageOpen size={16} aria-hidden />}
          loading={request.isPending}
          onClick={() => request.mutate()}
        >
          {t('importsExports.exportAll')}
        </Button>
      </div>
    </Card>
  );
}
