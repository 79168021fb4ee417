import { competitors } from '../../contract/competitors.ts';
import { addCompetitor } from '../../domain/competitors/add-competitor.ts';
import { changeCompetitor, deleteCompetitor } from '../../domain/competitors/change-competitor.ts';
import { compareListings } from '../../domain/competitors/compare-listings.ts';
import { listCompetitors } from '../../domain/competitors/list-competitors.ts';
import { readGaps } from '../../domain/competitors/read-gaps.ts';
import { readRivalRankings } from '../../domain/competitors/read-rival-rankings.ts';
import { suggestCompetitors } from '../../domain/competitors/suggest-competitors.ts';
import { Answer, routesOf } from '../route.ts';

export const competitorsRoutes = routesOf(competitors, {
  'GET /apps/{id}/competitors': ({ ctx, params, query }) => listCompetitors(ctx, params.id, query),

  'POST /apps/{id}/competitors': async ({ ctx, params, body, signal }) => {
    const added = await addCompetitor(ctx, params.id, body, signal);
    const { competitor } = added;
    return added.created
      ? new Answer(201, { competitor, job: added.job })
      : new Answer(200, { competitor, job: added.job });
  },

  'PATCH /apps/{id}/competitors/{cid}': ({ ctx, params, body }) =>
    changeCompetitor(ctx, { appId: params.id, id: params.cid }, body),
  'DELETE /apps/{id}/competitors/{cid}': ({ ctx, params }) =>
    deleteCompetitor(ctx, { appId: params.id, id: params.cid }),
  'GET /apps/{id}/competitors/suggestions': ({ ctx, params, query }) =>
    suggestCompetitors(ctx, params.id, query),
  'GET /apps/{id}/competitors/{cid}/rankings': ({ ctx, params, query }) =>
    readRivalRankings(ctx, { appId: params.id, id: params.cid }, query),
  'GET /apps/{id}/gaps': ({ ctx, params, query }) => readGaps(ctx, params.id, query),
  'GET /apps/{id}/compare': ({ ctx, params, query }) => compareListings(ctx, params.id, query),
});
