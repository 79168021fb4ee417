import type { SheetRow, TextForm } from '#domain/base/ports.ts';
import type { HistoryApp } from './entry-reader.ts';
import type { Preset } from './presets.ts';
import { listDateFormats, readDay, type DateFormat } from './read-day.ts';
import type { Reading } from './reading.ts';

interface Seen {
  form: TextForm;
  columns: readonly string[];
  preset: Preset | null;
  sample: readonly SheetRow[];
  app: HistoryApp;
}

/** Names of columns that many tools use. They are a proposal: a person sees and changes them. */
const usual: Partial<Record<keyof Reading['columns'], RegExp>> = {
  phrase: /^(keywords?|phrases?|terms?|search ?terms?|quer(y|ies))$/i,
  country: /^(country|country ?code|store ?front|store ?country|market|region|store ?domain)$/i,
  device: /^(device|device ?type)$/i,
  date: /^(date|day|checked( at)?|timestamp|time|observed ?at)$/i,
  position: /^(position|rank|ranking|app ?rank|current ?rank)$/i,
  depth: /^(depth|checked ?depth|max ?rank)$/i,
};
const fewestDayColumns = 2;
const sampled = 100;

/**
 * A reading to begin with: that of the recognized preset, or columns by their names. Which values
 * mean “not found”, the depth, the country and an ambiguous order of day and month are never
 * guessed.
 */
export function guessReading({ form, columns, preset, sample }: Seen): Partial<Reading> {
  const base = { encoding: form.encoding, delimiter: form.delimiter ?? ',' };
  if (preset) return { ...base, preset: preset.id, ...readingOf(preset, columns) };
  const found: Reading['columns'] = {};
  for (const [field, shape] of Object.entries(usual)) {
    const name = columns.find((column) => shape.test(column.replace(/[_-]+/g, ' ').trim()));
    if (name !== undefined) found[field as keyof typeof usual] = name;
  }
  const dayFormats = formatsOfDayColumns(columns);
  if (found.date === undefined && dayFormats.length > 0) {
    const { position: _, ...others } = found;
    return { ...base, layout: 'day_columns', columns: others, ...onlyOne(dayFormats) };
  }
  const reading = { layout: 'rows', columns: found } as const;
  return {
    ...base,
    ...reading,
    ...onlyOne(listDateFormats(sampleDates(reading, columns, sample))),
  };
}

/** Without the columns that only some files of the preset have. */
function readingOf({ reading }: Preset, columns: readonly string[]): Partial<Reading> {
  if (!reading.columns) return reading;
  const names = new Set(columns.map((name) => name.toLowerCase()));
  const there = Object.entries(reading.columns).filter(
    ([, name]) => name !== undefined && names.has(name.toLowerCase()),
  );
  return { ...reading, columns: Object.fromEntries(there) };
}

/** The first dates of the file, in their column or in the header. */
export function sampleDates(
  { columns: mapped, layout }: Pick<Reading, 'columns' | 'layout'>,
  columns: readonly string[],
  sample: readonly SheetRow[],
): string[] {
  if (layout === 'day_columns') return columns.filter(isDay);
  const index = columns.indexOf(mapped.date ?? '');
  if (index < 0) return [];
  return sample
    .slice(0, sampled)
    .map(({ cells }) => (cells[index] ?? '').trim())
    .filter((text) => text !== '');
}

const isDay = (text: string): boolean =>
  (['ymd', 'dmy', 'mdy'] as const).some((format) => readDay(text, format) !== null);

function formatsOfDayColumns(columns: readonly string[]): DateFormat[] {
  const days = columns.filter(isDay);
  return days.length < fewestDayColumns ? [] : listDateFormats(days);
}

const onlyOne = (formats: readonly DateFormat[]): { dateFormat?: DateFormat } =>
  formats.length === 1 ? { dateFormat: formats[0]! } : {};
