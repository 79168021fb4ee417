import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays, utcDayOf } from '#lib/dates.ts';
import { DayField } from '#web/components/day-field.tsx';
import { useSearchValue } from '#web/search-value.ts';
import styles from './digest-page.module.css';

const days = 7;

/** Selects the previous or next week, or the week of a day; the given day is empty if unknown. */
export function WeekPicker({ day }: { day: string }) {
  const { t } = useTranslation();
  const [, setWeek] = useSearchValue('week');
  const today = utcDayOf(new Date());
  const arrow = (count: number, label: string, Icon: typeof ChevronLeft) => {
    const week = day && addDays(day, count);
    const isOff = week === '' || week > today;
    // Always a link: when the last week is reached, another element would not have the focus.
    return (
      <ActionIcon
        variant="default"
        size={36}
        className="touch"
        aria-label={label}
        data-disabled={isOff || undefined}
        aria-disabled={isOff || undefined}
        renderRoot={(props: Record<string, unknown>) => (
          <Link
            to="."
            search={(search) => (isOff ? search : { ...search, week }) as never}
            onClick={(event) => isOff && event.preventDefault()}
            {...props}
          />
        )}
      >
        <Icon size={17} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <div className={styles.picker} role="group" aria-label={t('digest.week')}>
      {arrow(-days, t('digest.previous'), ChevronLeft)}
      <DayField
        className={styles.date}
        aria-label={t('digest.anyDay')}
        day={day}
        max={today}
        required
        onChoose={setWeek}
      />
      {arrow(days, t('digest.next'), ChevronRight)}
    </div>
  );
}
