import type { QueryClient } from '@tanstack/react-query';
import { fetchChart } from '../../components/chart/lazy-chart.tsx';
import { appsQuery, moversQuery, overviewQuery } from '../../queries/apps.ts';
import { newestEventsQuery, openActionsQuery, ratingQuery } from '../../queries/overview.ts';
import { compareQuery, distributionQuery } from '../../queries/rankings.ts';
import { runsQuery } from '../../queries/runs.ts';
import { marksQuery } from '../../queries/timeline.ts';
import { visibilityQuery } from '../../queries/visibility.ts';
import { spanOfScope, type Scope } from '../../scope.ts';
import { findFullDays } from './figures.ts';

/** Asks for all that the overview shows while its code is still on the way; a part whose answer fails asks again by itself. */
export function startOverview(client: QueryClient, appId: number, scope: Scope): void {
  const { country } = scope;
  const span = spanOfScope(scope);
  void client.prefetchQuery(overviewQuery(appId, country));
  void client.prefetchQuery(visibilityQuery(appId, country, span));
  void client
    .fetchQuery(distributionQuery(appId, country, span))
    .then(({ items }) => {
      const full = findFullDays(items);
      void client.prefetchQuery(
        moversQuery(appId, country, full ? { from: full.first.date, to: full.last.date } : span),
      );
      if (full)
        void client.prefetchQuery(compareQuery(appId, country, full.first.date, full.last.date));
    })
    .catch(() => undefined);
  void client
    .fetchQuery(appsQuery)
    .then(({ items }) => {
      const app = items.find(({ id }) => id === appId);
      if (app) void client.prefetchQuery(ratingQuery(appId, app.primaryCountry, span));
    })
    .catch(() => undefined);
  void client.prefetchQuery(marksQuery(appId, span));
  void client.prefetchQuery(openActionsQuery(appId));
  void client.prefetchQuery(newestEventsQuery(appId));
  void client.prefetchQuery(runsQuery(1));
  void fetchChart().catch(() => undefined);
}
