import type { AppCard } from '../../domain/ports.ts';
import { readResults, readCard } from './results.ts';
import { unreadable } from '../failures.ts';
import { dedupeById } from '../shape.ts';

export interface ItunesSearch {
  /** Apps for iPhone and iPad in store order, each once. */
  items: AppCard[];
  /** Everything the store returned, Mac apps among it: fewer than asked for means there is no more. */
  returned: number;
}

/**
 * Reads the answer of `/search`. Checked on recordings of 2019-11 (addapp) and 2025-26 (mas-slack).
 * Throws StoreError `unreadable` or `bad_request`; an empty list is only what the store itself calls empty.
 */
export function parseItunesSearch(body: string, limit: number): ItunesSearch {
  const results = readResults(body, limit);
  const software = results.filter((result) => {
    if (typeof result['kind'] !== 'string')
      throw unreadable('ios', 'kind', 'a result without a kind');
    return result['kind'] === 'software';
  });
  // Results of which none is an app would read as "nobody ranks here": that is a changed word, not a market.
  if (results.length > 0 && software.length === 0)
    throw unreadable('ios', 'no-software', 'no result is software');
  return { items: dedupeById(software.map(readCard)), returned: results.length };
}
