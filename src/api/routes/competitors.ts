import { competitors } from '#contract/competitors.ts';
import { addCompetitor } from '#domain/insights/competitors/add-competitor.ts';
import {
  updateCompetitor,
  deleteCompetitor,
} from '#domain/insights/competitors/update-competitor.ts';
import { compareListings } from '#domain/insights/competitors/compare-listings.ts';
import { listCompetitors } from '#domain/insights/competitors/list-competitors.ts';
import { listGaps } from '#domain/insights/competitors/list-gaps.ts';
import { getCompetitorCategoryRanks } from '#domain/insights/competitors/get-competitor-category-ranks.ts';
import { getCompetitorRankings } from '#domain/insights/competitors/get-competitor-rankings.ts';
import { getCompetitorVisibility } from '#domain/insights/competitors/get-competitor-visibility.ts';
import { suggestCompetitors } from '#domain/insights/competitors/suggest-competitors.ts';
import { ResponseOf, routesOf } from '../route.ts';

export const competitorsRoutes = routesOf(competitors, {
  'GET /apps/{id}/competitors': ({ ctx, params, query }) => listCompetitors(ctx, params.id, query),

  'POST /apps/{id}/competitors': async ({ ctx, params, body, signal }) => {
    const added = await addCompetitor(ctx, params.id, body, signal);
    const { competitor } = added;
    return added.created
      ? new ResponseOf(201, { competitor, job: added.job })
      : new ResponseOf(200, { competitor, job: added.job });
  },

  'PATCH /apps/{id}/competitors/{cid}': ({ ctx, params, body }) =>
    updateCompetitor(ctx, { appId: params.id, id: params.cid }, body),
  'DELETE /apps/{id}/competitors/{cid}': ({ ctx, params }) =>
    deleteCompetitor(ctx, { appId: params.id, id: params.cid }),
  'GET /apps/{id}/competitors/suggestions': ({ ctx, params, query }) =>
    suggestCompetitors(ctx, params.id, { ...query, limit: 50 }),
  'GET /apps/{id}/competitors/{cid}/rankings': ({ ctx, params, query }) =>
    getCompetitorRankings(ctx, { appId: params.id, id: params.cid }, query),
  'GET /apps/{id}/competitors/{cid}/visibility': ({ ctx, params, query }) =>
    getCompetitorVisibility(ctx, { appId: params.id, id: params.cid }, query),
  'GET /apps/{id}/competitors/{cid}/category-ranks': ({ ctx, params, query }) =>
    getCompetitorCategoryRanks(ctx, { appId: params.id, id: params.cid }, query),
  'GET /apps/{id}/gaps': ({ ctx, params, query }) => listGaps(ctx, params.id, query),
  'GET /apps/{id}/compare': ({ ctx, params, query }) => compareListings(ctx, params.id, query),
});
