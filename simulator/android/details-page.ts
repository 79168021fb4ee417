import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { toDetailsRecord } from './details-record.ts';
import { renderIslandPage, scriptJson } from './island-page.ts';
import { renderClusters } from './clusters.ts';
import { notFound, readStorefront } from './storefront.ts';
import type { RenderItem } from './rendered-items.ts';
import { sparse } from './sparse.ts';

/**
 * `GET /store/apps/details?id=&hl=&gl=`: has rpc Ws7gDc twice, only one of them with a title at
 * `[1][2][0][0]`.
 */
export function handleDetailsPage(
  context: ResponseContext,
  renderItem: RenderItem,
): SimulatedResponse {
  const id = context.url.searchParams.get('id');
  if (id === null || id === '')
    return respond(400, 'html', '<html><body>Bad Request</body></html>');
  const storefront = readStorefront(context);
  const app = context.world.findApp('android', id, storefront.country, context.day);
  if (app === null || context.isGone(id)) return notFound();
  const listing = context.world.listing(app, { ...storefront, day: context.day });
  const record = toDetailsRecord(listing);
  const base =
    context.mutation === 'index-moved' ? [null, null, null, record] : [null, null, record];
  const request = [null, null, [[96, 27]], [[[null, [id, 7]]]]];
  const html = renderIslandPage({
    title: `${listing.title} - Apps on Google Play`,
    seed: app.seed,
    shift: context.mutation === 'ds-shifted' ? 3 : 0,
    renameRpc: context.mutation === 'rpc-renamed',
    islands: [
      {
        key: 3,
        rpc: 'CLXjtf',
        request: [[id, 7]],
        json: scriptJson([[1, `/store/apps/details?id=${id}`]]),
      },
      { key: 4, rpc: 'A6yuRe', request: [[id, 7]], json: '[]' },
      { key: 5, rpc: 'Ws7gDc', request, json: scriptJson([[[[]]], base, null, [[129]]]) },
      { key: 6, rpc: 'ZittHe', request: [], json: '[null,[null,null,null,[],0]]' },
      {
        key: 8,
        rpc: 'ag2B9c',
        request: [[id, 7]],
        json: renderClusters(app, context, renderItem),
      },
      {
        key: 9,
        rpc: 'Ws7gDc',
        request,
        json: scriptJson([[[[]]], [null, null, [sparseRating(listing.rating)]]]),
      },
    ],
  });
  return respond(200, 'html', html);
}

/** The second Ws7gDc has an object with text keys instead of the record. */
function sparseRating(rating: number | null): unknown {
  return rating === null ? { 52: null } : { 52: sparse({ 0: [rating.toFixed(1), rating] }) };
}
