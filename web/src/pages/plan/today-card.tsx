import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { formatClock } from '../../format.ts';
import type { Billing } from '../../queries/billing.ts';
import { usageQuery } from '../../queries/workspace.ts';
import { spanOf } from '../../scope.ts';
import { LimitMeter } from './limit-meter.tsx';
import styles from './plan-page.module.css';

/** Requests, and what was asked of a store at once, since the UTC day began. */
export function TodayCard({ billing: { limits } }: { billing: Billing }) {
  const { t } = useTranslation();
  const query = useQuery(usageQuery(spanOf(1)));
  return (
    <Card title={t('plan.today')} lead={t('plan.todayLead')}>
      <Loaded query={query} height={240}>
        {({ days, onDemand }) => (
          <ul className={styles.meters}>
            <LimitMeter
              label={t('plan.row.requests')}
              used={days.at(-1)?.total ?? 0}
              limit={limits.requestsPerDay}
            />
            {onDemand.map(({ kind, window, used, limit, resetAt }) => (
              <LimitMeter
                key={kind}
                label={t(`plan.row.${kind}`)}
                used={used}
                limit={limit ?? limits.onDemand[kind]}
                note={
                  window === 'hour' ? t('plan.anewAt', { at: formatClock(resetAt) }) : undefined
                }
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
