const toldKey = 'toprung.workspace-chosen';
const loadedKey = 'toprung.workspace-loaded';

/** Loads a page anew: nothing that was read in the workspace before, or is on its way from there, can show in the next. */
export function loadWorkspace(path: string): void {
  try {
    sessionStorage.setItem(loadedKey, '1');
  } catch {
    // Blocked storage: the name in the menu says it.
  }
  location.assign(path);
}

/** Whether this page was loaded for another workspace; once. */
export function takeLoaded(): boolean {
  try {
    const isLoaded = sessionStorage.getItem(loadedKey) !== null;
    sessionStorage.removeItem(loadedKey);
    return isLoaded;
  } catch {
    return false;
  }
}

/** They look which workspace is open now. */
export function tellOtherTabs(): void {
  try {
    localStorage.setItem(toldKey, String(Date.now()));
  } catch {
    // They look when somebody comes to them.
  }
}

/** Calls whenever the workspace may be another: somebody comes back to this tab or page, or another tab tells. */
export function watchWorkspace(look: () => void): () => void {
  const lookIfKept = ({ persisted }: PageTransitionEvent) => {
    if (persisted) look();
  };
  const lookIfTold = ({ key }: StorageEvent) => {
    if (key === toldKey) look();
  };
  addEventListener('focus', look);
  addEventListener('pageshow', lookIfKept);
  addEventListener('storage', lookIfTold);
  return () => {
    removeEventListener('focus', look);
    removeEventListener('pageshow', lookIfKept);
    removeEventListener('storage', lookIfTold);
  };
}
