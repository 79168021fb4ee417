import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../components/loaded.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { billingQuery } from '../../queries/billing.ts';
import { CheckoutNote } from './checkout-note.tsx';
import styles from './plan-page.module.css';
import { PlansCard } from './plans-card.tsx';
import { StateCard } from './state-card.tsx';
import { TodayCard } from './today-card.tsx';
import { HeldCard } from './held-card.tsx';

/** Where the workspace stands with its plan, what it uses of it, and what the others hold. */
export function PlanPage() {
  const { t } = useTranslation();
  const query = useQuery(billingQuery);
  return (
    <div className={styles.page}>
      <PageHead title={t('nav.plan')} lead={t('plan.lead')} />
      <Loaded query={query} height={640}>
        {(billing) => (
          <div className="stack">
            <CheckoutNote billing={billing} />
            <StateCard billing={billing} />
            <div className={styles.pair}>
              <HeldCard billing={billing} />
              <TodayCard billing={billing} />
            </div>
            <PlansCard billing={billing} />
          </div>
        )}
      </Loaded>
    </div>
  );
}
