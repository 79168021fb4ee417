import type { QueryClient } from '@tanstack/react-query';
import { backtestQuery, backtestSpans, rulesQuery, savedBacktestQuery } from '../queries/alerts.ts';
import { entrantsQuery, gapsQuery, leadersQuery } from '../queries/competitor-analysis.ts';
import { comparedCompetitorsQuery, competitorsQuery } from '../queries/competitors.ts';
import { keywordPagesQuery, keywordsByPositionQuery } from '../queries/keywords.ts';
import { distributionQuery } from '../queries/rankings.ts';
import { marketOf, readScope, spanOfScope } from '../scope.ts';
import { comparedSpan } from './distribution/complete-days.ts';

/** An opened page: its search parameters, and the app of its path. */
interface OpenedPage {
  appId: number;
  search: Record<string, unknown>;
}

export type Prefetch = (client: QueryClient, page: OpenedPage) => unknown;

/**
 * The data of pages whose responses take the server a while, requested while the frame and the code
 * are loading.
 */
export const prefetchKeywords: Prefetch = async (client, { appId }) => {
  void client.prefetchInfiniteQuery(keywordPagesQuery(appId));
  const code = await import('./keywords/request-all-pages.ts').catch(() => null);
  await code?.requestAllPages(client, appId);
};

export const prefetchDistribution: Prefetch = (client, { appId, search }) => {
  const scope = readScope(search);
  return client.prefetchQuery(
    distributionQuery(appId, marketOf(scope), comparedSpan(spanOfScope(scope))),
  );
};

export const prefetchCompetitors: Prefetch = (client, { appId, search }) => {
  const scope = readScope(search);
  const market = marketOf(scope);
  switch (search.tab) {
    case undefined:
    case 'competitors':
      return client.prefetchQuery(comparedCompetitorsQuery(appId));
    case 'gaps':
      return search.kind === undefined
        ? client.prefetchQuery(gapsQuery(appId, market, undefined))
        : undefined;
    case 'market':
      void client.prefetchQuery(leadersQuery(appId, market));
      return client.prefetchInfiniteQuery(entrantsQuery(appId, market, spanOfScope(scope)));
    case 'matrix':
      if (search.phrase !== undefined || search.tag !== undefined) return undefined;
      void client.prefetchQuery(competitorsQuery(appId));
      return client.prefetchInfiniteQuery(keywordsByPositionQuery(appId, market));
    default:
      return undefined;
  }
};

export const prefetchAlerts: Prefetch = (client, { search }) => {
  if (search.tab !== 'rules') return undefined;
  const span = backtestSpans.find((days) => days === String(search.span)) ?? backtestSpans[0];
  const begun = client.getQueryData(rulesQuery.queryKey)
    ? undefined
    : client.fetchQuery(savedBacktestQuery(Number(span)));
  // It is awaited once the rules are here.
  begun?.catch(() => undefined);
  return client
    .fetchQuery(rulesQuery)
    .then(({ rules }) => client.prefetchQuery(backtestQuery(rules, Number(span), begun)))
    .catch(() => undefined);
};
