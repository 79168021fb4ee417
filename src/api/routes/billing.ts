import { billing } from '../../contract/billing.ts';
import { listPlans, readBilling } from '../../domain/billing/read-billing.ts';
import { routesOf } from '../route.ts';

export const billingRoutes = routesOf(billing, {
  'GET /billing': ({ ctx }) => readBilling(ctx),
  'GET /billing/plans': ({ ctx }) => listPlans(ctx),
});
