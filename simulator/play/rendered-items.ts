import type { UtcDay } from '../../src/lib/dates.ts';
import type { SimApp } from '../world/apps.ts';
import { ShelvedCache } from '../world/shelved-cache.ts';
import type { World } from '../world/world.ts';
import { scriptJson } from './island-page.ts';
import { toClusterItem, toSearchItem } from './items.ts';

export interface PlayPlace {
  country: string;
  language: string;
  day: UtcDay;
}

export type ItemLayout = 'search' | 'cluster';

/** Items as JSON, remembered: an app stands in many searches of a day. */
export function createRenderedItems(world: World, origin: () => string) {
  const rendered = new ShelvedCache<string>(48 * 1024 * 1024, (item) => item.length);
  return function renderItem(layout: ItemLayout, app: SimApp, place: PlayPlace): string {
    return rendered.take(
      `${world.plants.version()}|${layout}|${place.day}|${place.country}|${place.language}`,
      app.index,
      () => {
        const listing = world.listing(app, place);
        return scriptJson(
          layout === 'search' ? toSearchItem(listing, origin()) : toClusterItem(listing, origin()),
        );
      },
    );
  };
}

export type RenderItem = ReturnType<typeof createRenderedItems>;
