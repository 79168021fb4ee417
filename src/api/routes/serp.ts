import { serp } from '#contract/serp.ts';
import { diffSerps } from '#domain/tracking/serps/diff-serps.ts';
import { listEntrants } from '#domain/tracking/serps/list-entrants.ts';
import { getLeaders } from '#domain/tracking/serps/get-leaders.ts';
import { listSerpDates, getSerp } from '#domain/tracking/serps/get-serp.ts';
import { routesOf } from '../route.ts';

export const serpRoutes = routesOf(serp, {
  'GET /keywords/{keywordId}/serp': ({ ctx, params, query }) =>
    getSerp(ctx, params.keywordId, query),
  'GET /keywords/{keywordId}/serp/dates': ({ ctx, params, query }) =>
    listSerpDates(ctx, params.keywordId, query),
  'GET /keywords/{keywordId}/serp/diff': ({ ctx, params, query }) =>
    diffSerps(ctx, params.keywordId, query),
  'GET /apps/{id}/serp/entrants': ({ ctx, params, query }) => listEntrants(ctx, params.id, query),
  'GET /apps/{id}/serp/leaders': ({ ctx, params, query }) =>
    getLeaders(ctx, params.id, { ...query, limit: 200 }),
});
