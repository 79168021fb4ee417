import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api.ts';
import { showDone, showError } from '../../components/toasts.tsx';
import { useWriteGuard } from '../../queries/write-guard.ts';
import type { ResultItem } from '../../queries/results.ts';

/** Compares the app with one that stands in its results. */
export function FollowButton({ appId, item: { storeAppId, name } }: { appId: number; item: ResultItem }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteGuard();
  const add = useMutation({
    mutationFn: () => call('POST /apps/{id}/competitors', { params: { id: appId }, body: { storeAppId } }),
    onSuccess: ({ competitor }) => {
      showDone(t('competitors.added', { name: competitor.name }));
      void queryClient.invalidateQueries({ queryKey: ['keywords'] });
      void queryClient.invalidateQueries({ queryKey: ['apps', appId] });
    },
    onError: showError,
  });
  return (
    <Tooltip label={reason} disabled={canWrite}>
      <Button
        className="touch"
        size="compact-sm"
        variant="subtle"
        loading={add.isPending}
        aria-disabled={!canWrite}
        onClick={() => canWrite && add.mutate()}
      >
        {t('competitors.follow')}
        <span className="sr-only"> {name ?? storeAppId}</span>
      </Button>
    </Tooltip>
  );
}
