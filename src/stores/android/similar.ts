import type { Cost, PageAnswer, SimilarAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import type { EgressReply } from '../egress/fetch.ts';
import type { Question, RequestKind } from '../exchange.ts';
import { notOffered } from '../failures.ts';
import { dedupeById } from '../shape.ts';
import type { HostRoot } from '../urls.ts';
import { consentHeaders, pageHeaders, readPage, sessionCookie } from './pages.ts';
import { parsePlayCluster } from './parse-cluster.ts';
import { parsePlayPage, type PlayAppPage } from './parse-page.ts';
import type { PlayPage } from './parse-search.ts';
import { nextPage } from './rpc.ts';
import { clusterUrl, detailsUrl } from './urls.ts';

type Context = AskContext & { root: HostRoot };
type Query = { storeAppId: string; country: string };

/** The store shows 50, then as many again; more is nobody's neighbour. */
const maxSimilar = 100;
const maxContinuations = 3;

/** One request: what the details page shows besides the listing. Throws `not_offered` for 404. */
export async function readAppPage(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<PageAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { rating, ratingCount, histogram, similar } = await ask(
    context,
    openPage(context, query, 'page'),
    options,
    cost,
  );
  // The short description stands with the listing; Play has no subtitle.
  return { subtitle: null, rating, ratingCount, histogram, similar, cost };
}

/**
 * Up to 100 similar apps: the details page leads to the cluster's page, and that one on by tokens. The cluster is what
 * is answered, as the few apps of the details page are a selection of it; those are the answer only where it leads nowhere.
 */
export async function readSimilar(
  context: Context,
  query: Query,
  options: StoreRequestOptions,
): Promise<SimilarAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { similar, similarPath } = await ask(
    context,
    openPage(context, query, 'similar'),
    options,
    cost,
  );
  if (similarPath === null) return { items: similar, cost };
  let cookie = '';
  const { country } = query;
  const question: Question<PlayPage> = {
    kind: 'similar',
    url: clusterUrl(context.root, { path: similarPath, country }),
    headers: pageHeaders(country),
    consentHeaders,
    read: (reply) => {
      cookie = sessionCookie(reply);
      return readPage(reply, parsePlayCluster);
    },
  };
  const first = await ask(context, question, options, cost);
  let items = first.items;
  let { token } = first;
  for (
    let page = 0;
    token !== null && items.length < maxSimilar && page < maxContinuations;
    page++
  ) {
    const next = await ask(
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

function openPage(context: Context, query: Query, kind: RequestKind): Question<PlayAppPage> {
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
