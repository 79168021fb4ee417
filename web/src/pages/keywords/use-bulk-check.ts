import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, type Keyword, type ResponseOf } from '#web/api.ts';
import { followJob } from '#web/components/job-toast.ts';
import { showToast } from '#web/components/toasts/toast-store.ts';
import { showError } from '#web/components/toasts/toasts.tsx';
import { inBatches } from './restore-keywords.ts';

type Skipped = ResponseOf<'POST /apps/{id}/keywords/check'>['skipped'];

const batch = 500;

/** Each request uses an on-demand check. */
export const countRequests = (keywords: number): number => Math.ceil(keywords / batch);

/** Requests today's checks of keywords within the allowance, and follows their jobs. */
export function useBulkCheck(appId: number) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(keywords: readonly Keyword[]) {
      const skipped: Skipped = [];
      try {
        for (const part of inBatches(keywords, batch)) {
          const accepted = await call('POST /apps/{id}/keywords/check', {
            params: { id: appId },
            body: { ids: part.map(({ id }) => id) },
          });
          skipped.push(...accepted.skipped);
          const count = part.length - accepted.skipped.length;
          if (accepted.job !== null)
            void followJob(accepted.job.id, t('bulk.checking', { count }), queryClient);
        }
        return { skipped, error: null };
      } catch (error) {
        return { skipped, error };
      }
    },
    onSuccess({ skipped, error }) {
      const reasons = (['checked_today', 'paused', 'over_limit'] as const).flatMap((reason) => {
        const count = skipped.filter((keyword) => keyword.reason === reason).length;
        return count === 0 ? [] : [t(`bulk.skipped.${reason}`, { count })];
      });
      if (reasons.length > 0)
        showToast({ message: reasons.join(' '), tone: 'neutral', closesAfterMs: 7_000 });
      if (error !== null) showError(error);
      void queryClient.invalidateQueries({ queryKey: ['jobs'] });
    },
  });
}
