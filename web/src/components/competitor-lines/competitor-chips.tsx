import { useTranslation } from 'react-i18next';
import { competitorColor } from '../chart/colors.ts';
import { ToggleChip } from '../toggle-chip.tsx';
import styles from './competitor-chips.module.css';
import { CompetitorPicker } from './competitor-picker.tsx';
import type { CompetitorChoice } from './use-competitor-choice.ts';

const maxChips = 10;

interface Props {
  choice: CompetitorChoice;
  /** The names of competitors without a position in the period. */
  nowhere: readonly string[];
  /** The focus moves here, because what had it is gone. */
  hasFocus?: boolean;
}

/**
 * Chips that select the competitors shown in the chart, in the colours of their lines. Of many
 * competitors only the chosen ones are listed.
 */
export function CompetitorChips({ choice, nowhere, hasFocus = false }: Props) {
  const { t } = useTranslation();
  const { competitors, picked, toggle, most, isFull } = choice;
  if (competitors.length === 0) return null;
  const isMany = competitors.length > maxChips;
  const shown = isMany ? choice.chosen : competitors;
  return (
    <div className={styles.competitors} role="group" aria-label={t('competitorLines.with')}>
      <span className={styles.label} aria-hidden data-print="hidden">
        {t('competitorLines.with')}
      </span>
      {isMany && (
        <div className={styles.picker}>
          <CompetitorPicker
            competitors={competitors}
            picked={picked}
            onPick={toggle}
            most={most}
            hasFocus={hasFocus}
          />
        </div>
      )}
      {shown.map((competitor, number) => {
        const index = picked.indexOf(competitor.id);
        return (
          <ToggleChip
            key={competitor.id}
            pressed={index >= 0}
            disabled={isFull && index < 0}
            onPress={() => toggle(competitor.id)}
            color={index < 0 ? undefined : competitorColor(index)}
            hasFocus={hasFocus && !isMany && number === 0}
          >
            <bdi>{competitor.name}</bdi>
          </ToggleChip>
        );
      })}
      {nowhere.length > 0 && (
        <span className={styles.note} role="status">
          {nowhere.map((name) => t('competitorLines.notFound', { name })).join(' ')}
        </span>
      )}
    </div>
  );
}
