import { useTranslation } from 'react-i18next';
import { Card } from '../../components/card.tsx';
import type { Billing } from '../../queries/billing.ts';
import { LimitMeter } from './limit-meter.tsx';
import styles from './plan-page.module.css';

export const held = ['apps', 'keywordMarkets', 'members'] as const;

export function HeldCard({ billing: { usage } }: { billing: Billing }) {
  const { t } = useTranslation();
  return (
    <Card title={t('plan.held')} lead={t('plan.heldLead')}>
      <ul className={styles.meters}>
        {held.map((kind) => (
          <LimitMeter key={kind} label={t(`plan.row.${kind}`)} {...usage[kind]} />
        ))}
      </ul>
    </Card>
  );
}
