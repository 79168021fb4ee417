import { useTranslation } from 'react-i18next';
import { CompetitorPicker } from '#web/components/competitor-picker.tsx';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import styles from './history-card.module.css';
import type { CompetitorChoice } from './use-competitor-histories.ts';

const maxChips = 10;

/**
 * Chips that select the competitors shown in the chart, in the colours of their lines. Of many
 * competitors only the chosen ones are listed.
 */
export function CompetitorChips({
  choice: { competitors, picked, toggle, most, isFull, histories },
}: {
  choice: CompetitorChoice;
}) {
  const { t } = useTranslation();
  if (competitors.length === 0) return null;
  const isMany = competitors.length > maxChips;
  const shown = isMany ? competitors.filter(({ id }) => picked.includes(id)) : competitors;
  const nowhere = histories.filter(({ positions }) =>
    Object.values(positions).every(({ position }) => position === null),
  );
  return (
    <div className={styles.competitors} role="group" aria-label={t('history.competitors')}>
      <span className={styles.competitorsLabel} aria-hidden>
        {t('history.competitors')}
      </span>
      {isMany && (
        <div className={styles.picker}>
          <CompetitorPicker competitors={competitors} picked={picked} onPick={toggle} most={most} />
        </div>
      )}
      {shown.map((competitor) => {
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
