import { ActionIcon, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { addDays, utcDayOf } from '#lib/dates.ts';
import type { Digest } from '#web/queries/digests.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from './digest-page.module.css';

const days = 7;

/** Selects the previous or next week, or the week of a day. */
export function WeekPicker({ digest }: { digest: Digest }) {
  const { t } = useTranslation();
  const [, setWeek] = useSearchValue('week');
  const today = utcDayOf(new Date());
  const [before, after] = [addDays(digest.week, -days), addDays(digest.week, days)];
  const isNewest = after > today;
  const arrow = (week: string, label: string, icon: typeof ChevronLeft, isOff: boolean) => {
    const Icon = icon;
    return (
      <ActionIcon
        variant="default"
        size={36}
        className="touch"
        aria-label={label}
        data-disabled={isOff || undefined}
        aria-disabled={isOff || undefined}
        renderRoot={(props: Record<string, unknown>) =>
          isOff ? (
            <button type="button" disabled {...props} />
          ) : (
            <Link to="." search={(search) => ({ ...search, week }) as never} {...props} />
          )
        }
      >
        <Icon size={17} aria-hidden />
      </ActionIcon>
    );
  };
  return (
    <div className={styles.picker} role="group" aria-label={t('digest.week')}>
      {arrow(before, t('digest.previous'), ChevronLeft, false)}
      <TextInput
        type="date"
        className={styles.date}
        aria-label={t('digest.anyDay')}
        value={digest.week}
        max={today}
        required
        onChange={(event) => {
          const day = event.currentTarget.value;
          if (/^2\d{3}-\d{2}-\d{2}$/.test(day) && day <= today) setWeek(day);
        }}
      />
      {arrow(after, t('digest.next'), ChevronRight, isNewest)}
    </div>
  );
}
