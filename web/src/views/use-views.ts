import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../api.ts';
import { withBasePath } from '#web/base-path.ts';
import { showError } from '../components/toasts.tsx';
import { viewsQuery, type SavedView } from '../queries/views.ts';

type ViewFields = Pick<SavedView, 'name' | 'pinned'>;

const appPath = /^\/apps\/(\d+)/;

/** The saved views of the workspace, and the address that would be saved now. */
export function useViews(currentAppId: number | undefined) {
  const { t } = useTranslation();
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
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: viewsQuery.queryKey }),
  });
  /** False for a change that failed, which was shown. */
  const change = (write: () => Promise<unknown>) =>
    mutateAsync(write).then(
      () => true,
      () => false,
    );
  const save = (view: { name: string; path: string; appId: number | null; pinned?: boolean }) =>
    change(() => call('POST /views', { body: view }));
  const update = ({ id, name, pinned, etag }: SavedView, set: Partial<ViewFields>) =>
    change(async () => {
      const { saveVersioned } = await import('../conflict/save-versioned.ts');
      return saveVersioned({
        base: { fields: { name, pinned }, etag },
        mine: { name, pinned, ...set },
        read: async () => {
          const { items } = await queryClient.fetchQuery({ ...viewsQuery, staleTime: 0 });
          const found = items.find((view) => view.id === id);
          // The next write reports that the view is gone.
          const fields = { name: found?.name ?? name, pinned: found?.pinned ?? pinned };
          return { fields, etag: found?.etag };
        },
        write: (fields, { ifMatch, changed }) =>
          call('PATCH /views/{id}', {
            params: { id },
            body: Object.fromEntries(changed.map((field) => [field, fields[field]])),
            ifMatch,
          }),
        describe: (field, theirs, mine) => ({
          label: t(field === 'name' ? 'views.name' : 'views.pin'),
          theirs: String(theirs[field]),
          mine: String(mine[field]),
        }),
      });
    });
  return {
    views,
    href,
    appId,
    /** The view that is currently shown. */
    current: views.find((view) => view.path === href),
    add: (name: string) => save({ name, path: href, appId }),
    rename: (view: SavedView, name: string) => update(view, { name }),
    pin: (view: SavedView) => update(view, { pinned: !view.pinned }),
    remove: ({ id }: SavedView) => change(() => call('DELETE /views/{id}', { params: { id } })),
    /** Saves a removed view again. */
    restore: ({ name, path, appId: of, pinned }: SavedView) =>
      save({ name, path, appId: of, pinned }),
    open: (view: SavedView) => router.history.push(withBasePath(view.path)),
  };
}
