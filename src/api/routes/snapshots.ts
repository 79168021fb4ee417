import { snapshots } from '../../contract/snapshots.ts';
import { routesOf } from '../route.ts';

export const snapshotsRoutes = routesOf(snapshots, {});
