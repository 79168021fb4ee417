import { normalisePhrase } from '#lib/normalise-phrase.ts';
import {
  addCosts,
  addEarlierCost,
  type Cost,
  type StoreName,
  type StoreRequestOptions,
  type Stores,
} from '#domain/base/ports.ts';
import { searchHints, type HintReading, type Offered } from './hint-search.ts';

/** The part of a market that a store request needs. */
export interface MarketQuery {
  store: StoreName;
  country: string;
  device: string;
  /** Normalised. */
  phrase: string;
}

/**
 * The responses with which a store offers a phrase while it is typed. At most four queries, with
 * one request each except for a storefront that must first prove that it has hints. Throws
 * StoreError with the cost of all queries.
 */
export function fetchHints(
  stores: Stores,
  { store, country, phrase }: Omit<MarketQuery, 'device'>,
  options: StoreRequestOptions,
): Promise<Offered> {
  let cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  return searchHints(phrase, async (prefix) => {
    const response = await stores[store]
      .hints({ prefix, country }, options)
      .catch(addEarlierCost(cost));
    cost = addCosts(cost, response.cost);
    return readTerms(response.terms.map(normalisePhrase), phrase);
  });
}

/** The part of a response that scores need, which is all that is stored of it. Pure. */
export function readTerms(terms: readonly string[], phrase: string): HintReading {
  const index = terms.indexOf(phrase);
  const continuing = terms.filter((term) => term.startsWith(`${phrase} `)).length;
  const hasPlural = terms.includes(`${phrase}s`) || terms.includes(`${phrase}es`);
  return [index < 0 ? null : index + 1, terms.length, continuing, hasPlural ? 1 : 0];
}
