import { LRUCache } from 'lru-cache';
import { readCount } from '../value-readers.ts';

/** How people of a language write counts. */
interface CountForm {
  /** The separator of thousands; a space of any kind where that is one. */
  group: string;
  decimal: string;
  /** By the unit as `toUnit` returns it; the empty unit is 1. */
  scales: ReadonlyMap<string, number>;
}

const maxTextLength = 30;
const forms = new LRUCache<string, CountForm>({ max: 200 });

/**
 * A count, or the text in which a page in `language` shows it: `4.9K` in English, `12.345` and
 * `5,2 Mio.` in German, `1.2万` in Japanese. `undefined` for a text that this language does not
 * write, because a separator of thousands in one is a decimal separator in another. Without a known
 * language only plain digits are a count.
 */
export function readShownCount(value: unknown, language: string | null): number | null | undefined {
  if (typeof value !== 'string') return readCount(value);
  const text = value.trim();
  if (text.length > maxTextLength) return undefined;
  if (/^\d+$/.test(text)) return toCount(Number(text));
  const form = language === null ? null : formOf(language);
  const [, digits, unit = ''] = /^(\d(?:\D?\d)*)(\D*)$/u.exec(text) ?? [];
  if (form === null || digits === undefined) return undefined;
  const number = readNumber(digits, form);
  const scale = form.scales.get(toUnit(unit));
  if (number === undefined || scale === undefined) return undefined;
  return scale === 1 && !Number.isInteger(number) ? undefined : toCount(Math.round(number * scale));
}

const toCount = (count: number): number | undefined =>
  Number.isSafeInteger(count) ? count : undefined;

/** At most two decimals: three digits would be a group of thousands. India has groups of two. */
function readNumber(digits: string, { group, decimal }: CountForm): number | undefined {
  const plain = digits.replace(/\D/gu, (separator) =>
    toSeparator(separator) === group ? ',' : separator === decimal ? '.' : '?',
  );
  return /^(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)(?:\.\d{1,2})?$/.test(plain)
    ? Number(plain.replaceAll(',', ''))
    : undefined;
}

/** One for all spaces, and one for both apostrophes. */
const toSeparator = (character: string): string =>
  character.trim() === '' ? ' ' : character.replace('’', "'");

/** Null for text that names no known language. */
function formOf(language: string): CountForm | null {
  const known = forms.get(language);
  if (known) return known;
  if (!isLanguage(language)) return null;
  const format = new Intl.NumberFormat(latin(language), { useGrouping: 'always' });
  const parts = format.formatToParts(12_345.6);
  const find = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const form = {
    group: toSeparator(find('group')),
    decimal: find('decimal'),
    scales: readScales(language),
  };
  forms.set(language, form);
  return form;
}

/** Node formats in its own language when it does not know the requested one. */
function isLanguage(text: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}

const latin = (language: string): Intl.Locale =>
  new Intl.Locale(language, { numberingSystem: 'latn' });

/** The units of the language, and those of its country: India also counts in lakhs. */
function readScales(language: string): Map<string, number> {
  const scales = new Map([['', 1]]);
  for (const locale of [new Intl.Locale(language).language, language]) {
    const format = new Intl.NumberFormat(latin(locale), { notation: 'compact' });
    for (let exponent = 3; exponent <= 9; exponent += 1) {
      const parts = format.formatToParts(10 ** exponent);
      const unit = parts.find(({ type }) => type === 'compact')?.value;
      const shown = parts.filter(({ type }) => type === 'integer').map(({ value }) => value);
      if (unit) scales.set(toUnit(unit), 10 ** exponent / Number(shown.join('')));
    }
  }
  return scales;
}

/** Without the full stop of an abbreviation, and the marks that order text from right to left. */
const toUnit = (unit: string): string =>
  unit
    .replace(/[\u200e\u200f]/g, '')
    .trim()
    .replace(/\.$/, '')
    .toLowerCase();
