import { withBasePath } from './base-path.ts';
import { signedOutKey } from './drafts.ts';

const broadcastKey = 'toprung.workspace-chosen';
const loadedKey = 'toprung.workspace-loaded';
/** The mutation that switches the workspace in this tab, and loads its start page. */
export const switchKey = ['open-workspace'];

/** Reloads a page, so that no data of the previous workspace is shown in the next one. */
export function loadWorkspace(path: string): void {
  try {
    sessionStorage.setItem(loadedKey, '1');
  } catch {
    // Blocked storage: the name in the menu says it.
  }
  location.assign(withBasePath(path));
}

/** Whether this page was loaded for another workspace. It is true only once. */
export function consumeReloadFlag(): boolean {
  try {
    const isLoaded = sessionStorage.getItem(loadedKey) !== null;
    sessionStorage.removeItem(loadedKey);
    return isLoaded;
  } catch {
    return false;
  }
}

/** Calls the listeners of other tabs. */
export function notifyOtherTabs(): void {
  try {
    localStorage.setItem(broadcastKey, String(Date.now()));
  } catch {
    // They look when somebody comes to them.
  }
}

/**
 * Calls the listener whenever workspace or person may have changed: when this tab or page becomes
 * visible, or when another tab reports a switch, a sign-in or a sign-out.
 */
export function watchWorkspace(look: () => void): () => void {
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) look();
  };
  const onStorage = ({ key }: StorageEvent) => {
    if (key === broadcastKey || key === signedOutKey) look();
  };
  addEventListener('focus', look);
  addEventListener('pageshow', onPageShow);
  addEventListener('storage', onStorage);
  return () => {
    removeEventListener('focus', look);
    removeEventListener('pageshow', onPageShow);
    removeEventListener('storage', onStorage);
  };
}
