import { audit } from '#contract/audit.ts';
import { listAudit } from '#domain/base/audit/list-audit.ts';
import { routesOf } from '../route.ts';

export const auditRoutes = routesOf(audit, {
  'GET /workspace/audit': ({ ctx, query }) => listAudit(ctx, query),
});
