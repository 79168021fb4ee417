import { useTranslation } from 'react-i18next';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import styles from './history-card.module.css';
import type { CompetitorChoice } from './use-competitor-histories.ts';

/** Chips that select the competitors shown in the chart, in the colours of their lines. */
export function CompetitorChips({
  choice: { rivals, picked, toggle, isFull, histories },
}: {
  choice: CompetitorChoice;
}) {
  const { t } = useTranslation();
  if (rivals.length === 0) return null;
  const nowhere = histories.filter(({ places }) =>
    Object.values(places).every(({ position }) => position === null),
  );
  return (
    <div className={styles.rivals} role="group" aria-label={t('history.competitors')}>
      <span className={styles.rivalsLabel} aria-hidden>
        {t('history.competitors')}
      </span>
      {rivals.map((rival) => {
        const place = picked.indexOf(rival.id);
        return (
          <ToggleChip
            key={rival.id}
            pressed={place >= 0}
            disabled={isFull && place < 0}
            onPress={() => toggle(rival.id)}
            color={place < 0 ? undefined : `var(--tr-series-${place + 2})`}
          >
            <bdi>{rival.name}</bdi>
          </ToggleChip>
        );
      })}
      {nowhere.length > 0 && (
        <span className={styles.rivalsNote} role="status">
          {nowhere.map(({ name }) => t('history.competitorNotFound', { name })).join(' ')}
        </span>
      )}
    </div>
  );
}
