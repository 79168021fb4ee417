import { rankings } from '../../contract/rankings.ts';
import { compareDays } from '../../domain/rankings/compare-days.ts';
import { listLatestCells } from '../../domain/rankings/list-latest.ts';
import { readAppRankings } from '../../domain/rankings/read-app-rankings.ts';
import { readDistribution } from '../../domain/rankings/read-distribution.ts';
import { readKeywordRankings } from '../../domain/rankings/read-keyword-rankings.ts';
import { readMatrix } from '../../domain/rankings/read-matrix.ts';
import { readMovers } from '../../domain/rankings/read-movers.ts';
import { WrittenJson, routesOf } from '../route.ts';

export const rankingsRoutes = routesOf(rankings, {
  'GET /apps/{id}/rankings': ({ ctx, params, query }) => readAppRankings(ctx, params.id, query),
  'GET /keywords/{keywordId}/rankings': ({ ctx, params, query }) =>
    readKeywordRankings(ctx, params.keywordId, query),
  'GET /apps/{id}/rankings/matrix': async ({ ctx, params, query }) => {
    const { bytes, giveBack } = await readMatrix(ctx, params.id, query);
    return new WrittenJson(bytes, giveBack);
  },
  'GET /apps/{id}/rankings/movers': ({ ctx, params, query }) => readMovers(ctx, params.id, query),
  'GET /apps/{id}/rankings/distribution': ({ ctx, params, query }) =>
    readDistribution(ctx, params.id, query),
  'GET /apps/{id}/rankings/compare': ({ ctx, params, query }) => compareDays(ctx, params.id, query),
  'GET /rankings/latest': ({ ctx, query }) => listLatestCells(ctx, query),
});
