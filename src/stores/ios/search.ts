import type { Cost, SearchAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import { itunesLanguage } from '../languages.ts';
import { parseItunesSearch, type ItunesSearch } from './parse-search.ts';
import { readReply } from './results.ts';
import { maxSearchResults, searchUrl } from './urls.ts';
import type { HostRoot } from '../urls.ts';

/** One request, always for 200: the answer is cached by its address, and Mac apps in it are not places. */
export async function searchItunes(
  context: AskContext & { root: HostRoot },
  query: { phrase: string; country: string; depth: number },
  options: StoreRequestOptions,
): Promise<SearchAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const answer = await ask(
    context,
    {
      kind: 'search',
      url: searchUrl(context.root, query),
      headers: { accept: '*/*' },
      consentHeaders: null,
      read: readReply((body) => parseItunesSearch(body, maxSearchResults)),
    },
    options,
    cost,
  );
  return {
    ...measureDepth(answer, query.depth),
    provider: 'itunes',
    language: itunesLanguage(query.country),
    cost,
  };
}

/** Fewer than 200 returned: the index holds no more. Of a full answer that Mac apps have shrunk, only the places that were seen count. */
export function measureDepth(
  answer: ItunesSearch,
  depth: number,
): Pick<SearchAnswer, 'items' | 'depthRequested' | 'depthReached' | 'end'> {
  const items = answer.items.slice(0, depth);
  const places = answer.items.length;
  if (places >= depth) return { items, depthRequested: depth, depthReached: depth, end: 'depth' };
  if (answer.returned < maxSearchResults)
    return { items, depthRequested: depth, depthReached: places, end: 'exhausted' };
  return { items, depthRequested: depth, depthReached: places, end: 'truncated' };
}
