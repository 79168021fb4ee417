import type { QueryClient } from '@tanstack/react-query';
import { appsQuery } from './apps.ts';
import { budgetQuery } from './runs.ts';

/** Refreshes the data that depends on the number or depth of keywords. */
export function refreshCounts(queryClient: QueryClient, appId: number | undefined): void {
  void queryClient.invalidateQueries({ queryKey: ['apps', appId] });
  void queryClient.invalidateQueries({ queryKey: appsQuery.queryKey, exact: true });
  void queryClient.invalidateQueries({ queryKey: budgetQuery.queryKey });
}
