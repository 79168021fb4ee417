import { firstDay, type UtcDay } from '#lib/dates.ts';
import { profileOf, type StoreName } from '#domain/base/ports.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { marketKey } from '#domain/tracking/keywords/plan-addition.ts';
import { countryOf } from '../popularity/country-names.ts';
import { readDay } from './read-day.ts';
import { createPositionReader } from './read-position.ts';
import { shorten, type HistoryEntry, type HistoryReason, type Reading } from './reading.ts';

/** The app into which a history is imported. */
export interface HistoryApp {
  store: StoreName;
  storeAppId: string;
  /** The first day that is not in the past. */
  today: UtcDay;
  /** The live keywords by `marketKey`. */
  keywordIds: ReadonlyMap<string, number>;
}

/** The cells of an entry, trimmed; '' where there is none. */
export interface EntryCells {
  line: number;
  column: string | null;
  phrase: string;
  country: string;
  device: string;
  date: string;
  position: string;
  depth: string;
  /** Null: the file does not name an app. */
  app: string | null;
  failure: string;
  /** The row is not what its columns say. */
  isBroken: boolean;
}

export type ReadEntry = (cells: EntryCells) => HistoryEntry;

const rememberedTexts = 20_000;
const longestPhrase = 1_000;

export function createEntryReader(reading: Reading, app: HistoryApp): ReadEntry {
  const { devices } = profileOf(app.store);
  const deviceOfAll = reading.device ?? devices[0].id;
  const deviceIds = new Map(
    devices.flatMap(({ id, name }) => [
      [id, id],
      [name.toLowerCase(), id],
    ]),
  );
  const phraseOf = remember((text) => (text.length > longestPhrase ? '' : normalisePhrase(text)));
  const countryIn = remember(readCountry);
  const { dateFormat } = reading;
  const dayOf = remember((text) => (dateFormat === undefined ? null : readDay(text, dateFormat)));
  const readPosition = createPositionReader(reading);
  const hasGaps = reading.notFound.every((word) => word.trim() !== '');
  return (cells) => {
    const isOfDayColumn = cells.column !== null && reading.layout === 'day_columns';
    const hasDate = reading.columns.date !== undefined || reading.preset === 'asobeast-account';
    const phrase = phraseOf(cells.phrase);
    const country = cells.country === '' ? (reading.country ?? null) : countryIn(cells.country);
    const device =
      cells.device === '' ? deviceOfAll : (deviceIds.get(cells.device.toLowerCase()) ?? null);
    const date = isOfDayColumn ? cells.date : hasDate ? dayOf(cells.date) : (reading.date ?? null);
    const keywordId =
      country === null || device === null
        ? undefined
        : app.keywordIds.get(marketKey({ phrase, country, device }));
    const entry: HistoryEntry = {
      line: cells.line,
      column: cells.column,
      phrase: phrase === '' ? null : shorten(phrase),
      country,
      device,
      keywordId: keywordId ?? null,
      date: date !== null && date >= firstDay ? date : null,
      position: null,
      depth: null,
      reason: null,
      value: null,
    };
    const refuse = (reason: HistoryReason, value: string): HistoryEntry => {
      entry.reason = reason;
      entry.value = shorten(value);
      return entry;
    };
    // First, so that a gap of a wide table has one reason, by which it is counted and not stored.
    if (hasGaps && isGap(cells)) return refuse('no_position', '');
    if (cells.isBroken) return refuse('broken_row', cells.phrase);
    if (cells.failure !== '') return refuse('failed_check', cells.failure);
    if (cells.app !== null && cells.app !== app.storeAppId) return refuse('other_app', cells.app);
    if (phrase === '') return refuse('no_phrase', cells.phrase);
    if (country === null) return refuse('unknown_country', cells.country);
    if (device === null) return refuse('unknown_device', cells.device);
    if (date === null) return refuse('bad_date', cells.date);
    if (date < firstDay || date >= app.today) return refuse('day_not_past', cells.date || date);
    const found = readPosition(cells.position, cells.depth);
    if (typeof found === 'string')
      return refuse(found, found.endsWith('depth') ? cells.depth : cells.position);
    // Last, so that a phrase is reported as missing only where its position could be imported.
    if (keywordId === undefined) return refuse('not_tracked', cells.phrase);
    entry.position = found.position;
    entry.depth = found.depth;
    return entry;
  };
}

/** A day or keyword of a wide table that the line says nothing about. */
const isGap = ({ column, position }: EntryCells) => column !== null && position === '';

/** `US`, `en-US` and `United States` become `us`; null if it is no country. */
function readCountry(text: string): string | null {
  if (text.length > 100) return null;
  const code = /^[A-Za-z]{2,3}[-_]([A-Za-z]{2})$/.exec(text)?.[1];
  return countryOf(code ?? text);
}

/** Files repeat the same texts; what was computed for the last ones is kept. */
function remember<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const kept = known.get(text);
    if (kept !== undefined || known.has(text)) return kept as T;
    if (known.size >= rememberedTexts) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
