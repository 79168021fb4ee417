import { appsQuery, moversQuery, overviewQuery } from '#web/queries/apps.ts';
import { newestEventsQuery, openActionsQuery, ratingQuery } from '#web/queries/overview.ts';
import { comparisonTotalsQuery, distributionQuery } from '#web/queries/rankings.ts';
import { runsQuery } from '#web/queries/runs.ts';
import { timelineEventsQuery } from '#web/queries/timeline.ts';
import { visibilityQuery } from '#web/queries/visibility.ts';
import { marketOf, readScope, spanOfScope } from '#web/scope.ts';
import type { Prefetch } from '../prefetch-data.ts';
import { comparedSpan, findCompleteDays } from '../distribution/complete-days.ts';

/**
 * Requests the data of the overview while its code is loading. Cards retry failed requests
 * themselves.
 */
export const prefetchOverview: Prefetch = (client, { appId, search }) => {
  if (appId === 0) return;
  const scope = readScope(search);
  const market = marketOf(scope);
  const span = spanOfScope(scope);
  void client.prefetchQuery(overviewQuery(appId, market));
  void client.prefetchQuery(visibilityQuery(appId, market, span));
  void client
    .fetchQuery(distributionQuery(appId, market, comparedSpan(span)))
    .then(({ items, segments }) => {
      const full = findCompleteDays(items, span, segments);
      void client.prefetchQuery(
        moversQuery(appId, market, full ? { from: full.first.date, to: full.last.date } : span),
      );
      if (full)
        void client.prefetchQuery(
          comparisonTotalsQuery(appId, market, full.first.date, full.last.date),
        );
    })
    .catch(() => undefined);
  void client
    .fetchQuery(appsQuery)
    .then(({ items }) => {
      const app = items.find(({ id }) => id === appId);
      if (app) void client.prefetchQuery(ratingQuery(appId, app.primaryCountry, span));
    })
    .catch(() => undefined);
  void client.prefetchQuery(timelineEventsQuery(appId, span));
  void client.prefetchQuery(openActionsQuery(appId));
  void client.prefetchQuery(newestEventsQuery(appId));
  void client.prefetchQuery(runsQuery(1));
};
