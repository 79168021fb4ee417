import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { showError, showSuccess } from '#web/components/toasts/toasts.tsx';
import type { Market } from '#web/scope.ts';

/** Starts a job that scores phrases. It goes on when the page is left, and its scores are kept. */
export function useRequestScores(appId: number, market: Market) {
  const { t } = useTranslation();
  const refresh = useRefresh(appId);
  return useMutation({
    mutationFn: (phrases: readonly string[]) => requestScores(appId, market, phrases),
    onSuccess: ({ cost }) => showSuccess(t('suggestions.scoringStarted', { count: cost.toScore })),
    onError: showError,
    onSettled: refresh,
  });
}

/**
 * Starts a job for the given phrases once a visit, as far as the day’s allowance reaches. Returns
 * the error of an attempt, and whether the allowance is used up.
 */
export function useBackgroundScores(
  appId: number,
  market: Market,
  { phrases, isOn }: { phrases: readonly string[]; isOn: boolean },
) {
  const refresh = useRefresh(appId);
  const hasStarted = useRef(false);
  const { mutate, data, error } = useMutation({
    async mutationFn(requested: readonly string[]) {
      const { cost } = await call('POST /apps/{id}/country-scores/preview', {
        params: { id: appId },
        body: bodyOf(market, requested),
      });
      const { allowance } = cost;
      const left = allowance ? Math.max(0, allowance.limit - allowance.used) : requested.length;
      if (left > 0) await requestScores(appId, market, requested.slice(0, left));
      return { isUsedUp: left === 0 };
    },
    onSettled: refresh,
  });
  useEffect(() => {
    if (!isOn || phrases.length === 0 || hasStarted.current) return;
    hasStarted.current = true;
    mutate(phrases);
  }, [isOn, phrases, mutate]);
  return { error, isUsedUp: data?.isUsedUp === true };
}

const bodyOf = ({ country, device }: Market, phrases: readonly string[]) => ({
  phrases: [...phrases],
  countries: [country],
  device,
});

const requestScores = (appId: number, market: Market, phrases: readonly string[]) =>
  call('POST /apps/{id}/country-scores', {
    params: { id: appId },
    body: bodyOf(market, phrases),
  });

function useRefresh(appId: number) {
  const queryClient = useQueryClient();
  return () => {
    for (const list of ['suggestions', 'country-scores'])
      void queryClient.invalidateQueries({ queryKey: ['apps', appId, list] });
    void queryClient.invalidateQueries({ queryKey: ['jobs'] });
  };
}
