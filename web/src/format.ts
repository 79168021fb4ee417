import { daysBetween, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { deviceOf, nameOtherDevice } from '#stores/profiles.ts';
import { i18next } from './i18n.ts';

const locale = () => i18next.language || 'en';

const kept = new Map<string, unknown>();

/**
 * Creating a formatter costs a hundred times more than using it, and tables format every cell, so
 * there is one per language.
 */
function keep<Options, Formatter>(
  Maker: new (locale: string, options: Options) => Formatter,
  options: Options,
): Formatter {
  const key = `${Maker.name} ${locale()} ${JSON.stringify(options)}`;
  const formatter = (kept.get(key) as Formatter | undefined) ?? new Maker(locale(), options);
  kept.set(key, formatter);
  return formatter;
}

const collators = new Map<string, Intl.Collator>();

/** A collator of the reader's language, cached because a table calls it thousands of times. */
export function compareText(a: string, b: string): number {
  const collator = collators.get(locale()) ?? new Intl.Collator(locale());
  collators.set(locale(), collator);
  return collator.compare(a, b);
}

export function formatCount(value: number | bigint): string {
  return keep(Intl.NumberFormat, {}).format(value);
}

export function formatCompact(value: number | bigint): string {
  return keep(Intl.NumberFormat, { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

export function formatDecimal(value: number, digits = 1): string {
  return keep(Intl.NumberFormat, { maximumFractionDigits: digits }).format(value);
}

/** Joins a list as the language does. */
export function formatList(parts: readonly string[], style: 'narrow' | 'long' = 'narrow'): string {
  return keep(Intl.ListFormat, { type: 'conjunction', style }).format(parts);
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** `1.4 MB`; a kilobyte has 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const step = Math.min(
    byteUnits.length - 1,
    Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)),
  );
  const style = {
    style: 'unit',
    unit: byteUnits[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  } as const;
  return keep(Intl.NumberFormat, style).format(bytes / 1_000 ** step);
}

const minShare = 1e-6;

/**
 * 0.3149 is `31 %`. Small shares keep two significant digits, because a small cost is not zero.
 * Values below `least` are shown as less than that, and 100 % is only everything.
 */
export function formatShare(value: number, least = minShare): string {
  if (value > 0 && value < least) return `<${formatShare(least)}`;
  if (value > 0 && value < 0.01)
    return keep(Intl.NumberFormat, { style: 'percent', maximumSignificantDigits: 2 }).format(value);
  if (value >= 0.995 && value < 1) return `>${formatShare(0.99)}`;
  const digits = value > 0 && value < 0.1 ? 1 : 0;
  return keep(Intl.NumberFormat, { style: 'percent', maximumFractionDigits: digits }).format(value);
}

/** `+12`, `−3`, with a true minus sign, so that columns align. */
export function formatSigned(value: number): string {
  return keep(Intl.NumberFormat, { signDisplay: 'exceptZero', maximumFractionDigits: 1 })
    .format(value)
    .replace('-', '−');
}

const dayParts = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const;
const yearDays = 365;
/** Without the year, the day could be of this year. */
const isFar = (day: string, today: string) => Math.abs(daysBetween(today, day)) >= yearDays;

/**
 * A UTC day as `21 Nov`, with the year if it is a year or more away. It never depends on the time
 * zone of the reader.
 */
export function formatDay(day: string, withYear = false): string {
  return keep(Intl.DateTimeFormat, {
    ...dayParts,
    ...((withYear || isFar(day, utcDayOf(new Date()))) && { year: 'numeric' }),
  }).format(startOfDayMs(day));
}

/**
 * A range of UTC days, both included, as `1 – 30 Sep 2026`. The short form for phones uses numbers
 * only.
 */
export function formatSpan({ from, to }: { from: string; to: string }, isShort = false): string {
  const parts = isShort
    ? ({ timeZone: 'UTC', dateStyle: 'short' } as const)
    : ({ ...dayParts, year: 'numeric' } as const);
  return keep(Intl.DateTimeFormat, parts).formatRange(startOfDayMs(from), startOfDayMs(to));
}

/** Sweden writes dates as YYYY-MM-DD. */
const createDayFormat = (timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone });

let displayZone = 'UTC';
let dayFormat = createDayFormat(displayZone);

/** The time zone for instants, a setting of the workspace. Days are always UTC days. */
export function setDisplayZone(zone: string): void {
  displayZone = zone;
  dayFormat = createDayFormat(zone);
}

function inZone(instant: string, parts: Intl.DateTimeFormatOptions): string {
  const format = keep(Intl.DateTimeFormat, {
    timeZone: displayZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...parts,
  });
  if (displayZone === 'UTC') return `${format.format(Date.parse(instant))} UTC`;
  const named = keep(Intl.DateTimeFormat, {
    timeZone: displayZone,
    timeZoneName: 'short',
  }).formatToParts(Date.parse(instant));
  return (
    `${format.format(Date.parse(instant))} ` +
    `${named.find(({ type }) => type === 'timeZoneName')?.value ?? displayZone}`
  );
}

/** An instant as `21 Nov, 06:12 UTC`, with the year if it is a year or more away. */
export function formatInstant(instant: string): string {
  const hasYear = isFar(zonedDayOf(instant), dayFormat.format(Date.now()));
  return inZone(instant, { day: 'numeric', month: 'short', ...(hasYear && { year: 'numeric' }) });
}

/** The day of an instant in the time zone of the workspace, as YYYY-MM-DD. */
export const zonedDayOf = (instant: string): string => dayFormat.format(Date.parse(instant));

/** The time of day of an instant as `06:12 UTC`. */
export function formatClock(instant: string): string {
  return inZone(instant, {});
}

/** 0 is Monday. */
export function formatWeekday(index: number): string {
  // January 5, 1970 was a Monday.
  return keep(Intl.DateTimeFormat, { timeZone: 'UTC', weekday: 'long' }).format(
    (4 + index) * 86_400_000,
  );
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600],
  ['minute', 60],
];

const daySeconds = 86_400;

/**
 * `3 hours ago`, `in 2 days`. Days are those of the calendar in the time zone of the workspace,
 * because languages have words for them, such as yesterday.
 */
export function formatAgo(instant: string, nowMs = Date.now()): string {
  const seconds = Math.round((Date.parse(instant) - nowMs) / 1_000);
  const format = keep(Intl.RelativeTimeFormat, { numeric: 'auto', style: 'short' });
  if (Math.abs(seconds) >= daySeconds) {
    const today = dayFormat.format(nowMs);
    return format.format(daysBetween(today, zonedDayOf(instant)), 'day');
  }
  for (const [unit, size] of steps) {
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  }
  return format.format(Math.trunc(seconds / 60) || 0, 'minute');
}

/** `4.2 hours`, `12 minutes`. Less than a minute is shown as one minute. */
export function formatHours(hours: number): string {
  const inHours = hours >= 1;
  const style = {
    style: 'unit',
    unit: inHours ? 'hour' : 'minute',
    unitDisplay: 'long',
    maximumFractionDigits: inHours ? 1 : 0,
  } as const;
  return keep(Intl.NumberFormat, style).format(
    inHours ? hours : Math.max(1, Math.ceil(hours * 60)),
  );
}

export function formatCountry(code: string): string {
  try {
    return keep(Intl.DisplayNames, { type: 'region' }).of(code.toUpperCase()) ?? code.toUpperCase();
  } catch {
    return code.toUpperCase();
  }
}

export const formatDevice = (device: string): string => deviceOf(device)?.name ?? device;

/** `Germany`, or `Germany, iPad` if the device is not the first one of its store. */
export function formatMarket({
  country,
  device,
}: {
  country: string;
  device?: string | undefined;
}): string {
  const parts = [formatCountry(country), nameOtherDevice(device)].filter((part) => part !== null);
  return keep(Intl.ListFormat, { type: 'unit', style: 'short' }).format(parts);
}

export function formatMoney(value: number, currency: string): string {
  return keep(Intl.NumberFormat, { style: 'currency', currency }).format(value);
}
