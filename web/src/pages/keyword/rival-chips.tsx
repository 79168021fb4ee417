import { useTranslation } from 'react-i18next';
import { ToggleChip } from '../../components/toggle-chip.tsx';
import styles from './history-card.module.css';
import type { RivalChoice } from './rival-histories.ts';

/** Whose lines stand beside the own one; their colours are the chart’s. */
export function RivalChips({
  choice: { rivals, picked, toggle, isFull, histories },
}: {
  choice: RivalChoice;
}) {
  const { t } = useTranslation();
  if (rivals.length === 0) return null;
  const nowhere = histories.filter(({ places }) =>
    Object.values(places).every(({ position }) => position === null),
  );
  return (
    <div className={styles.rivals} role="group" aria-label={t('history.rivals')}>
      <span className={styles.rivalsLabel} aria-hidden>
        {t('history.rivals')}
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
          {nowhere.map(({ name }) => t('history.rivalNowhere', { name })).join(' ')}
        </span>
      )}
    </div>
  );
}
