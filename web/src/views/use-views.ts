import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { call } from '../api.ts';
import { deleteIfThere } from '../delete-if-there.ts';
import { withBasePath } from '#web/base-path.ts';
import { showError } from '../components/toasts/toasts.tsx';
import type { ViewFields } from './update-view.ts';
import { viewsQuery, type SavedView } from '../queries/views.ts';

const appPath = /^\/apps\/(\d+)/;

/** The saved views of the workspace, and the address that would be saved now. */
export function useViews(currentAppId: number | undefined) {
  const queryClient = useQueryClient();
  const views = useQuery(viewsQuery).data?.items ?? [];
  const router = useRouter();
  const { pathname, href } = useRouterState({
    select: ({ location }) => ({ pathname: location.pathname, href: location.href }),
    structuralSharing: true,
  });
  const ofKeyword = pathname.startsWith('/keywords/') ? (currentAppId ?? null) : null;
  const appId = Number(appPath.exec(pathname)?.[1]) || ofKeyword;
  const { mutateAsync } = useMutation({
    mutationFn: (write: () => Promise<unknown>) => write(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
  });
  /** False for a change that failed, which was shown. */
  const change = (write: () => Promise<unknown>) =>
    mutateAsync(write).catch((error: Error) => {
      showError(error);
      return false;
    });
  const save =
    (view: { name: string; path: string; appId: number | null; pinned?: boolean }) => () =>
      call('POST /views', { body: view });
  const update = (view: SavedView, set: Partial<ViewFields>) => async () =>
    (await import('./update-view.ts')).updateView(queryClient, view, set);
  return {
    views,
    href,
    appId,
    /** The view that is currently shown. */
    current: views.find((view) => view.path === href),
    /** Both reject; the dialog that asks for the name shows the error. */
    add: (name: string) => mutateAsync(save({ name, path: href, appId })),
    rename: (view: SavedView, name: string) => mutateAsync(update(view, { name })),
    pin: (view: SavedView) => change(update(view, { pinned: !view.pinned })),
    remove: ({ id }: SavedView) =>
      change(() => deleteIfThere(call('DELETE /views/{id}', { params: { id } }))),
    /** Saves a removed view again. */
    restore: ({ name, path, appId: of, pinned }: SavedView) =>
      change(save({ name, path, appId: of, pinned })),
    open: (view: SavedView) => router.history.push(withBasePath(view.path)),
  };
}
