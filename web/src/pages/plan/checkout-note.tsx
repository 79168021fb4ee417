import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { billingQuery, type Billing } from '../../queries/billing.ts';
import { budgetQuery } from '../../queries/runs.ts';
import { sessionQuery } from '../../queries/session.ts';
import { useSearchValue } from '../../search-value.ts';
import styles from './plan-page.module.css';

const askEveryMs = 3_000;

/** What came of the provider's page. A payment is told to the server by the provider itself, which may take some seconds. */
export function CheckoutNote({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const [outcome] = useSearchValue('checkout');
  const isWaiting = outcome === 'done' && billing.standing !== 'live';
  useQuery({ ...billingQuery, refetchInterval: isWaiting ? askEveryMs : false });
  useFrameFollows(billing);
  const words = isWaiting
    ? t('plan.checkout.waiting')
    : outcome === 'done'
      ? t('plan.checkout.done')
      : outcome === 'cancelled'
        ? t('plan.checkout.cancelled')
        : null;
  return (
    words && (
      <p className={styles.note} role="status">
        {words}
      </p>
    )
  );
}

/** The banner and what can be pressed go by the session and the budget: they are read again when this page knows better. */
function useFrameFollows({ state }: Billing): void {
  const queryClient = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const isOld = session !== undefined && session.workspace.state !== state;
  useEffect(() => {
    if (!isOld) return;
    void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: budgetQuery.queryKey });
  }, [isOld, queryClient]);
}
