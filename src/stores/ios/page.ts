import type { Cost, PageResponse, StoreRequestOptions } from '#domain/base/ports.ts';
import { requestWithRetry, type StoreRequestContext } from '../request-with-retry.ts';
import type { EgressReply } from '../egress/fetch.ts';
import type { StoreRequest } from '../exchange.ts';
import { notOffered, unreadable } from '../store-errors.ts';
import type { HostRoot } from '../urls.ts';
import { parseAppPage } from './parse-page.ts';
import { readReply } from './results.ts';
import { appPages, appPageUrl, movedPagePath } from './urls.ts';

interface Query {
  storeAppId: string;
  country: string;
}

type PageRead = Omit<PageResponse, 'cost'> | { redirectedTo: string };

/**
 * An app's page in one request, or in two when the store redirects to the address with the app's
 * name. Throws `not_offered` where the country has no such page.
 */
export async function readAppPage(
  context: StoreRequestContext & { root: HostRoot },
  query: Query & { kind: 'page' | 'similar' },
  options: StoreRequestOptions,
): Promise<PageResponse> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { kind } = query;
  const askAt = (path: string | null) => {
    const request: StoreRequest<PageRead> = {
      kind,
      url: appPageUrl(context.root, query, path),
      host: appPages,
      headers: { accept: 'text/html' },
      consentHeaders: null,
      read: (reply) => readPage(reply, query),
      ...(path === null && { parseRedirect: (location: string) => parseRedirect(location, query) }),
    };
    return requestWithRetry(context, request, options, cost);
  };
  const first = await askAt(null);
  const page = 'redirectedTo' in first ? await askAt(first.redirectedTo) : first;
  if ('redirectedTo' in page) throw unreadable('ios', 'redirect', 'a page that moves twice');
  return { ...page, cost };
}

function readPage(reply: EgressReply, { storeAppId, country }: Query): PageRead {
  if (reply.status === 404) throw notOffered('ios', '404', `no app ${storeAppId} in ${country}`);
  return readReply((body) => parseAppPage(body, storeAppId))(reply);
}

function parseRedirect(location: string, query: Query): PageRead | null {
  const redirectedTo = movedPagePath(location, query);
  return redirectedTo === null ? null : { redirectedTo };
}
