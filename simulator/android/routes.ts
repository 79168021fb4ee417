import type { ResponseContext } from '../http/response-context.ts';
import type { SimulatedResponse } from '../http/response.ts';
import type { World } from '../world/world.ts';
import { handleImage } from '../http/images.ts';
import { imageHost } from './artwork.ts';
import { handleBatchexecute } from './batchexecute.ts';
import { handleClusterPage } from './cluster-page.ts';
import { handleDataSafety } from './data-safety.ts';
import { handleDetailsPage } from './details-page.ts';
import { handleDeveloperPage } from './developer-page.ts';
import { createRenderedItems } from './rendered-items.ts';
import { handleSearchPage } from './search-page.ts';

/** Handles the store's paths; null for an unknown path. */
export function createAndroidRoutes(
  world: World,
): (context: ResponseContext) => SimulatedResponse | null {
  const renderItem = createRenderedItems(world);
  const routes: Readonly<Record<string, (context: ResponseContext) => SimulatedResponse>> = {
    '/store/search': (context) => handleSearchPage(context, renderItem),
    '/store/apps/details': (context) => handleDetailsPage(context, renderItem),
    '/store/apps/collection/cluster': (context) => handleClusterPage(context, renderItem),
    '/store/apps/dev': (context) => handleDeveloperPage(context, renderItem),
    '/store/apps/developer': (context) => handleDeveloperPage(context, renderItem),
    '/store/apps/datasafety': handleDataSafety,
    '/_/PlayStoreUi/data/batchexecute': (context) => handleBatchexecute(context, renderItem),
    '/_/PlayEnterpriseWebStoreUi/data/batchexecute': (context) =>
      handleBatchexecute(context, renderItem),
  };
  return (context) =>
    context.request.host === imageHost
      ? handleImage(context.url.pathname)
      : (routes[context.url.pathname]?.(context) ?? null);
}
