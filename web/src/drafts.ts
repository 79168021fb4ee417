const prefix = 'toprung.draft.';
export const signedOutKey = 'toprung.signed-out';

/** The unsaved text of this tab, or null. */
export function readDraft(key: string): string | null {
  try {
    return sessionStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

export function writeDraft(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(prefix + key);
    else sessionStorage.setItem(prefix + key, text);
  } catch {
    // Kept until the page is left.
  }
}

/** Called at sign-out in every tab, so that no draft is left for the next person. */
export function forgetDrafts(): void {
  forgetOwn();
  try {
    localStorage.setItem(signedOutKey, String(Date.now()));
  } catch {
    // Other tabs keep theirs until they are closed, each under the name of who typed it.
  }
}

function forgetOwn(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Then nothing was kept either.
  }
}

addEventListener('storage', ({ key }) => {
  if (key === signedOutKey) forgetOwn();
});
