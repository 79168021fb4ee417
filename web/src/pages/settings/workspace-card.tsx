import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callVersioned, type ResponseOf, type Versioned } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { showSuccess } from '#web/components/toasts/toasts.tsx';
import { saveVersioned } from '#web/conflict/save-versioned.ts';
import { formatCount } from '#web/format.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { workspaceQuery } from '#web/queries/workspace.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from './settings-page.module.css';

const toState = ({ name, etag }: Versioned<ResponseOf<'GET /workspace'>>) => ({
  fields: { name },
  etag,
});

export function WorkspaceCard() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const query = useQuery(workspaceQuery);
  const { data } = query;
  const { canWrite, reason } = useWriteAccess();
  // With the name that was there when the edit began: others may rename the workspace meanwhile.
  const [edit, setEdit] = useState<{ name: string; base: ReturnType<typeof toState> } | null>(null);
  const name = edit?.name ?? data?.name ?? '';
  const rename = useMutation({
    mutationFn: ({ name: typed, base }: NonNullable<typeof edit>) =>
      saveVersioned({
        base,
        mine: { name: typed.trim() },
        read: async () =>
          toState(await queryClient.fetchQuery({ ...workspaceQuery, staleTime: 0 })),
        write: (body, { ifMatch }) => callVersioned('PATCH /workspace', { body, ifMatch }),
        describe: (_name, theirs, mine) => ({
          label: t('workspace.name'),
          theirs: theirs.name,
          mine: mine.name,
        }),
      }),
    onSuccess(outcome, sent) {
      if (outcome.kind === 'cancelled') return;
      const base = outcome.kind === 'saved' ? toState(outcome.saved) : outcome.theirs;
      // A name that was changed during the save stays.
      setEdit((now) => (now === null || now === sent ? null : { ...now, base }));
      if (outcome.kind === 'saved') showSuccess(t('workspace.renamed'));
      void queryClient.invalidateQueries({ queryKey: workspaceQuery.queryKey });
      void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    onError: useErrorAfterLeaving(),
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
        {(known) =>
          session?.role === 'owner' && (
            <form
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault();
                if (edit) rename.mutate(edit);
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
                  onChange={({ currentTarget }) =>
                    setEdit({ name: currentTarget.value, base: edit?.base ?? toState(known) })
                  }
                />
                <div>
                  <Button
                    type="submit"
                    variant="default"
                    disabled={!canWrite || !name.trim() || name.trim() === known.name}
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
