import type { Cost, PageAnswer, StoreRequestOptions } from '../../domain/ports.ts';
import { ask, type AskContext } from '../ask.ts';
import type { EgressReply } from '../egress/fetch.ts';
import type { Question } from '../exchange.ts';
import { notOffered, unreadable } from '../failures.ts';
import type { HostRoot } from '../urls.ts';
import { parseAppPage } from './parse-page.ts';
import { readReply } from './results.ts';
import { appPageUrl, movedPagePath } from './urls.ts';

interface Query {
  storeAppId: string;
  country: string;
}

type PageRead = Omit<PageAnswer, 'cost'> | { movedTo: string };

/**
 * An app's page in one request, or two when the store sends us on to the address with the app's name in it. Throws
 * `not_offered` where the country has no such page.
 */
export async function readAppPage(
  context: AskContext & { root: HostRoot },
  query: Query & { kind: 'page' | 'similar' },
  options: StoreRequestOptions,
): Promise<PageAnswer> {
  const cost: Cost = { requests: 0, bytes: 0, ms: 0 };
  const { kind } = query;
  const askAt = (path: string | null) => {
    const question: Question<PageRead> = {
      kind,
      url: appPageUrl(context.root, query, path),
      headers: { accept: 'text/html' },
      consentHeaders: null,
      read: (reply) => readPage(reply, query),
      ...(path === null && { readMove: (location: string) => readMove(location, query) }),
    };
    return ask(context, question, options, cost);
  };
  const first = await askAt(null);
  const page = 'movedTo' in first ? await askAt(first.movedTo) : first;
  if ('movedTo' in page) throw unreadable('ios', 'redirect', 'a page that moves twice');
  return { ...page, cost };
}

function readPage(reply: EgressReply, { storeAppId, country }: Query): PageRead {
  if (reply.status === 404) throw notOffered('ios', '404', `no app ${storeAppId} in ${country}`);
  return readReply((body) => parseAppPage(body, storeAppId))(reply);
}

function readMove(location: string, query: Query): PageRead | null {
  const movedTo = movedPagePath(location, query);
  return movedTo === null ? null : { movedTo };
}
