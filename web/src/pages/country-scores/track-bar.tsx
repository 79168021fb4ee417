import { Button, Tooltip } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { CostLine } from '#web/components/cost-line.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { followJob } from '#web/components/job-toast.ts';
import { formatCount } from '#web/format.ts';
import type { CountryScore } from '#web/queries/country-scores.ts';
import { refreshFreeReads } from '#web/queries/free-reads.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useErrorAfterLeaving } from '#web/use-error-after-leaving.ts';
import styles from './country-scores-page.module.css';

interface Props {
  appId: number;
  rows: readonly CountryScore[];
  onTracked: (tracked: readonly CountryScore[]) => void;
}

const limit = 200;

const toKeyword = ({ phrase, country, device }: CountryScore) => ({ phrase, country, device });

/** Shows the cost of tracking the selected rows, and tracks them. */
export function TrackBar({ appId, rows, onTracked }: Props) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const keywords = rows.map(toKeyword);
  const isTooMany = keywords.length > limit;
  const preview = useQuery({
    queryKey: ['apps', appId, 'preview', keywords],
    queryFn: ({ signal }) =>
      call(
        'POST /apps/{id}/keywords/preview',
        { params: { id: appId }, body: { keywords } },
        signal,
      ),
    enabled: keywords.length > 0 && !isTooMany,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const track = useMutation({
    mutationFn: (sent: readonly CountryScore[]) =>
      call('POST /apps/{id}/keywords', {
        params: { id: appId },
        body: { keywords: sent.map(toKeyword) },
      }),
    onSuccess: ({ job }, sent) => {
      onTracked(sent);
      if (job) void followJob(job.id, t('countryScores.tracking'), queryClient);
      refreshFreeReads(queryClient, ['apps', appId]);
    },
    onError: useErrorAfterLeaving(),
  });
  const error = track.error ?? (keywords.length > 0 ? preview.error : null);
  return (
    <>
      <div className={styles.bar}>
        {isTooMany ? (
          <p role="status">
            {t('countryScores.tooMany', { limit, shown: formatCount(keywords.length) })}
          </p>
        ) : (
          <CostLine
            delta={keywords.length > 0 ? preview.data?.budgetDelta : undefined}
            pending={preview.isFetching}
          />
        )}
        <Tooltip label={reason} disabled={canWrite}>
          <Button
            className="touch"
            leftSection={<ListPlus size={15} aria-hidden />}
            loading={track.isPending}
            disabled={keywords.length === 0 || isTooMany}
            aria-disabled={!canWrite || undefined}
            onClick={() => canWrite && track.mutate(rows)}
          >
            {t('countryScores.trackCount', { count: keywords.length })}
          </Button>
        </Tooltip>
      </div>
      {error && <ErrorNotice error={error} />}
    </>
  );
}
