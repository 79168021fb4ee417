import type { UtcDay } from '#lib/dates.ts';
import type { SimApp } from '../world/apps.ts';
import { PartitionedCache } from '../world/partitioned-cache.ts';
import type { World } from '../world/world.ts';
import { scriptJson } from './island-page.ts';
import { toClusterItem, toSearchItem } from './items.ts';

export interface PlayStorefront {
  country: string;
  language: string;
  day: UtcDay;
}

export type ItemLayout = 'search' | 'cluster';

/** Caches items as JSON, because an app is in many searches of a day. */
export function createRenderedItems(world: World) {
  const rendered = new PartitionedCache<string>(48 * 1024 * 1024, (item) => item.length);
  return function renderItem(layout: ItemLayout, app: SimApp, storefront: PlayStorefront): string {
    return rendered.take(
      `${world.overrides.version()}|${layout}|${storefront.day}|${storefront.country}|${storefront.language}`,
      app.index,
      () => {
        const listing = world.listing(app, storefront);
        return scriptJson(layout === 'search' ? toSearchItem(listing) : toClusterItem(listing));
      },
    );
  };
}

export type RenderItem = ReturnType<typeof createRenderedItems>;
