import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { hashText } from '../world/hash.ts';
import { listEnd, renderList } from './app-lists.ts';
import { renderIslandPage } from './island-page.ts';
import type { ListCursor } from './list-cursor.ts';
import { notFound, readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';

const pageSize = 50;

/** The link of the details page to all similar apps. The real link is signed in the same way. */
export function clusterPath(storeAppId: string): string {
  const gsr = Buffer.from(JSON.stringify(['similar', storeAppId])).toString('base64');
  return `/store/apps/collection/cluster?gsr=${encodeURIComponent(gsr)}:S:ANO1lj${hashText(storeAppId).toString(36)}`;
}

/**
 * `GET /store/apps/collection/cluster?gsr=`: rpc CNT7ob with the first 50 apps and a token for the
 * rest (recorded 2026-07).
 */
export function handleClusterPage(
  context: ResponseContext,
  renderItem: RenderItem,
): SimulatedResponse {
  const about = readGsr(context.url.searchParams.get('gsr'));
  const { country } = readStorefront(context);
  if (about === null || context.world.findApp('android', about, country, context.day) === null)
    return notFound();
  const cursor: ListCursor = {
    list: 'similar',
    about,
    country,
    at: context.now.toISOString(),
    offset: 0,
  };
  const { items, token } = renderList(cursor, pageSize, context, renderItem);
  const nulls = 'null,'.repeat(context.mutation === 'index-moved' ? 20 : 17);
  const list = `[[${items.join(',')}],${listEnd(token)}]`;
  const json = `[[null,[[null,null,null,["qgIm"],${nulls}${list}]],null,[]]]`;
  const html = renderIslandPage({
    title: 'Similar apps - Google Play',
    seed: hashText(about),
    shift: context.mutation === 'ds-shifted' ? 3 : 0,
    renameRpc: context.mutation === 'rpc-renamed',
    islands: [
      { key: 0, rpc: 'T6C6Se', request: [], json: '[]' },
      { key: 3, rpc: 'CNT7ob', request: [null, about], json },
      { key: 5, rpc: 'jRco8', request: [], json: '[]' },
    ],
  });
  const page = respond(200, 'html', html);
  page.headers['set-cookie'] = 'NID=sim; Path=/';
  return page;
}

function readGsr(gsr: string | null): string | null {
  try {
    const [list, about] = JSON.parse(
      Buffer.from(gsr?.split(':')[0] ?? '', 'base64').toString(),
    ) as unknown[];
    return list === 'similar' && typeof about === 'string' ? about : null;
  } catch {
    return null;
  }
}
