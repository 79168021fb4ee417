import { useQuery } from '@tanstack/react-query';
import { useHasPlans } from '../queries/billing.ts';
import { sessionQuery } from '../queries/session.ts';
import { operatorPage, planPage, workspacePages, type WorkspacePage } from './pages.ts';

/** The pages that there are for the reader: the plan's where there are plans, the operator's for operators. */
export function useWorkspacePages(): readonly WorkspacePage[] {
  const hasPlans = useHasPlans();
  const isOperator = useQuery(sessionQuery).data?.operator === true;
  return [
    ...workspacePages,
    ...(hasPlans ? [planPage] : []),
    ...(isOperator ? [operatorPage] : []),
  ];
}
