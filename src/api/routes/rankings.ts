import type { z } from 'zod';
import { rankings } from '../../contract/rankings.ts';
import { compareDays } from '../../domain/rankings/compare-days.ts';
import { listLatestCells } from '../../domain/rankings/list-latest.ts';
import { readAppRankings } from '../../domain/rankings/read-app-rankings.ts';
import { readDistribution } from '../../domain/rankings/read-distribution.ts';
import { readKeywordRankings } from '../../domain/rankings/read-keyword-rankings.ts';
import { readMatrix } from '../../domain/rankings/read-matrix.ts';
import { readMovers } from '../../domain/rankings/read-movers.ts';
import { routesOf } from '../route.ts';

type Matrix = z.input<(typeof rankings)['GET /apps/{id}/rankings/matrix']['responses'][200]>;

export const rankingsRoutes = routesOf(rankings, {
  'GET /apps/{id}/rankings': ({ ctx, params, query }) => readAppRankings(ctx, params.id, query),
  'GET /keywords/{keywordId}/rankings': ({ ctx, params, query }) => readKeywordRankings(ctx, params.keywordId, query),
  // The verb writes the JSON itself; until an answer may be text, it is read back so that the contract's check sees it.
  'GET /apps/{id}/rankings/matrix': async ({ ctx, params, query }) => JSON.parse(await readMatrix(ctx, params.id, query)) as Matrix,
  'GET /apps/{id}/rankings/movers': ({ ctx, params, query }) => readMovers(ctx, params.id, query),
  'GET /apps/{id}/rankings/distribution': ({ ctx, params, query }) => readDistribution(ctx, params.id, query),
  'GET /apps/{id}/rankings/compare': ({ ctx, params, query }) => compareDays(ctx, params.id, query),
  'GET /rankings/latest': ({ ctx, query }) => listLatestCells(ctx, query),
});
