import { useQuery } from '@tanstack/react-query';
import { useHasPlans } from '../queries/billing.ts';
import { sessionQuery } from '../queries/session.ts';
import { adminPage, billingPage, workspacePages, type WorkspacePage } from './pages.ts';

/**
 * The pages of the workspace that the reader can open. Billing and admin pages exist only for some.
 */
export function useWorkspacePages(): readonly WorkspacePage[] {
  const hasPlans = useHasPlans();
  const isOperator = useQuery(sessionQuery).data?.operator === true;
  return [
    ...workspacePages,
    ...(hasPlans ? [billingPage] : []),
    ...(isOperator ? [adminPage] : []),
  ];
}
