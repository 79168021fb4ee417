import { firstDay } from '#lib/dates.ts';
import { unguardFormula } from '#lib/csv-writer.ts';
import { normalisePhrase } from '#lib/normalise-phrase.ts';
import { countCharacters, hasControlCharacter, isStorable } from '#lib/text.ts';
import type { Store } from '#web/api.ts';
import { isTooLong } from '#web/components/phrase-rules.ts';
import type { CsvKind, CsvField, Mapping } from './mapping.ts';
import type { CsvTable } from './parse-csv.ts';
import { readCountry, readDay, readDepth, readDevice, readPosition } from './parse-values.ts';

export type Fault =
  | 'phrase'
  | 'country'
  | 'device'
  | 'date'
  | 'future'
  | 'position'
  | 'depth'
  | 'beyond'
  | 'tags';

export interface PlannedRow {
  /** Row of the file, counted from 1 without the header. */
  row: number;
  phrase: string;
  country: string;
  device: string;
  /** A row of a history as the API reads it. */
  date: string;
  position: string;
  depth: string;
  tags: string;
  /** Why the row is rejected; null if it is valid. */
  fault: Fault | null;
}

/**
 * All rows as they would be sent, with their errors. `today` is the first day that is not in the
 * past.
 */
export function planRows(
  table: CsvTable,
  mapping: Mapping,
  kind: CsvKind,
  { store, today }: { store: Store; today: string },
): PlannedRow[] {
  const columnIndexes = new Map(
    Object.entries(mapping.columns).map(([field, name]) => [
      field,
      name === null ? -1 : table.columns.indexOf(name),
    ]),
  );
  return table.rows.map((cells, index) => {
    const cell = (field: CsvField) => unguardFormula(cells[columnIndexes.get(field)!] ?? '');
    const phrase = normalisePhrase(cell('phrase'));
    const country =
      mapping.columns.country === null ? mapping.country : readCountry(cell('country'));
    const device =
      cell('device').trim() === '' ? mapping.device : readDevice(cell('device'), store);
    const depth = readDepth(cell('depth'));
    const date = kind === 'history' ? readDay(cell('date'), mapping.dateOrder) : '';
    const position = kind === 'history' ? readPosition(cell('position')) : '';
    const depthText = depth || (mapping.depth === null ? '' : String(mapping.depth));
    const fault: Fault | null = !isPhrase(phrase)
      ? 'phrase'
      : country === null
        ? 'country'
        : device === null
          ? 'device'
          : date === null
            ? 'date'
            : kind === 'history' && (date >= today || date < firstDay)
              ? 'future'
              : position === null
                ? 'position'
                : depth === null
                  ? 'depth'
                  : depth !== '' && Number(position) > Number(depth)
                    ? 'beyond'
                    : hasTagFault(cell('tags'))
                      ? 'tags'
                      : null;
    return {
      row: index + 1,
      phrase,
      country: country ?? '',
      device: device ?? '',
      date: date ?? '',
      position: position ?? '',
      depth: depthText,
      tags: cell('tags'),
      fault,
    };
  });
}

/** As the API accepts it, and without the mark of a character that could not be decoded. */
const isPhrase = (phrase: string): boolean =>
  /[^\p{Cf}\s]/u.test(phrase) &&
  !isTooLong(phrase) &&
  isStorable(phrase) &&
  !hasControlCharacter(phrase) &&
  !phrase.includes('\ufffd');

/** Limits of the API, repeated here to show problems before rows are sent. */
const maxTags = 20;
const maxTagCharacters = 40;

function hasTagFault(text: string): boolean {
  const tags = new Set(text.split(/[;|]/).map((tag) => tag.trim()));
  tags.delete('');
  return (
    !isStorable(text) ||
    tags.size > maxTags ||
    [...tags].some((tag) => countCharacters(tag) > maxTagCharacters)
  );
}

/** Identifies rows of the same keyword. */
type Market = Pick<PlannedRow, 'phrase' | 'country' | 'device'>;
export const keyOf = ({ phrase, country, device }: Market): string =>
  `${country} ${device} ${phrase}`;
