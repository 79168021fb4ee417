import { digests } from '../../contract/digests.ts';
import { routesOf } from '../route.ts';

export const digestsRoutes = routesOf(digests, {});
