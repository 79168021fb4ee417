import { members } from '../../contract/members.ts';
import { routesOf } from '../route.ts';

export const membersRoutes = routesOf(members, {});
