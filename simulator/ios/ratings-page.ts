import { respond, type SimulatedResponse } from '../http/response.ts';
import type { ResponseContext } from '../http/response-context.ts';
import { languageOf } from '../world/countries.ts';

/**
 * `GET /{cc}/customer-reviews/id{id}?displayable-kind=11`: the ratings by stars; empty for an app
 * that is not offered.
 */
export function handleRatingsPage(context: ResponseContext): SimulatedResponse {
  const [, country = '', id = ''] =
    /^\/([a-z]{2})\/customer-reviews\/id(\d{1,19})$/.exec(context.url.pathname) ?? [];
  const app = context.world.findApp('ios', id, country, context.day);
  if (app === null || context.isGone(id)) return respond(200, 'html', '');
  const { ratingCount, histogram } = context.world.listing(app, {
    country,
    language: languageOf(country),
    day: context.day,
  });
  const votes = histogram.map(
    (count, index) =>
      `<div class="vote"><span class="stars">${5 - index}</span><span ` +
      `class="total">${count}</span></div>`,
  );
  return respond(
    200,
    'html',
    `<html><body><span class="rating-count">${ratingCount ?? 0} ` +
      `Ratings</span>${votes.join('')}</body></html>`,
  );
}
