import { toLowerCase } from '#lib/lower-case.ts';
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
  | 'beyond';

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
    const cell = (field: CsvField) => cells[columnIndexes.get(field)!] ?? '';
    const phrase = toLowerCase(cell('phrase').normalize('NFKC').trim().replace(/\s+/g, ' '));
    const country =
      mapping.columns.country === null ? mapping.country : readCountry(cell('country'));
    const device =
      cell('device').trim() === '' ? mapping.device : readDevice(cell('device'), store);
    const depth = readDepth(cell('depth'));
    const date = kind === 'history' ? readDay(cell('date'), mapping.dateOrder) : '';
    const position = kind === 'history' ? readPosition(cell('position')) : '';
    const depthText = depth || (mapping.depth === null ? '' : String(mapping.depth));
    const fault: Fault | null =
      phrase === '' || isTooLong(phrase)
        ? 'phrase'
        : country === null
          ? 'country'
          : device === null
            ? 'device'
            : date === null
              ? 'date'
              : kind === 'history' && (date >= today || date < '2000-01-01')
                ? 'future'
                : position === null
                  ? 'position'
                  : depth === null
                    ? 'depth'
                    : depth !== '' && Number(position) > Number(depth)
                      ? 'beyond'
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

/** Identifies rows of the same keyword. */
type Market = Pick<PlannedRow, 'phrase' | 'country' | 'device'>;
export const keyOf = ({ phrase, country, device }: Market): string =>
  `${country} ${device} ${phrase}`;
