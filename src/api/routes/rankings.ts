import { rankings } from '#contract/rankings.ts';
import { compareDays } from '#domain/tracking/rankings/compare-days.ts';
import { listLatestDailyRanks } from '#domain/tracking/rankings/list-latest.ts';
import { getAppRankings } from '#domain/tracking/rankings/get-app-rankings.ts';
import { getDistribution } from '#domain/tracking/rankings/get-distribution.ts';
import { getKeywordRankings } from '#domain/tracking/rankings/get-keyword-rankings.ts';
import { getMatrix } from '#domain/tracking/rankings/get-matrix.ts';
import { getMovers } from '#domain/tracking/rankings/get-movers.ts';
import { SerializedJson, routesOf } from '../route.ts';

export const rankingsRoutes = routesOf(rankings, {
  'GET /apps/{id}/rankings': ({ ctx, params, query }) => getAppRankings(ctx, params.id, query),
  'GET /keywords/{keywordId}/rankings': ({ ctx, params, query }) =>
    getKeywordRankings(ctx, params.keywordId, query),
  'GET /apps/{id}/rankings/matrix': async ({ ctx, params, query }) => {
    const { bytes, release } = await getMatrix(ctx, params.id, query);
    return new SerializedJson(bytes, release);
  },
  'GET /apps/{id}/rankings/movers': ({ ctx, params, query }) => getMovers(ctx, params.id, query),
  'GET /apps/{id}/rankings/distribution': ({ ctx, params, query }) =>
    getDistribution(ctx, params.id, query),
  'GET /apps/{id}/rankings/compare': ({ ctx, params, query }) => compareDays(ctx, params.id, query),
  'GET /rankings/latest': ({ ctx, query }) => listLatestDailyRanks(ctx, query),
});
