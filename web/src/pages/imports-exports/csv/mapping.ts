import type { CsvTable } from './parse-csv.ts';
import { guessDateOrder, type DateOrder } from './parse-values.ts';
import type { App } from '#web/api.ts';
import { listDeviceIds } from '#stores/profiles.ts';

/** The content of the file: positions of past days, or keywords to track. */
export const csvKinds = ['history', 'keywords'] as const;
export type CsvKind = (typeof csvKinds)[number];

const fields = ['phrase', 'country', 'device', 'date', 'position', 'depth', 'tags'] as const;
export type CsvField = (typeof fields)[number];

export const fieldsOf: Record<CsvKind, readonly CsvField[]> = {
  history: ['phrase', 'country', 'device', 'date', 'position', 'depth'],
  keywords: ['phrase', 'country', 'device', 'depth', 'tags'],
};
export const requiredFields: Record<CsvKind, readonly CsvField[]> = {
  history: ['phrase', 'date', 'position'],
  keywords: ['phrase'],
};

export interface Mapping {
  /** The column of each field; null if there is none. */
  columns: Record<CsvField, string | null>;
  /** The country of rows without one. */
  country: string;
  /** The device of rows without one. */
  device: string;
  /** The depth of rows without one; null if unknown. */
  depth: number | null;
  dateOrder: DateOrder;
}

/** Column names used by other tools. */
const known: Record<CsvField, RegExp> = {
  phrase: /^(keywords?|phrases?|terms?|search ?terms?|quer(y|ies))$/i,
  country: /^(country|country ?code|store ?front|store ?country|market|region|locale|store)$/i,
  device: /^(device|device ?type)$/i,
  date: /^(date|day|checked( at)?|timestamp|time)$/i,
  position: /^(position|rank|ranking|place|app ?rank|current ?rank)$/i,
  depth: /^(depth|checked ?depth|max ?rank)$/i,
  tags: /^(tags?|labels?|groups?|lists?)$/i,
};
const sampleSize = 200;

export function guessMapping(
  table: CsvTable,
  { primaryCountry: country, store }: Pick<App, 'primaryCountry' | 'store'>,
): Mapping {
  const plain = (name: string) => name.replace(/[_-]+/g, ' ').trim();
  const find = (field: CsvField) =>
    table.columns.find((name) => known[field].test(plain(name))) ?? null;
  const columns = Object.fromEntries(
    fields.map((field) => [field, find(field)]),
  ) as Mapping['columns'];
  const devices = listDeviceIds(store);
  if (devices.length === 1) columns.device = null;
  const dateAt = columns.date === null ? -1 : table.columns.indexOf(columns.date);
  const dates = dateAt < 0 ? [] : table.rows.slice(0, sampleSize).map((row) => row[dateAt]!);
  return { columns, country, device: devices[0]!, depth: null, dateOrder: guessDateOrder(dates) };
}
