import { audit } from '../../contract/audit.ts';
import { routesOf } from '../route.ts';

export const auditRoutes = routesOf(audit, {});
