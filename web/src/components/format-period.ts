import { startOfDayMs } from '#lib/dates.ts';
import { i18next } from '../i18n.ts';
import { formatDay } from '../format.ts';

/** `October 2026` for a month, and the first day of a week. */
export function formatPeriod({
  granularity,
  period,
}: {
  granularity: 'month' | 'week';
  period: string;
}): string {
  if (granularity === 'week') return formatDay(period, true);
  return new Intl.DateTimeFormat(i18next.language || 'en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(startOfDayMs(period));
}
