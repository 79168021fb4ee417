import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { Prefetch } from './pages/prefetch-data.ts';
import { hasSessionHint } from './queries/session.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Requests the page's data before its code is there. */
    prefetch?: Prefetch | undefined;
  }
}

/**
 * Requests the code and the data of the page in the address, which the router would request only
 * after the session. The page's own requests show the errors, if there are any.
 */
export function preloadPage(router: AnyRouter, client: QueryClient): void {
  const { latestLocation } = router;
  for (const { routeId, params, staticData } of router.matchRoutes(latestLocation)) {
    void Promise.resolve(router.loadRouteChunk(router.routesById[routeId])).catch(() => undefined);
    if (hasSessionHint())
      void staticData.prefetch?.(client, {
        appId: Number(params.appId) || 0,
        search: latestLocation.search,
      });
  }
}
