import type { DatabaseSync } from 'node:sqlite';
import { hasColumns, type DatabaseSchema } from './database-schema.ts';
import type { HistoryDatabase, HistoryRow } from './history-row.ts';

interface Stored {
  app: string;
  phrase: string;
  country: string;
  rank: unknown;
  first: string | null;
  last: string;
}

/**
 * The backup of Keywordista. A row is a run of checks with one result; only its first and its last
 * day are known to have been checked.
 */
export function openKeywordista(
  database: DatabaseSync,
  schema: DatabaseSchema,
): HistoryDatabase | null {
  const isKnown =
    hasColumns(schema, 'keywords', ['id', 'term', 'country_code']) &&
    hasColumns(schema, 'watched_apps', ['id', 'app_store_id']) &&
    hasColumns(schema, 'rank_checks', [
      'keyword_id',
      'watched_app_id',
      'rank',
      'checked_at',
      'first_seen_at',
    ]);
  if (!isKnown) return null;
  return {
    tool: 'Keywordista',
    source: 'rank_checks',
    hasDevices: false,
    notes: ['Of a run of checks with the same result, the first and the last day are written.'],
    *rows() {
      const stored = database
        .prepare(
          `select cast(a.app_store_id as text) as app, k.term as phrase,
             k.country_code as country, c.rank, c.first_seen_at as first, c.checked_at as last
           from rank_checks c
           join keywords k on k.id = c.keyword_id
           join watched_apps a on a.id = c.watched_app_id
           order by a.id, k.id, c.checked_at`,
        )
        .iterate() as Iterable<Stored>;
      for (const { app, phrase, country, rank, first, last } of stored) {
        const row: HistoryRow = {
          app,
          phrase,
          country,
          device: null,
          date: last,
          position: rank === null ? 'not found' : asPosition(rank),
        };
        if (first !== null && first.slice(0, 10) !== last.slice(0, 10))
          yield { ...row, date: first };
        yield row;
      }
    },
  };
}

/** Null for a value that is no position. */
export const asPosition = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 ? value : null;
