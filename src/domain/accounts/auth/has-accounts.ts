import { hasUsers } from '#db/queries/auth/users.ts';
import type { Services } from '#domain/base/context.ts';

export function hasAccounts(services: Pick<Services, 'systemDb'>): Promise<boolean> {
  return hasUsers(services.systemDb);
}
