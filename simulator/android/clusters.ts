import type { ResponseContext } from '../http/response-context.ts';
import type { SimApp } from '../world/apps.ts';
import { appsOf } from './app-lists.ts';
import { clusterPath } from './cluster-page.ts';
import { scriptJson } from './island-page.ts';
import { readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';
import { link } from './sparse.ts';

const shown = 6;

/**
 * Renders the rows of apps on a details page (`ag2B9c`): other apps of the developer, if there are
 * any, then similar apps.
 */
export function renderClusters(
  app: SimApp,
  context: ResponseContext,
  renderItem: RenderItem,
): string {
  const { world, day } = context;
  const storefront = { ...readStorefront(context), day };
  const of = (list: 'developer' | 'similar', about: string) =>
    appsOf(world, { list, about, country: storefront.country }, day).filter(
      (other) => other !== app && !context.isGone(other.storeAppId),
    );
  const render = (apps: readonly SimApp[], path: string, title: string, name: string) => {
    const items = apps
      .slice(0, shown)
      .map((other) => renderItem('search', other, storefront).slice(1, -1));
    const nulls = 'null,'.repeat(17);
    const head = scriptJson(['qgIm', [[name, 2], null, null, 1]]);
    const more = scriptJson([title, null, link(path)]);
    return `[null,null,null,${head},${nulls}[[${items.join(',')}],${more}]]`;
  };
  const others = of('developer', app.developerId);
  const clusters = [
    ...(others.length === 0
      ? []
      : [
          render(
            others,
            `/store/apps/dev?id=${app.developerId}`,
            `More by ${app.developer}`,
            `more_by_${app.developerId}`,
          ),
        ]),
    render(
      of('similar', app.storeAppId),
      clusterPath(app.storeAppId),
      'Similar apps',
      'similar_apps_APPLICATION',
    ),
  ];
  return `[null,[null,[${clusters.join(',')}]]]`;
}
