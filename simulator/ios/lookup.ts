import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import type { SimApp } from '../world/apps.ts';
import { isCountry } from '../world/countries.ts';
import { invalidValue } from './invalid-value.ts';
import { wrapResults, type RenderCard } from './cards.ts';

/**
 * `GET /lookup?id=1,2,…&country=[&entity=]` or `bundleId=a,b`: unknown ids are silently absent;
 * the response to more than 200 is 502.
 */
export function handleLookup(context: ResponseContext, renderCard: RenderCard): SimulatedResponse {
  const { url, day, world } = context;
  const country = (url.searchParams.get('country') ?? 'us').toLowerCase();
  if (!isCountry(country)) return invalidValue('country');
  const bundles = url.searchParams.get('bundleId');
  const ids = (bundles ?? url.searchParams.get('id') ?? '').split(',').filter((id) => id !== '');
  if (ids.length > 200)
    return respond(502, 'html', '<html><body><h1>502 Bad Gateway</h1></body></html>');
  if (bundles === null && ids.some((id) => !/^\d{1,19}$/.test(id))) return invalidValue('itunesId');
  const byBundle = world.catalogues.ios.byBundle;
  const found = ids
    .map((id) =>
      world.findApp(
        'ios',
        bundles === null ? id : (byBundle.get(id)?.storeAppId ?? ''),
        country,
        day,
      ),
    )
    .filter((app): app is SimApp => app !== null && !context.isGone(app.storeAppId));
  const kind = url.searchParams.get('entity') === 'macSoftware' ? 'mac-software' : 'software';
  const cards =
    context.mutation === 'no-results'
      ? []
      : found.map((app) => renderCard(app, { country, day, kind }));
  return {
    ...respond(200, 'script', ''),
    body: wrapResults(reorder(cards), context.mutation === 'index-moved'),
  };
}

/** Results are not in the order of the request. */
function reorder(cards: Buffer[]): Buffer[] {
  return cards.length > 2 ? [...cards.slice(1), cards[0]!] : cards;
}
