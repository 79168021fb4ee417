import type {
  Cost,
  PageResponse,
  SimilarResponse,
  StoreRequestOptions,
} from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import type { EgressReply } from '../egress/fetch.ts';
import type { StoreRequest, RequestKind } from '../exchange.ts';
import { notOffered } from '../store-errors.ts';
import { dedupeById } from '../value-readers.ts';
import type { HostRoot } from '../urls.ts';
import { consentHeaders, pageHeaders, readPage, sessionCookie } from './pages.ts';
import { parsePlayCluster } from './parse-cluster.ts';
import { parsePlayPage, type PlayAppPage } from './parse-page.ts';
import type { PlayPage } from './parse-search.ts';
import { nextPage } from './rpc.ts';
import { clusterUrl, detailsUrl } from './urls.ts';

type Context = StoreRequestContext & { root: HostRoot };
type Query = { storeAppId: string; country: string };

/** The store shows 50, and then as many again. Apps after that are hardly similar. */
const maxSimilar = 100;
const maxContinuations = 3;

/**
 * One request for the facts that the details page shows besides the listing. Throws `not_offered`
 * for 404.
 */
export async function readAppPage(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<PageResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { rating, ratingCount, histogram, similar, unread } = await requestWithRetry(
    context,
    openPage(context, query, 'page'),
    options,
    cost,
  );
  // The short description belongs to the listing, and Play has no subtitle.
  return { subtitle: null, rating, ratingCount, histogram, similar, unread, cost };
}

/**
 * Up to 100 similar apps: the details page links to the cluster's page, which continues by tokens.
 * The selection on the details page itself is the result only when there is no link.
 */
export async function readSimilar(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<SimilarResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { similar, similarPath } = await requestWithRetry(
    context,
    openPage(context, query, 'similar'),
    options,
    cost,
  );
  if (similarPath === null) return { items: similar, cost };
  let cookie = '';
  const { country } = query;
  const request: StoreRequest<PlayPage> = {
    kind: 'similar',
    url: clusterUrl(context.root, { path: similarPath, country }),
    headers: pageHeaders(country),
    consentHeaders,
    read: (reply) => {
      cookie = sessionCookie(reply);
      return readPage(reply, parsePlayCluster);
    },
  };
  const first = await requestWithRetry(context, request, options, cost);
  let items = first.items;
  let { token } = first;
  for (
    let page = 0;
    token !== null && items.length < maxSimilar && page < maxContinuations;
    page++
  ) {
    const next = await requestWithRetry(
      context,
      nextPage(context, { kind: 'similar', country, token, cookie }),
      options,
      cost,
    );
    const longer = dedupeById([...items, ...(next?.items ?? [])]);
    token = longer.length === items.length ? null : (next?.token ?? null);
    items = longer;
  }
  return {
    items: items.filter((app) => app.storeAppId !== query.storeAppId).slice(0, maxSimilar),
    cost,
  };
}

function openPage(context: Context, query: Query, kind: RequestKind): StoreRequest<PlayAppPage> {
  const read = (reply: EgressReply) => {
    if (reply.status === 404)
      throw notOffered('android', '404', 'an app that is not in this country');
    return readPage(reply, (body) => parsePlayPage(body, query));
  };
  return {
    kind,
    url: detailsUrl(context.root, query),
    headers: pageHeaders(query.country),
    consentHeaders,
    read,
  };
}
