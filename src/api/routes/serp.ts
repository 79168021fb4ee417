import { serp } from '../../contract/serp.ts';
import { diffSerps } from '../../domain/serps/diff-serps.ts';
import { readEntrants } from '../../domain/serps/read-entrants.ts';
import { readLeaders } from '../../domain/serps/read-leaders.ts';
import { listSerpDates, readSerp } from '../../domain/serps/read-serp.ts';
import { routesOf } from '../route.ts';

export const serpRoutes = routesOf(serp, {
  'GET /keywords/{keywordId}/serp': ({ ctx, params, query }) =>
    readSerp(ctx, params.keywordId, query),
  'GET /keywords/{keywordId}/serp/dates': ({ ctx, params, query }) =>
    listSerpDates(ctx, params.keywordId, query),
  'GET /keywords/{keywordId}/serp/diff': ({ ctx, params, query }) =>
    diffSerps(ctx, params.keywordId, query),
  'GET /apps/{id}/serp/entrants': ({ ctx, params, query }) => readEntrants(ctx, params.id, query),
  'GET /apps/{id}/serp/leaders': ({ ctx, params, query }) => readLeaders(ctx, params.id, query),
});
