import { normalisePhrase } from '../keywords/phrase.ts';
import type { StoreName, StoreRequestOptions, Stores } from '../ports.ts';
import { searchHints, type Offered } from './hint-search.ts';

/** As much of a market as a store is asked by. */
export interface AskedMarket {
  store: StoreName;
  country: string;
  /** Normalised. */
  phrase: string;
}

/**
 * In which places a store offers a phrase while it is typed. At most four questions, and as many requests but for a
 * storefront that has to prove that it offers anything. Throws StoreError.
 */
export function askHints(
  stores: Stores,
  { store, country, phrase }: AskedMarket,
  options: StoreRequestOptions,
): Promise<Offered> {
  return searchHints(phrase, async (prefix) => {
    const { terms } = await stores[store].hints({ prefix, country }, options);
    const index = terms.findIndex((term) => normalisePhrase(term) === phrase);
    return index < 0 ? null : index + 1;
  });
}
