import { scores } from '../../contract/scores.ts';
import { routesOf } from '../route.ts';

export const scoresRoutes = routesOf(scores, {});
