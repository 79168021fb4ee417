import type { QueryClient } from '@tanstack/react-query';
import { appsQuery } from './apps.ts';
import { budgetQuery } from './runs.ts';

/** After a change of how many keywords are checked, or how deep: what counts them, of the app and of the workspace. */
export function refreshCounts(queryClient: QueryClient, appId: number | undefined): void {
  void queryClient.invalidateQueries({ queryKey: ['apps', appId] });
  void queryClient.invalidateQueries({ queryKey: appsQuery.queryKey, exact: true });
  void queryClient.invalidateQueries({ queryKey: budgetQuery.queryKey });
}
