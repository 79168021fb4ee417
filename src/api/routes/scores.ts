import { scores } from '#contract/scores.ts';
import { getEvaluation } from '#domain/insights/scores/evaluation/get-evaluation.ts';
import { listFormulas } from '#domain/insights/scores/list-formulas.ts';
import { listOpportunities } from '#domain/insights/scores/list-opportunities.ts';
import { listScores } from '#domain/insights/scores/list-scores.ts';
import { requestRecompute } from '#domain/insights/scores/recompute-scores.ts';
import { requestScore } from '#domain/insights/scores/request-score.ts';
import { scorePhrase } from '#domain/insights/scores/score-phrase.ts';
import { routesOf } from '../route.ts';

export const scoresRoutes = routesOf(scores, {
  'POST /keywords/{keywordId}/score': ({ ctx, params }) => requestScore(ctx, params.keywordId),
  'GET /apps/{id}/phrase-score': ({ ctx, params, query, signal }) =>
    scorePhrase(ctx, params.id, query, signal),
  'GET /keywords/{keywordId}/scores': ({ ctx, params, query }) =>
    listScores(ctx, params.keywordId, query),
  'GET /apps/{id}/opportunities': ({ ctx, params, query }) =>
    listOpportunities(ctx, params.id, query),
  'GET /scores/evaluation': ({ ctx }) => getEvaluation(ctx),
  'GET /scores/formulas': () => listFormulas(),
  'POST /scores/recompute': ({ ctx, body }) => requestRecompute(ctx, body),
});
