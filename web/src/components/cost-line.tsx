import { Gauge } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { BudgetDelta } from '../api.ts';
import { formatCount, formatShare } from '../format.ts';
import styles from './cost-line.module.css';

/** `+12 searches per day · 31 % → 33 %`. */
export function CostLine({
  delta,
  pending,
}: {
  delta: BudgetDelta | undefined;
  pending?: boolean;
}) {
  const { t } = useTranslation();
  const isOver = (delta?.utilizationAfter ?? 0) > 1;
  return (
    <p
      className={styles.cost}
      data-over={isOver || undefined}
      data-pending={pending || undefined}
      aria-live="polite"
    >
      <Gauge size={15} aria-hidden />
      {delta ? (
        <span className="num">
          <strong>
            {t('cost.searches', {
              count: delta.searchesPerDay,
              shown: formatCount(delta.searchesPerDay),
            })}
          </strong>
          {' · '}
          {t('cost.share', {
            before: formatShare(delta.utilizationBefore),
            after: formatShare(delta.utilizationAfter),
          })}
          {isOver && ` · ${t('cost.over')}`}
        </span>
      ) : (
        <span>{t('cost.none')}</span>
      )}
    </p>
  );
}
