import { useParams } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { App } from '../api.ts';
import { appsQuery } from '../queries/apps.ts';
import { keywordQuery } from '../queries/keywords.ts';

const key = 'toprung.app';

/** The last used app, shown on pages without an app in their address. */
function getLastApp(): number | null {
  try {
    return Number(localStorage.getItem(key)) || null;
  } catch {
    return null;
  }
}

function saveLastApp(id: number): void {
  try {
    localStorage.setItem(key, String(id));
  } catch {
    // Blocked storage: the first app is taken next time.
  }
}

/** The app of the address, of the keyword in the address or the last used one. */
export function useCurrentApp(): App | undefined {
  const params = useParams({ strict: false });
  const { data: apps } = useQuery(appsQuery);
  const keywordId = Number(params.keywordId) || 0;
  const { data: keyword } = useQuery({ ...keywordQuery(keywordId), enabled: keywordId > 0 });
  const requested = Number(params.appId) || keyword?.appId || getLastApp();
  const app =
    apps?.items.find((item) => item.id === requested) ??
    (params.appId ? undefined : apps?.items[0]);
  useEffect(() => {
    if (app) saveLastApp(app.id);
  }, [app]);
  return app;
}
