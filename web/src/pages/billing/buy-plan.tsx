import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatCount, formatList } from '#web/format.ts';
import type { Billing, Plan } from '#web/queries/billing.ts';
import { held } from './resources-card.tsx';
import styles from './billing-page.module.css';
import type { useCheckout } from './use-payment.ts';

interface Props {
  plan: Plan;
  billing: Billing;
  checkout: ReturnType<typeof useCheckout>;
}

/** Buttons to buy a plan, and the limits that the workspace would exceed. */
export function BuyPlan({ plan, billing, checkout }: Props) {
  const { t } = useTranslation();
  if (plan.current && billing.planStatus === 'live' && billing.canManage)
    return <span className="muted">{t('billing.currentPlan')}</span>;
  if (plan.intervals.length === 0) return <span className="muted">{t('billing.notSold')}</span>;
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
          aria-label={`${t(`planName.${plan.name}`)}: ${t(`billing.buy.${interval}`)}`}
          disabled={checkout.isPending}
          loading={
            checkout.isPending && variables?.plan === plan.name && variables.interval === interval
          }
          onClick={() => checkout.mutate({ plan: plan.name, interval })}
        >
          {t(`billing.buy.${interval}`)}
        </Button>
      ))}
      {tooMuch.length > 0 && (
        <span className={styles.over}>
          {t('billing.tooSmall', {
            what: formatList(
              tooMuch.map(
                (kind) => `${formatCount(billing.usage[kind].used)} ${t(`billing.row.${kind}`)}`,
              ),
            ),
          })}
        </span>
      )}
    </div>
  );
}
