import { popularityGenres } from '#domain/base/ports.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { countCharacters, hasControlCharacter, isStorable } from '#lib/text.ts';
import { monthOf } from '#lib/dates.ts';
import { countryOf } from './country-names.ts';
import type { RefusedReason } from './refused-rows.ts';

/** The columns by name, and whether every file has them. */
export const columnNames = {
  month: 'Month',
  country: 'Country or Region',
  genre: 'Genre',
  term: 'Search Term',
  rank: 'Rank in Genre',
  popularityInGenre: 'Search Popularity in Genre (1-100)',
  popularity: 'Search Popularity (1-100)',
  level: 'Search Popularity (1-5)',
} as const;
export type Column = keyof typeof columnNames;
export const requiredColumns = (Object.keys(columnNames) as Column[]).filter(
  (column) => column !== 'month',
);

export interface TermRow {
  /** The first day of the month. */
  month: string;
  country: string;
  /** The index in `popularityGenres`. */
  genre: number;
  rank: number;
  popularityInGenre: number;
  popularity: number;
  level: number;
  term: string;
  original: string | null;
}

export interface RowRefusal {
  reason: RefusedReason;
  value: string;
  /**
   * The set that lacks the row; a month that cannot be read is null. Null when the country is
   * unknown, or the month is not one of those that are kept.
   */
  set: { country: string; month: string | null } | null;
}

export interface ReadingRules {
  /** The month that the head of the file states, or null. */
  month: string | null;
  /** Months from this one on are kept. */
  oldest: string;
  /** The current month. */
  newest: string;
}

const termCharactersMax = 200;
const rankMax = 5_000;
/** Genres by Apple's labels, folded; `New & Publication` is its spelling. */
const genres = new Map<string, number>([
  ...popularityGenres.map((code, index) => [foldGenre(code), index] as const),
  ['newspublication', popularityGenres.indexOf('new_publication')],
]);

/** Reads one row. `read` returns the text of a column, '' without one. */
export function readTermRow(
  read: (column: Column) => string,
  rules: ReadingRules,
): TermRow | RowRefusal {
  const country = countryOf(read('country'));
  const month = readRowMonth(read('month'), rules);
  const refuse = (reason: RefusedReason, column: Column): RowRefusal => ({
    reason,
    value: read(column),
    set: country === null ? null : lackingSet(country, month, rules),
  });
  if (country === null) return refuse('unknown_country', 'country');
  const genre = genres.get(foldGenre(read('genre')));
  if (genre === undefined) return refuse('unknown_genre', 'genre');
  if (typeof month === 'string') return refuse(month, 'month');
  const original = read('term').trim();
  if (!isTerm(original)) return refuse('bad_term', 'term');
  const rank = readWhole(read('rank'), rankMax);
  if (rank === null) return refuse('bad_rank', 'rank');
  const numbers = { popularityInGenre: 100, popularity: 100, level: 5 } as const;
  const values = { popularityInGenre: 0, popularity: 0, level: 0 };
  for (const [column, max] of Object.entries(numbers) as [keyof typeof numbers, number][]) {
    const value = readWhole(read(column), max);
    if (value === null) return refuse('bad_number', column);
    values[column] = value;
  }
  const term = normalisePhrase(original);
  return {
    ...month,
    country,
    genre,
    rank,
    ...values,
    term,
    original: term === original ? null : original,
  };
}

type RefusedMonth = 'bad_month' | 'other_month' | 'future_month' | 'old_month';

function readRowMonth(text: string, rules: ReadingRules): { month: string } | RefusedMonth {
  const month = text.trim() === '' ? rules.month : readMonth(text);
  if (month === null) return 'bad_month';
  if (rules.month !== null && month !== rules.month) return 'other_month';
  if (month > rules.newest) return 'future_month';
  return month < rules.oldest ? 'old_month' : { month };
}

function lackingSet(
  country: string,
  month: { month: string } | RefusedMonth,
  rules: ReadingRules,
): RowRefusal['set'] {
  if (rules.month !== null) return { country, month: rules.month };
  if (typeof month === 'object') return { country, ...month };
  return month === 'bad_month' ? { country, month: null } : null;
}

const serialEpochMs = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

/** `2025-09`, `2025-09-01`, `2025/09`, or a date cell of a workbook. Null for anything else. */
export function readMonth(text: string): string | null {
  const named = /^(20\d\d)[-/](0[1-9]|1[0-2])(?:[-/](?:0[1-9]|[12]\d|3[01]))?(?:T.{0,20})?$/.exec(
    text.trim(),
  );
  if (named) return `${named[1]}-${named[2]}-01`;
  if (!/^[3-7]\d{4}$/.test(text.trim())) return null;
  const day = new Date(serialEpochMs + Number(text) * dayMs).toISOString().slice(0, 10);
  return day.startsWith('20') ? monthOf(day) : null;
}

function readWhole(text: string, max: number): number | null {
  if (!/^\s*\d{1,5}(\.0{1,6})?\s*$/.test(text)) return null;
  const value = Number(text);
  return value >= 1 && value <= max ? value : null;
}

/** True for a term that can be stored: with a visible character, up to 200 in all. */
export function isTerm(text: string): boolean {
  return (
    /[^\p{Cf}\s]/u.test(text) &&
    isStorable(text) &&
    !hasControlCharacter(text) &&
    text.length <= 2 * termCharactersMax &&
    countCharacters(normalisePhrase(text)) <= termCharactersMax
  );
}

function foldGenre(label: string): string {
  return label.toLowerCase().replaceAll(/[^a-z]|\band\b/g, '');
}
