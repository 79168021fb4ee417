import { Button, Tooltip } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CostLine } from '#web/components/cost-line.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { followJob } from '#web/components/job-toast.ts';
import { refreshFreeReads } from '#web/queries/free-reads.ts';
import { setSuggestionsTracked } from '#web/queries/suggestions.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import type { Market } from '#web/scope.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from './suggestions-page.module.css';

interface Props {
  appId: number;
  market: Market;
  phrases: string[];
  onAdded: (phrases: readonly string[]) => void;
  children: ReactNode;
}

/** Shows the cost of tracking the selected phrases. */
export function AddBar({ appId, market, phrases, onAdded, children }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const bodyOf = (chosen: readonly string[]) => ({
    keywords: chosen.map((phrase) => ({ phrase, ...market })),
  });
  const preview = useQuery({
    queryKey: ['apps', appId, 'preview', market, phrases],
    queryFn: ({ signal }) =>
      call(
        'POST /apps/{id}/keywords/preview',
        { params: { id: appId }, body: bodyOf(phrases) },
        signal,
      ),
    enabled: phrases.length > 0,
    placeholderData: keepPreviousData,
  });
  const add = useMutation({
    mutationFn: (added: readonly string[]) =>
      call('POST /apps/{id}/keywords', { params: { id: appId }, body: bodyOf(added) }),
    onSuccess: ({ job }, added) => {
      onAdded(added);
      if (job) void followJob(job.id, t('suggestions.adding'), queryClient);
      setSuggestionsTracked(queryClient, appId, market, added);
      refreshFreeReads(queryClient, ['apps', appId]);
    },
    onError: useErrorAfterLeaving(),
  });
  return (
    <>
      <div className={styles.bar} data-idle={phrases.length === 0 || undefined}>
        <CostLine
          delta={phrases.length > 0 ? preview.data?.budgetDelta : undefined}
          pending={preview.isFetching}
        />
        {children}
        <Tooltip label={reason} disabled={canWrite}>
          <Button
            className="touch"
            leftSection={<ListPlus size={15} aria-hidden />}
            loading={add.isPending}
            disabled={phrases.length === 0}
            aria-disabled={!canWrite || undefined}
            onClick={() => canWrite && add.mutate(phrases)}
          >
            {t('suggestions.add', { count: phrases.length })}
          </Button>
        </Tooltip>
      </div>
      {(add.error ?? preview.error) && <ErrorNotice error={add.error ?? preview.error} />}
    </>
  );
}
