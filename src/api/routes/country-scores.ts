import { countryScores } from '#contract/country-scores.ts';
import { listCountryScores } from '#domain/insights/country-scores/list-country-scores.ts';
import {
  previewCountryScores,
  requestCountryScores,
} from '#domain/insights/country-scores/request-country-scores.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const countryScoresRoutes = routesOf(countryScores, {
  'GET /apps/{id}/country-scores': ({ ctx, params, query }) =>
    listCountryScores(ctx, params.id, query),
  'POST /apps/{id}/country-scores': async ({ ctx, params, body }) => {
    const requested = await requestCountryScores(ctx, params.id, body);
    return requested.job === null ? new ResponseOf(200, requested) : new ResponseOf(202, requested);
  },
  'POST /apps/{id}/country-scores/preview': ({ ctx, params, body }) =>
    previewCountryScores(ctx, params.id, body),
});
