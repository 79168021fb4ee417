import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showSuccess } from '#web/components/toasts.tsx';
import { formatCount } from '#web/format.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { workspaceQuery } from '#web/queries/workspace.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import styles from './settings-page.module.css';

export function WorkspaceCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const query = useQuery(workspaceQuery);
  const { data } = query;
  const { canWrite, reason } = useWriteAccess();
  const [name, setName] = useState('');
  useEffect(() => setName(data?.name ?? ''), [data?.name]);
  const rename = useMutation({
    mutationFn: () => call('PATCH /workspace', { body: { name: name.trim() } }),
    onSuccess() {
      showSuccess(t('workspace.renamed'));
      void queryClient.invalidateQueries({ queryKey: workspaceQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
  });
  const of = (used: number, limit: number | null) =>
    limit === null
      ? formatCount(used)
      : t('workspace.of', { used: formatCount(used), limit: formatCount(limit) });
  return (
    <Card
      title={t('nav.workspace')}
      lead={
        data &&
        t('workspace.usage', {
          apps: of(data.usage.apps, data.limits.apps),
          keywords: of(data.usage.keywordMarkets, data.limits.keywordMarkets),
        })
      }
    >
      <Loaded query={query} height={60}>
        {({ name: known }) =>
          session?.role === 'owner' && (
            <form
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault();
                rename.mutate();
              }}
            >
              <div className={styles.inline}>
                <TextInput
                  label={t('workspace.name')}
                  description={reason}
                  disabled={!canWrite}
                  required
                  maxLength={80}
                  value={name}
                  onChange={(event) => setName(event.currentTarget.value)}
                />
                <div>
                  <Button
                    type="submit"
                    variant="default"
                    disabled={!canWrite || !name.trim() || name.trim() === known}
                    loading={rename.isPending}
                  >
                    {t('workspace.rename')}
                  </Button>
                </div>
              </div>
              {rename.error && <ErrorNotice error={rename.error} />}
            </form>
          )
        }
      </Loaded>
    </Card>
  );
}
