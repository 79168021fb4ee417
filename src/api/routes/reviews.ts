import { reviews } from '#contract/reviews.ts';
import { listReviews } from '#domain/tracking/reviews/list-reviews.ts';
import { updateReview, readReview } from '#domain/tracking/reviews/update-review.ts';
import { getRatings } from '#domain/tracking/reviews/get-ratings.ts';
import { getReviewStats } from '#domain/tracking/reviews/get-review-stats.ts';
import { getReviewTopics } from '#domain/tracking/reviews/get-review-topics.ts';
import { requestReviewSync } from '#domain/tracking/reviews/request-sync.ts';
import { routesOf } from '../route.ts';

export const reviewsRoutes = routesOf(reviews, {
  'GET /apps/{id}/reviews': ({ ctx, params, query }) => listReviews(ctx, params.id, query),
  'GET /reviews/{reviewId}': ({ ctx, params }) => readReview(ctx, params.reviewId),
  'PATCH /reviews/{reviewId}': ({ ctx, params, body }) => updateReview(ctx, params.reviewId, body),
  'POST /apps/{id}/reviews/sync': ({ ctx, params }) => requestReviewSync(ctx, params.id),
  'GET /apps/{id}/reviews/stats': ({ ctx, params, query }) => getReviewStats(ctx, params.id, query),
  'GET /apps/{id}/reviews/topics': ({ ctx, params, query }) =>
    getReviewTopics(ctx, params.id, query),
  'GET /apps/{id}/ratings': ({ ctx, params, query }) => getRatings(ctx, params.id, query),
});
