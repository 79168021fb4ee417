const prefix = 'toprung.draft.';
const signedOutKey = 'toprung.signed-out';

/** What was typed in this tab and is not saved; null when there is nothing. */
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

/** At sign-out, in every tab: nothing that was typed stays behind for whoever sits down next. */
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
