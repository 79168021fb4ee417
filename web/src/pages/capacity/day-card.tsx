import { useTranslation } from 'react-i18next';
import type { Budget } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { formatCount, formatHours, formatInstant, formatShare } from '../../format.ts';
import styles from './capacity-page.module.css';
import { Gauge } from './gauge.tsx';

/** How full a day is, and when its work is done. */
export function DayCard({ budget }: { budget: Budget }) {
  const { t } = useTranslation();
  const { utilization, completion, fanOut, quota } = budget;
  const requests = fanOut.reduce((sum, store) => sum + store.requests, 0);
  return (
    <Card title={t('capacity.dayTitle')} lead={utilization > 1 ? t('capacity.over') : t('capacity.dayLead')}>
      <p className={styles.figure}>{formatShare(utilization)}</p>
      <Gauge share={utilization} label={t('capacity.dayTitle')} />
      <dl className={styles.facts}>
        <div>
          <dt>{t('capacity.starts')}</dt>
          <dd>{formatInstant(completion.startsAt)}</dd>
        </div>
        <div>
          <dt>{t('capacity.completes')}</dt>
          <dd>{formatInstant(completion.completesAt)}</dd>
        </div>
        <div>
          <dt>{t('capacity.takes')}</dt>
          <dd>{formatHours(completion.hours)}</dd>
        </div>
        <div>
          <dt>{t('capacity.requests')}</dt>
          <dd>{formatCount(Math.round(requests))}</dd>
        </div>
        {quota && (
          <div>
            <dt>{t('capacity.plan')}</dt>
            <dd>
              {t('capacity.quota', {
                plan: quota.plan,
                used: formatCount(quota.keywordMarkets.used),
                limit: formatCount(quota.keywordMarkets.limit),
              })}
            </dd>
          </div>
        )}
      </dl>
    </Card>
  );
}
