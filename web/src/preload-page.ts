import type { AnyRouter } from '@tanstack/react-router';

/**
 * Requests the code of the page in the address, which the router would request only after the
 * session. Its own request shows the error, if there is one.
 */
export function preloadPage(router: AnyRouter): void {
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    void Promise.resolve(router.loadRouteChunk(router.routesById[routeId])).catch(() => undefined);
}
