import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { plansQuery, type Billing, type Plan } from '#web/queries/billing.ts';
import { BuyPlan } from './buy-plan.tsx';
import styles from './billing-page.module.css';
import { PlanLimitCell } from './plan-limit-cell.tsx';
import { planRows } from './plan-rows.ts';
import { useCanPay } from './use-can-pay.ts';
import { useCheckout } from './use-payment.ts';

/** The plan whose limits apply; the first one if none was chosen. */
const limitsNow = (plans: readonly Plan[]): Plan | undefined =>
  plans.find((plan) => plan.current) ?? plans[0];

function Plans({ plans, billing }: { plans: readonly Plan[]; billing: Billing }) {
  const { t } = useTranslation();
  const { canPay, reason } = useCanPay(billing);
  const checkout = useCheckout();
  const now = limitsNow(plans);
  return (
    <>
      <div
        className="table-scroll"
        role="region"
        aria-label={t('table.region', { label: t('billing.plans') })}
        tabIndex={0}
      >
        <table className={`plain-table ${styles.plans}`}>
          <thead>
            <tr>
              <th scope="col">{t('billing.what')}</th>
              {plans.map((plan) => (
                <th key={plan.name} scope="col" className="end">
                  {t(`planName.${plan.name}`)}
                  {plan.current && (
                    <span className={styles.current}>
                      {t(
                        billing.planStatus === 'live' ? 'billing.currentPlan' : 'billing.lastPlan',
                      )}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {planRows.map(({ id, read }) => (
              <tr key={id}>
                <th scope="row">{t(`billing.row.${id}`)}</th>
                {plans.map((plan) => (
                  <PlanLimitCell
                    key={plan.name}
                    limit={read(plan)}
                    before={plan === now || !now ? null : read(now)}
                  />
                ))}
              </tr>
            ))}
            {canPay && (
              <tr>
                <th scope="row">{t('billing.choose')}</th>
                {plans.map((plan) => (
                  <td key={plan.name} className="end">
                    <BuyPlan plan={plan} billing={billing} checkout={checkout} />
                  </td>
                ))}
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {reason && <p className={styles.small}>{reason}</p>}
      {checkout.error && <ErrorNotice error={checkout.error} />}
    </>
  );
}

export function PlansCard({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const query = useQuery(plansQuery);
  return (
    <Card title={t('billing.plans')} lead={t('billing.plansLead')}>
      <Loaded query={query} height={420}>
        {({ items }) => <Plans plans={items} billing={billing} />}
      </Loaded>
    </Card>
  );
}
