import { utcDayOf, type UtcDay } from '#lib/dates.ts';
import type { ResponseContext } from '../http/response-context.ts';
import type { Catalogue, SimApp } from '../world/apps.ts';
import type { World } from '../world/world.ts';
import { scriptJson } from './island-page.ts';
import { writeListToken, type ListCursor } from './list-cursor.ts';
import { readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';

const maxSimilar = 80;

/** All apps of a cluster or a developer, best first. */
export function appsOf(
  world: World,
  cursor: Pick<ListCursor, 'list' | 'about' | 'country'>,
  day: UtcDay,
): SimApp[] {
  const { list, about, country } = cursor;
  if (list === 'developer') {
    const apps = developersOf(world.catalogues.android).get(about) ?? [];
    return apps.filter((app) => world.findApp('android', app.storeAppId, country, day) !== null);
  }
  const app = world.findApp('android', about, country, day);
  return app === null ? [] : world.similar(app, country, day, maxSimilar);
}

/**
 * Renders one page of such a list: its apps and the token of the next page. The first page has the
 * layout of searches without its wrapping, later pages have the older layout of clusters.
 */
export function renderList(
  cursor: ListCursor,
  size: number,
  context: ResponseContext,
  renderItem: RenderItem,
): { items: string[]; token: string | null } {
  const { world, mutation } = context;
  const day = utcDayOf(new Date(cursor.at));
  const apps =
    mutation === 'no-results'
      ? []
      : appsOf(world, cursor, day).filter((app) => !context.isGone(app.storeAppId));
  const page = apps.slice(
    cursor.offset,
    cursor.offset + (mutation === 'shorter' ? Math.ceil(size / 8) : size),
  );
  const more = mutation !== 'shorter' && cursor.offset + size < apps.length;
  const shown = { country: cursor.country, language: readStorefront(context).language, day };
  const render = (app: SimApp) =>
    cursor.offset === 0
      ? renderItem('search', app, shown).slice(1, -1)
      : renderItem('cluster', app, shown);
  return {
    items: page.map(render),
    token: more ? writeListToken({ ...cursor, offset: cursor.offset + size }) : null,
  };
}

/** `[title, …, link, …, token]`, next to the apps of a list. */
export function listEnd(token: string | null): string {
  return scriptJson(token === null ? [''] : ['', null, null, [null, token]]);
}

const developers = new WeakMap<Catalogue, ReadonlyMap<string, SimApp[]>>();

/** Apps by the id and by the name of their developer. */
function developersOf(catalogue: Catalogue): ReadonlyMap<string, SimApp[]> {
  const known = developers.get(catalogue);
  if (known) return known;
  const byDeveloper = new Map<string, SimApp[]>();
  const add = (key: string, app: SimApp) =>
    byDeveloper.set(key, [...(byDeveloper.get(key) ?? []), app]);
  for (const app of catalogue.apps) {
    add(app.developerId, app);
    add(app.developer, app);
  }
  developers.set(catalogue, byDeveloper);
  return byDeveloper;
}
