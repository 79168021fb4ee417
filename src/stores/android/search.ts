import {
  StoreError,
  type Cost,
  type SearchAnswer,
  type StoreRequestOptions,
} from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import type { EgressReply } from '../egress/fetch.ts';
import { playLanguage } from '../languages.ts';
import { dedupeById } from '../shape.ts';
import type { HostRoot } from '../urls.ts';
import { pageHeaders, consentHeaders, readPage, sessionCookie } from './pages.ts';
import { parsePlaySearch, type PlayPage } from './parse-search.ts';
import { nextPage } from './rpc.ts';
import { searchUrl } from './urls.ts';

type Query = { phrase: string; country: string; depth: number };
type Found = Pick<SearchAnswer, 'items' | 'depthReached' | 'end'>;
type Context = AskContext & { root: HostRoot };

/** A way to search Play. They are tried in order; the next only where one could not understand its answer. */
interface SearchProvider {
  name: string;
  search(context: Context, query: Query, options: StoreRequestOptions, cost: Cost): Promise<Found>;
}

const providers: readonly SearchProvider[] = [{ name: 'web', search: searchWeb }];

/** 20 places a page are the fewest ever seen, so this is deep enough for 480; beyond it something is wrong. */
const maxContinuations = 24;

export async function searchPlay(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<SearchAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  let failure: unknown;
  for (const provider of providers) {
    try {
      const found = await provider.search(context, query, options, cost);
      return {
        ...found,
        depthRequested: query.depth,
        provider: provider.name,
        language: playLanguage(query.country),
        cost,
      };
    } catch (error) {
      if (!(error instanceof StoreError) || error.failure !== 'unreadable') throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * The search page people see, followed as far as it gives tokens. Today it gives none: 20 to 30 places, and the depth
 * reached says so. A failure on the way throws the whole search away: half a list would be read as "not found".
 */
async function searchWeb(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
  cost: Cost,
): Promise<Found> {
  let cookie = '';
  const first = await ask(
    context,
    firstPage(context, query, (reply) => (cookie = sessionCookie(reply))),
    options,
    cost,
  );
  let items = first.items;
  let { token } = first;
  if (items.length === 0 && token === null) return { items, depthReached: 0, end: 'exhausted' };
  let end: SearchAnswer['end'] = 'truncated';
  for (
    let page = 0;
    token !== null && items.length < query.depth && page < maxContinuations;
    page++
  ) {
    const next: PlayPage | null = await ask(
      context,
      nextPage(context, { kind: 'search', country: query.country, token, cookie }),
      options,
      cost,
    );
    if (next === null) break;
    const longer = dedupeById([...items, ...next.items]);
    // A page of apps already seen would go on for ever.
    if (longer.length === items.length && next.token !== null) break;
    items = longer;
    token = next.token;
    if (token === null) end = 'exhausted';
  }
  if (items.length >= query.depth)
    return { items: items.slice(0, query.depth), depthReached: query.depth, end: 'depth' };
  return { items, depthReached: items.length, end };
}

function firstPage(context: Context, query: Query, onReply: (reply: EgressReply) => void) {
  return {
    kind: 'search' as const,
    url: searchUrl(context.root, query),
    headers: pageHeaders(query.country),
    consentHeaders,
    read: (reply: EgressReply) => {
      onReply(reply);
      return readPage(reply, parsePlaySearch);
    },
  };
}
