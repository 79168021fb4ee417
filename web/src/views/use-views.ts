import { withBasePath } from '#web/base-path.ts';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { sessionQuery } from '../queries/session.ts';
import { useStored } from '../stored.ts';
import { addView, removeView, renameView, viewsOf, type SavedView } from './saved-views.ts';

const appPath = /^\/apps\/(\d+)/;

/** The saved views of the reader, and the address that would be saved now. */
export function useViews(currentAppId: number | undefined) {
  const { data: session } = useQuery(sessionQuery);
  const stored = viewsOf(session?.user.id ?? 0, session?.workspace.id ?? 0);
  const views = useStored(stored);
  const router = useRouter();
  const { pathname, href } = useRouterState({
    select: ({ location }) => ({ pathname: location.pathname, href: location.href }),
    structuralSharing: true,
  });
  const ofKeyword = pathname.startsWith('/keywords/') ? (currentAppId ?? null) : null;
  const appId = Number(appPath.exec(pathname)?.[1]) || ofKeyword;
  return {
    views,
    href,
    appId,
    /** The view that is currently shown. */
    current: views.find((view) => view.href === href),
    add: (name: string) => addView(stored, { name, href, appId }),
    rename: (view: SavedView, name: string) => renameView(stored, view.id, name),
    remove: (view: SavedView) => removeView(stored, view.id),
    open: (view: SavedView) => router.history.push(withBasePath(view.href)),
  };
}
