import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { billingQuery } from '#web/queries/billing.ts';
import { CheckoutNote } from './checkout-note.tsx';
import styles from './billing-page.module.css';
import { PlansCard } from './plans-card.tsx';
import { StateCard } from './state-card.tsx';
import { TodayCard } from './today-card.tsx';
import { ResourcesCard } from './resources-card.tsx';

export function BillingPage() {
  const { t } = useTranslation();
  const query = useQuery(billingQuery);
  return (
    <div className={styles.page}>
      <PageHead title={t('nav.billing')} lead={t('billing.lead')} />
      <Loaded query={query} height={640}>
        {(billing) => (
          <div className="stack">
            <CheckoutNote billing={billing} />
            <StateCard billing={billing} />
            <div className={styles.pair}>
              <ResourcesCard billing={billing} />
              <TodayCard billing={billing} />
            </div>
            <PlansCard billing={billing} />
          </div>
        )}
      </Loaded>
    </div>
  );
}
