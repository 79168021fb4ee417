import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { spanOf } from '#web/scope.ts';

/** The version of the visibility formula, which the API returns with the index of an app. */
export function useVisibilityFormula(): string | undefined {
  const app = useCurrentApp();
  const { data } = useQuery({
    queryKey: ['apps', app?.id, 'visibility-formula'],
    queryFn: ({ signal }) =>
      call('GET /apps/{id}/visibility', { params: { id: app!.id }, query: spanOf(1) }, signal),
    enabled: app !== undefined,
    staleTime: Infinity,
  });
  return data?.formula.id;
}
