import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { plansQuery, type Billing, type Plan } from '../../queries/billing.ts';
import { BuyPlan } from './buy-plan.tsx';
import styles from './plan-page.module.css';
import { PlanCell } from './plan-cell.tsx';
import { planRows } from './plan-rows.ts';
import { useMayPay } from './use-may-pay.ts';
import { useCheckout } from './use-payment.ts';

/** The plan whose limits hold now: of who has chosen none, the first. */
const limitsNow = (plans: readonly Plan[]): Plan | undefined =>
  plans.find((plan) => plan.current) ?? plans[0];

function Plans({ plans, billing }: { plans: readonly Plan[]; billing: Billing }) {
  const { t } = useTranslation();
  const { mayPay, reason } = useMayPay(billing);
  const checkout = useCheckout();
  const now = limitsNow(plans);
  return (
    <>
      <div className="table-scroll" role="region" aria-label={t('plan.table')} tabIndex={0}>
        <table className={`plain-table ${styles.plans}`}>
          <thead>
            <tr>
              <th scope="col">{t('plan.what')}</th>
              {plans.map((plan) => (
                <th key={plan.name} scope="col" className="end">
                  {t(`planName.${plan.name}`)}
                  {plan.current && (
                    <span className={styles.current}>
                      {t(billing.standing === 'live' ? 'plan.yours' : 'plan.last')}
                    </span>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {planRows.map(({ id, read }) => (
              <tr key={id}>
                <th scope="row">{t(`plan.row.${id}`)}</th>
                {plans.map((plan) => (
                  <PlanCell
                    key={plan.name}
                    limit={read(plan)}
                    before={plan === now || !now ? null : read(now)}
                  />
                ))}
              </tr>
            ))}
            {mayPay && (
              <tr>
                <th scope="row">{t('plan.choose')}</th>
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

/** The plans side by side, what would change, and the way to buy one. */
export function PlansCard({ billing }: { billing: Billing }) {
  const { t } = useTranslation();
  const query = useQuery(plansQuery);
  return (
    <Card title={t('plan.plans')} lead={t('plan.plansLead')}>
      <Loaded query={query} height={420}>
        {({ items }) => <Plans plans={items} billing={billing} />}
      </Loaded>
    </Card>
  );
}
