import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount, formatList } from '../../format.ts';
import type { Billing, Plan } from '../../queries/billing.ts';
import { held } from './held-card.tsx';
import styles from './plan-page.module.css';
import type { useCheckout } from './use-payment.ts';

interface Props {
  plan: Plan;
  billing: Billing;
  checkout: ReturnType<typeof useCheckout>;
}

/** The ways to pay for a plan, and what would no longer fit into it. */
export function BuyPlan({ plan, billing, checkout }: Props) {
  const { t } = useTranslation();
  if (plan.current && billing.standing === 'live' && billing.canManage)
    return <span className="muted">{t('plan.yours')}</span>;
  if (plan.intervals.length === 0) return <span className="muted">{t('plan.notSold')}</span>;
  const tooMuch = held.filter((kind) => billing.usage[kind].used > plan[kind]);
  const { variables } = checkout;
  return (
    <div className={styles.buy}>
      {plan.intervals.map((interval) => (
        <Button
          key={interval}
          className="touch"
          size="xs"
          variant={interval === plan.intervals[0] ? 'filled' : 'default'}
          aria-label={`${t(`planName.${plan.name}`)}: ${t(`plan.buy.${interval}`)}`}
          disabled={checkout.isPending}
          loading={
            checkout.isPending && variables?.plan === plan.name && variables.interval === interval
          }
          onClick={() => checkout.mutate({ plan: plan.name, interval })}
        >
          {t(`plan.buy.${interval}`)}
        </Button>
      ))}
      {tooMuch.length > 0 && (
        <span className={styles.over}>
          {t('plan.tooSmall', {
            what: formatList(
              tooMuch.map(
                (kind) => `${formatCount(billing.usage[kind].used)} ${t(`plan.row.${kind}`)}`,
              ),
            ),
          })}
        </span>
      )}
    </div>
  );
}
