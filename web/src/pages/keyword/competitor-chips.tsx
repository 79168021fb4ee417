import { useTranslation } from 'react-i18next';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import styles from './history-card.module.css';
import type { CompetitorChoice } from './use-competitor-histories.ts';

/** Chips that select the competitors shown in the chart, in the colours of their lines. */
export function CompetitorChips({
  choice: { competitors, picked, toggle, isFull, histories },
}: {
  choice: CompetitorChoice;
}) {
  const { t } = useTranslation();
  if (competitors.length === 0) return null;
  const nowhere = histories.filter(({ positions }) =>
    Object.values(positions).every(({ position }) => position === null),
  );
  return (
    <div className={styles.competitors} role="group" aria-label={t('history.competitors')}>
      <span className={styles.competitorsLabel} aria-hidden>
        {t('history.competitors')}
      </span>
      {competitors.map((competitor) => {
        const index = picked.indexOf(competitor.id);
        return (
          <ToggleChip
            key={competitor.id}
            pressed={index >= 0}
            disabled={isFull && index < 0}
            onPress={() => toggle(competitor.id)}
            color={index < 0 ? undefined : `var(--tr-series-${index + 2})`}
          >
            <bdi>{competitor.name}</bdi>
          </ToggleChip>
        );
      })}
      {nowhere.length > 0 && (
        <span className={styles.competitorsNote} role="status">
          {nowhere.map(({ name }) => t('history.competitorNotFound', { name })).join(' ')}
        </span>
      )}
    </div>
  );
}
