import type { DatabaseSync } from 'node:sqlite';
import { hasColumns, type DatabaseSchema } from './database-schema.ts';
import type { HistoryDatabase } from './history-row.ts';
import { asPosition } from './keywordista.ts';

interface Stored {
  app: string;
  phrase: string;
  country: string | null;
  history: string | null;
  device: string | null;
}

/** The database of SerpBear, which has the days of a keyword as JSON without leading zeros. */
export function openSerpBear(
  database: DatabaseSync,
  schema: DatabaseSchema,
): HistoryDatabase | null {
  if (!hasColumns(schema, 'keyword', ['keyword', 'country', 'domain', 'history'])) return null;
  const hasDevice = hasColumns(schema, 'keyword', ['device']);
  return {
    tool: 'SerpBear',
    source: 'keyword.history',
    // Desktop and mobile are those of a web search, and no devices of a store.
    hasDevices: false,
    notes: [
      'These are positions in a web search, not in a store.',
      'SerpBear repeats the position of the day before when a check fails; such days cannot be ' +
        'recognised.',
      ...(hasDevice ? describeDevices(database) : []),
    ],
    *rows() {
      const stored = database
        .prepare(
          `select domain as app, keyword as phrase, country, history,
             ${hasDevice ? 'device' : 'null'} as device
           from keyword`,
        )
        .iterate() as Iterable<Stored>;
      for (const { history, country, ...keyword } of stored)
        for (const [day, value] of Object.entries(parseHistory(history))) {
          const date = padDay(day);
          if (date === null) continue;
          const position = value === 0 ? 'not found' : asPosition(value);
          yield { ...keyword, country: country?.toLowerCase() ?? null, date, position };
        }
    },
  };
}

function describeDevices(database: DatabaseSync): string[] {
  const rows = database
    .prepare('select distinct device from keyword where device is not null order by device')
    .all() as { device: string }[];
  if (rows.length < 2) return [];
  return [
    `The devices ${rows.map(({ device }) => device).join(', ')} have no column in the file, ` +
      'and the import reads the first position of a day. Write one of them with --device.',
  ];
}

function parseHistory(text: string | null): Record<string, unknown> {
  try {
    const history: unknown = JSON.parse(text ?? '{}');
    return history !== null && typeof history === 'object'
      ? (history as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** `2026-3-7` as `2026-03-07`; null for another text. */
function padDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}
