import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { billingQuery, plansQuery, type Billing } from '#web/queries/billing.ts';
import { budgetQuery } from '#web/queries/runs.ts';
import { sessionQuery } from '#web/queries/session.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from './billing-page.module.css';

const pollIntervalMs = 3_000;
/** For a minute; the number of reads is that of the loaded page. */
const readsAfterReturn = 20;

/**
 * The result of the provider's page. The provider reports payments and changes of the plan to the
 * server, which can take a few seconds.
 */
export function CheckoutNote({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const [outcome] = useSearchValue('checkout');
  const isWaiting = outcome === 'done' && billing.planStatus !== 'live';
  useQuery({
    ...billingQuery,
    refetchInterval: ({ state }) =>
      isWaiting || (outcome !== null && state.dataUpdateCount <= readsAfterReturn)
        ? pollIntervalMs
        : false,
  });
  useOthersFollow(billing);
  const words = isWaiting
    ? t('billing.checkout.waiting')
    : outcome === 'done'
      ? t('billing.checkout.done')
      : outcome === 'cancelled'
        ? t('billing.checkout.cancelled')
        : null;
  return (
    words && (
      <p className={styles.note} role="status">
        {words}
      </p>
    )
  );
}

/** Refreshes the session and the budget, which the frame depends on, and the table of plans. */
function useOthersFollow({ state, plan }: Billing): void {
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data: plans } = useQuery(plansQuery);
  const isOfOtherState = session !== undefined && session.workspace.state !== state;
  const isOfOtherPlan =
    plans !== undefined && (plans.items.find(({ current }) => current)?.name ?? null) !== plan;
  useEffect(() => {
    if (!isOfOtherState && !isOfOtherPlan) return;
    for (const { queryKey } of [sessionQuery, budgetQuery, plansQuery])
      void queryClient.invalidateQueries({ queryKey });
  }, [isOfOtherState, isOfOtherPlan, queryClient]);
}
