import { useQuery } from '@tanstack/react-query';
import type { Billing } from '#web/queries/billing.ts';
import { workspaceQuery } from '#web/queries/workspace.ts';

/** When the workspace is deleted permanently; null if it is not deleted. */
export function useDeleteAt({ state }: Billing): string | null {
  const { data } = useQuery({ ...workspaceQuery, enabled: state === 'suspended' });
  return state === 'suspended' ? (data?.deleteAt ?? null) : null;
}
