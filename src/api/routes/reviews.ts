import { reviews } from '../../contract/reviews.ts';
import { routesOf } from '../route.ts';

export const reviewsRoutes = routesOf(reviews, {});
