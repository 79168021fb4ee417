import { useTranslation } from 'react-i18next';
import type { Budget } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { Facts } from '#web/components/facts.tsx';
import { usePlanName } from '#web/components/plan-name.ts';
import { formatCount, formatHours, formatInstant, formatShare } from '#web/format.ts';
import styles from './capacity-page.module.css';
import { Gauge } from './gauge.tsx';

export function DayCard({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const planName = usePlanName();
  const { utilization, completion, fanOut, quota } = budget;
  const requests = fanOut.reduce((sum, store) => sum + store.requests, 0);
  return (
    <Card
      title={t('capacity.dayTitle')}
      lead={utilization > 1 ? t('capacity.over') : t('capacity.dayLead')}
    >
      <p className={styles.figure}>{formatShare(utilization)}</p>
      <Gauge share={utilization} label={t('capacity.dayTitle')} />
      <Facts
        className={styles.facts}
        facts={[
          [t('capacity.starts'), formatInstant(completion.startsAt)],
          [t('capacity.completes'), formatInstant(completion.completesAt)],
          [t('capacity.takes'), formatHours(completion.hours)],
          [t('capacity.requests'), formatCount(Math.round(requests))],
          ...(quota
            ? [
                [
                  t('capacity.plan'),
                  t('capacity.quota', {
                    plan: planName(quota.plan),
                    used: formatCount(quota.keywordMarkets.used),
                    limit: formatCount(quota.keywordMarkets.limit),
                  }),
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}
