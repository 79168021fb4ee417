import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { hashText } from '../world/hash.ts';
import { appsOf, listEnd, renderList } from './app-lists.ts';
import { renderIslandPage, scriptJson } from './island-page.ts';
import type { ListCursor } from './list-cursor.ts';
import { notFound, readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';

const pageSize = 10;

/**
 * `GET /store/apps/dev?id=` by id (rpc MRTdke), `/store/apps/developer?id=` by name (IRWBmd): ten
 * apps and a token.
 */
export function handleDeveloperPage(
  context: ResponseContext,
  renderItem: RenderItem,
): SimulatedResponse {
  const about = context.url.searchParams.get('id') ?? '';
  const byNumber = context.url.pathname.endsWith('/dev');
  const { country } = readStorefront(context);
  const known =
    /^\d+$/.test(about) === byNumber &&
    appsOf(context.world, { list: 'developer', about, country }, context.day).length > 0;
  if (!known) return notFound();
  const cursor: ListCursor = {
    list: 'developer',
    about,
    country,
    at: context.now.toISOString(),
    offset: 0,
  };
  const { items, token } = renderList(cursor, pageSize, context, renderItem);
  // By id the apps are at 21 without their wrapping, by name at 22 with it.
  const shown = byNumber ? items : items.map((item) => `[${item}]`);
  const nulls = 'null,'.repeat((byNumber ? 21 : 22) + (context.mutation === 'index-moved' ? 3 : 0));
  const html = renderIslandPage({
    title: 'Android Apps on Google Play',
    seed: hashText(about),
    shift: context.mutation === 'ds-shifted' ? 3 : 0,
    renameRpc: context.mutation === 'rpc-renamed',
    islands: [
      { key: 0, rpc: 'T6C6Se', request: [], json: '[]' },
      {
        key: 3,
        rpc: byNumber ? 'MRTdke' : 'IRWBmd',
        request: [null, about],
        json: `[[${scriptJson([about])},[[${nulls}[[${shown.join(',')}],${listEnd(token)}]]]]]`,
      },
    ],
  });
  const page = respond(200, 'html', html);
  page.headers['set-cookie'] = 'NID=sim; Path=/';
  return page;
}
