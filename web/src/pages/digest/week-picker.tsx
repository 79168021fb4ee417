import { ActionIcon, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, isUtcDay, utcDayOf } from '#lib/dates.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from './digest-page.module.css';

const days = 7;

/** Selects the previous or next week, or the week of a day; the given day is empty if unknown. */
export function WeekPicker({ day }: { day: string }) {
  const { t } = useTranslation();
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
      <DayInput day={day} today={today} />
      {arrow(days, t('digest.next'), ChevronRight)}
    </div>
  );
}

/** A typed day is chosen when it is complete: on Enter, or when the focus leaves. */
function DayInput({ day, today }: { day: string; today: string }) {
  const { t } = useTranslation();
  const [, setWeek] = useSearchValue('week');
  const [text, setText] = useState(day);
  const [shown, setShown] = useState(day);
  const isTyped = useRef(false);
  if (shown !== day) {
    setShown(day);
    // What is typed while a week loads stays.
    if (text === shown) setText(day);
  }
  const isDay = (value: string) => value.startsWith('2') && isUtcDay(value) && value <= today;
  const choose = (value: string) => {
    setText(value);
    if (isDay(value) && value !== day) setWeek(value);
  };
  return (
    <TextInput
      type="date"
      className={styles.date}
      aria-label={t('digest.anyDay')}
      value={text}
      max={today}
      required
      // A day that is picked in the browser’s calendar needs neither Enter nor another focus.
      onPointerDown={() => (isTyped.current = false)}
      onKeyDown={({ key, altKey }) => {
        if (key === 'Enter') choose(text);
        else isTyped.current = !altKey && key !== ' ' && key !== 'F4';
      }}
      onChange={({ currentTarget: { value } }) =>
        isTyped.current ? setText(value) : choose(value)
      }
      onBlur={() => choose(isDay(text) ? text : day)}
    />
  );
}
