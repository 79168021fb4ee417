import { utcDayOf, type UtcDay } from '../../src/lib/dates.ts';
import type { AnswerContext } from '../http/answer-context.ts';
import type { Catalogue, SimApp } from '../world/apps.ts';
import type { World } from '../world/world.ts';
import { scriptJson } from './island-page.ts';
import { writeListToken, type ListPlace } from './list-token.ts';
import { readPlace } from './market.ts';
import type { RenderItem } from './rendered-items.ts';

const mostSimilar = 80;

/** Everything on a cluster's or a developer's pages, best first. */
export function appsOf(
  world: World,
  place: Pick<ListPlace, 'list' | 'about' | 'country'>,
  day: UtcDay,
): SimApp[] {
  const { list, about, country } = place;
  if (list === 'developer') {
    const apps = developersOf(world.catalogues.android).get(about) ?? [];
    return apps.filter((app) => world.findApp('android', app.storeAppId, country, day) !== null);
  }
  const app = world.findApp('android', about, country, day);
  return app === null ? [] : world.similar(app, country, day, mostSimilar);
}

/**
 * One page of such a list: the apps and where to go on. First pages are written in the layout of searches without its
 * wrapping, the pages after them in that of clusters as it was.
 */
export function renderList(
  place: ListPlace,
  size: number,
  context: AnswerContext,
  renderItem: RenderItem,
): { items: string[]; token: string | null } {
  const { world, twist } = context;
  const day = utcDayOf(new Date(place.at));
  const apps =
    twist === 'no-results'
      ? []
      : appsOf(world, place, day).filter((app) => !context.isGone(app.storeAppId));
  const page = apps.slice(
    place.offset,
    place.offset + (twist === 'shorter' ? Math.ceil(size / 8) : size),
  );
  const more = twist !== 'shorter' && place.offset + size < apps.length;
  const shown = { country: place.country, language: readPlace(context).language, day };
  const render = (app: SimApp) =>
    place.offset === 0
      ? renderItem('search', app, shown).slice(1, -1)
      : renderItem('cluster', app, shown);
  return {
    items: page.map(render),
    token: more ? writeListToken({ ...place, offset: place.offset + size }) : null,
  };
}

/** `[title, …, link, …, token]`, as it stands beside the apps of a list. */
export function listEnd(token: string | null): string {
  return scriptJson(token === null ? [''] : ['', null, null, [null, token]]);
}

const developers = new WeakMap<Catalogue, ReadonlyMap<string, SimApp[]>>();

/** Apps by their developer's number and by their developer's name. */
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
