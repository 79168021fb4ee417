import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatClock } from '#web/format.ts';
import type { Billing } from '#web/queries/billing.ts';
import { usageQuery } from '#web/queries/workspace.ts';
import { spanOf } from '#web/scope.ts';
import { LimitMeter } from './limit-meter.tsx';
import styles from './billing-page.module.css';

/** Requests and on-demand store lookups of the current UTC day. */
export function TodayCard({ billing: { limits } }: { billing: Billing }) {
  const { t } = useTranslation();
  const query = useQuery(usageQuery(spanOf(1)));
  return (
    <Card title={t('billing.today')} lead={t('billing.todayLead')}>
      <Loaded query={query} height={240}>
        {({ days, onDemand }) => (
          <ul className={styles.meters}>
            <LimitMeter
              label={t('billing.row.requests')}
              used={days.at(-1)?.total ?? 0}
              limit={limits.requestsPerDay}
            />
            {onDemand.map(({ kind, window, used, limit, resetAt }) => (
              <LimitMeter
                key={kind}
                label={t(`billing.row.${kind}`)}
                used={used}
                limit={limit ?? limits.onDemand[kind]}
                note={
                  window === 'hour' ? t('billing.anewAt', { at: formatClock(resetAt) }) : undefined
                }
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
