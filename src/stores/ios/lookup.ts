import type { Cost, ListingsAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import { itunesLanguage } from '../languages.ts';
import type { HostRoot } from '../urls.ts';
import { parseItunesLookup } from './parse-lookup.ts';
import { readReply } from './results.ts';
import { lookupUrl, maxLookupIds } from './urls.ts';

/** Up to 200 apps a request: more are answered with 502. */
export async function lookUp(
  context: AskContext & { root: HostRoot },
  query: { ids: string[]; country: string },
  options: StoreRequestOptions,
): Promise<ListingsAnswer> {
  const { country } = query;
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const answer: ListingsAnswer = {
    found: [],
    missing: [],
    language: itunesLanguage(country),
    cost,
  };
  for (let from = 0; from < query.ids.length; from += maxLookupIds) {
    const ids = query.ids.slice(from, from + maxLookupIds);
    const question = {
      kind: 'listing' as const,
      url: lookupUrl(context.root, { ids, country }),
      headers: { accept: '*/*' },
      consentHeaders: null,
      read: readReply((body) => parseItunesLookup(body, { country, limit: ids.length })),
    };
    const byId = await ask(context, question, options, cost);
    for (const id of ids) {
      const listing = byId.get(id);
      if (listing === undefined) answer.missing.push(id);
      else answer.found.push(listing);
    }
  }
  return answer;
}
