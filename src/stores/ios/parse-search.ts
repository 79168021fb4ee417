import type { AppCard } from '#domain/base/ports.ts';
import { isApp, readCard, readResults, runsOn } from './results.ts';
import { unreadable } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';

export interface ItunesSearch {
  /** Apps for the device in store order, each once. */
  items: AppCard[];
  /**
   * The number of returned results of any kind: fewer than requested means that there are no more.
   */
  returned: number;
}

/**
 * Reads the response of `/search`. Checked on recordings of 2019-11 (addapp) and 2025-26
 * (mas-slack). Throws StoreError `unreadable` or `bad_request`; an empty list means that the store
 * itself returned an empty one.
 */
export function parseItunesSearch(
  body: string,
  { device, limit }: { device: string; limit: number },
): ItunesSearch {
  const results = readResults(body, limit);
  const software = results.filter(isApp).filter((result) => runsOn(result, device));
  // Results without a single app would read as "no app ranks here": a renamed kind is more likely.
  if (results.length > 0 && software.length === 0)
    throw unreadable('ios', 'no-software', 'no result is software');
  return { items: dedupeById(software.map(readCard)), returned: results.length };
}
