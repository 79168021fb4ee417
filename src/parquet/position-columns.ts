import type { SchemaElement } from 'hyparquet';
import type { PositionRow } from '#domain/base/ports/position-files.ts';

/** Days and instants are plain numbers: an object for each would fill the memory. */
type Value = string | number | bigint | null;

interface Column {
  element: SchemaElement;
  read: (row: PositionRow) => Value;
}

const dayMs = 86_400_000;

const text = (name: string, read: Column['read'], isRequired = false): Column => ({
  element: {
    name,
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL',
  },
  read,
});
const number = (name: string, read: Column['read'], isRequired = false): Column => ({
  element: { name, type: 'INT32', repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL' },
  read,
});

/** A column for each field, in the order of `reader.positions`. */
const columns: readonly Column[] = [
  {
    element: { name: 'date', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
    read: ({ date }) => Date.parse(`${date}T00:00:00Z`) / dayMs,
  },
  number('app_id', (row) => row.appId, true),
  text('store', (row) => row.store, true),
  text('store_app_id', (row) => row.storeAppId, true),
  number('keyword_id', (row) => row.keywordId, true),
  text('keyword', (row) => row.keyword, true),
  text('country', (row) => row.country, true),
  text('device', (row) => row.device, true),
  text('state', (row) => row.state, true),
  number('position', (row) => row.position),
  number('depth', (row) => row.depth),
  text('reason', (row) => row.reason),
  {
    element: {
      name: 'checked_at',
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      repetition_type: 'OPTIONAL',
    },
    read: ({ checkedAt }) => (checkedAt === null ? null : BigInt(Date.parse(checkedAt))),
  },
  text('provider', (row) => row.provider),
  text('fallback_provider', (row) => row.fallbackProvider),
  number('fallback_position', (row) => row.fallbackPosition),
  number('fallback_depth', (row) => row.fallbackDepth),
];

export const positionSchema: SchemaElement[] = [
  { name: 'positions', num_children: columns.length },
  ...columns.map(({ element }) => element),
];

/** The rows of a row group, column by column. */
export class PositionBatch {
  private readonly data = columns.map((): Value[] => []);

  get length(): number {
    return this.data[0]!.length;
  }

  add(rows: readonly PositionRow[]): void {
    for (const row of rows)
      for (const [index, { read }] of columns.entries()) this.data[index]!.push(read(row));
  }

  /** In the form that the writer takes. */
  toColumns(): { name: string; data: Value[] }[] {
    return columns.map(({ element }, index) => ({ name: element.name, data: this.data[index]! }));
  }
}
