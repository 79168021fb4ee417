import { reviews } from '../../contract/reviews.ts';
import { listReviews } from '../../domain/reviews/list-reviews.ts';
import { markReview, readReview } from '../../domain/reviews/mark-review.ts';
import { readRatings } from '../../domain/reviews/read-ratings.ts';
import { readReviewStats } from '../../domain/reviews/read-stats.ts';
import { readReviewTopics } from '../../domain/reviews/read-topics.ts';
import { requestReviewSync } from '../../domain/reviews/request-sync.ts';
import { routesOf } from '../route.ts';

export const reviewsRoutes = routesOf(reviews, {
  'GET /apps/{id}/reviews': ({ ctx, params, query }) => listReviews(ctx, params.id, query),
  'GET /reviews/{reviewId}': ({ ctx, params }) => readReview(ctx, params.reviewId),
  'PATCH /reviews/{reviewId}': ({ ctx, params, body }) => markReview(ctx, params.reviewId, body),
  'POST /apps/{id}/reviews/sync': ({ ctx, params }) => requestReviewSync(ctx, params.id),
  'GET /apps/{id}/reviews/stats': ({ ctx, params, query }) =>
    readReviewStats(ctx, params.id, query),
  'GET /apps/{id}/reviews/topics': ({ ctx, params, query }) =>
    readReviewTopics(ctx, params.id, query),
  'GET /apps/{id}/ratings': ({ ctx, params, query }) => readRatings(ctx, params.id, query),
});
