import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import type { Billing } from '#web/queries/billing.ts';
import { LimitMeter } from './limit-meter.tsx';
import styles from './billing-page.module.css';

export const held = ['apps', 'keywordMarkets', 'members'] as const;

export function ResourcesCard({ billing: { usage } }: { billing: Billing }) {
  const { t } = useTranslation();
  return (
    <Card title={t('billing.held')} lead={t('billing.heldLead')}>
      <ul className={styles.meters}>
        {held.map((kind) => (
          <LimitMeter key={kind} label={t(`billing.row.${kind}`)} {...usage[kind]} />
        ))}
      </ul>
    </Card>
  );
}
