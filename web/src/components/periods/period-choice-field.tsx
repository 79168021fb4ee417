import { useTranslation } from 'react-i18next';
import { DayField } from '#web/components/day-field.tsx';
import { OverlaySelect } from '#web/components/overlays/overlay-select.tsx';
import type { Span } from '#web/queries/apps.ts';
import { useSearchValue } from '#web/search-value.ts';
import { choiceOf, findComparedSpan, type PeriodChoice } from './compared-span.ts';
import styles from './periods.module.css';

const choices = ['none', 'previous', 'year', 'custom'] as const;

/** Selects the period that a chart is compared with. */
export function PeriodChoiceField({ span }: { span: Span }) {
  const { t } = useTranslation();
  const [value, setValue] = useSearchValue('versus');
  const choice = choiceOf(value);
  const choose = (next: PeriodChoice) => {
    if (next === 'none') setValue(null);
    else if (next !== 'custom') setValue(next);
    else setValue(findComparedSpan(span, value)?.from ?? findComparedSpan(span, 'year')!.from);
  };
  return (
    <div className={styles.choice}>
      <OverlaySelect
        className={styles.periods}
        size="xs"
        aria-label={t('periods.label')}
        value={choice}
        onChange={(next) => next && choose(next)}
        data={choices.map((each) => ({ value: each, label: t(`periods.${each}`) }))}
      />
      {choice === 'custom' && (
        <DayField
          size="xs"
          aria-label={t('periods.start')}
          day={value ?? ''}
          max={span.to}
          onChoose={setValue}
        />
      )}
    </div>
  );
}
