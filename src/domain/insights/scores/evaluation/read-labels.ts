import { CommandError } from '#lib/command-error.ts';
import { CsvError, readCsv } from '#lib/csv-reader.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { storeNames, type StoreName } from '#domain/base/ports.ts';

/** A phrase with the popularity that somebody measured or published. */
export interface Label {
  store: StoreName;
  country: string;
  phrase: string;
  genre: string | null;
  /** 0–100; null: not listed. */
  popularity: number | null;
  /** The market with its evidence; without it, it is looked up by its phrase. */
  marketId?: number;
}

const columns = ['phrase', 'country', 'popularity', 'store', 'genre'] as const;
const required = columns.slice(0, 3);
const maxLabels = 500_000;

/**
 * Reads labels from CSV with the columns phrase, country and popularity, and maybe store (the first
 * store without it) and genre, in any order; others are ignored. A phrase that is there twice has
 * the higher number. Throws CommandError with the row and the remedy.
 */
export function readLabels(text: string): Label[] {
  const [header = [], ...records] = read(text);
  const names = header.map((name) => name.trim().toLowerCase());
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0)
    throw new CommandError(
      `The first line lacks the column ${missing.join(', ')}. Write phrase,country,popularity, ` +
        'and if known store and genre; or give the monthly file of a store.',
    );
  if (records.length > maxLabels)
    throw new CommandError(`The file has more than ${maxLabels} rows. Split it.`);
  const at = (record: readonly string[], name: (typeof columns)[number]) =>
    (record[names.indexOf(name)] ?? '').trim();
  const labels = new Map<string, Label>();
  for (const [index, record] of records.entries()) {
    const label = readLabel((name) => at(record, name), index + 2);
    const key = JSON.stringify([label.store, label.country, label.phrase]);
    const known = labels.get(key);
    if (!known || (known.popularity ?? -1) < (label.popularity ?? -1)) labels.set(key, label);
  }
  return [...labels.values()];
}

function read(text: string): string[][] {
  try {
    return readCsv(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new CommandError(`Row ${error.row} is not CSV: ${error.message}.`);
  }
}

function readLabel(at: (name: (typeof columns)[number]) => string, row: number): Label {
  const phrase = normalisePhrase(at('phrase'));
  if (phrase === '') throw new CommandError(`Row ${row} has no phrase.`);
  const country = at('country').toLowerCase();
  if (!/^[a-z]{2}$/.test(country))
    throw new CommandError(`Row ${row}: the country must be a two-character code, such as us.`);
  const named = at('store').toLowerCase() || storeNames[0];
  const store = storeNames.find((name) => name === named);
  if (store === undefined)
    throw new CommandError(`Row ${row}: the store must be one of ${storeNames.join(', ')}.`);
  const shown = at('popularity');
  const popularity = shown === '' ? null : Number(shown);
  if (popularity !== null && !(popularity >= 0 && popularity <= 100))
    throw new CommandError(
      `Row ${row}: the popularity must be a number from 0 to 100, or empty when not listed.`,
    );
  return { store, country, phrase, genre: at('genre') || null, popularity };
}
