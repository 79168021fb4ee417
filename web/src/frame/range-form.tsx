import { Button, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { firstDay, utcDayOf } from '#lib/dates.ts';
import { formatDay } from '../format.ts';
import { findRangeError, maxDays } from '../scope.ts';
import styles from './scope-bar.module.css';

interface Range {
  from: string;
  to: string;
}

interface Props {
  initial: Range;
  onChoose: (range: Range) => void;
}

/** A custom range. Errors appear after the first attempt and stay until they are corrected. */
export function RangeForm({ initial, onChoose }: Props) {
  const { t } = useTranslation();
  const errorId = useId();
  const [range, setRange] = useState(initial);
  const [asked, setAsked] = useState(false);
  const today = utcDayOf(new Date());
  const fault = findRangeError(range.from, range.to);
  const isFaulty = asked && fault !== null;
  return (
    <form
      className={styles.range}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setAsked(true);
        if (fault === null) onChoose(range);
      }}
    >
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          label={t(`scope.${end}`)}
          value={range[end]}
          min={firstDay}
          max={today}
          data-autofocus={end === 'from' || undefined}
          error={isFaulty}
          aria-describedby={errorId}
          onChange={({ currentTarget: { value } }) =>
            setRange((before) => ({ ...before, [end]: value }))
          }
        />
      ))}
      <p id={errorId} role="status" className={styles.fault} data-fault={isFaulty || undefined}>
        {isFaulty
          ? t(`scope.error.${fault}`, {
              first: formatDay(firstDay, true),
              today: formatDay(today, true),
              count: maxDays,
            })
          : t('scope.rangeHint')}
      </p>
      <Button type="submit" className="touch">
        {t('scope.apply')}
      </Button>
    </form>
  );
}
