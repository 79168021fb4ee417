import { hasUsers } from '../../db/queries/users.ts';
import type { Services } from '../context.ts';

export function hasAccounts(services: Pick<Services, 'systemDb'>): Promise<boolean> {
  return hasUsers(services.systemDb);
}
