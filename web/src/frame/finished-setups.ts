const prefix = 'toprung.welcome.';

/** Where this tab keeps the setup of a workspace. */
export const setupKey = (workspaceId: number): string => prefix + workspaceId;

/**
 * Called where somebody adds an app: the setup of the app before shows its first positions until
 * then. One that is not finished is continued.
 */
export function forgetFinishedSetups(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix) && isFinished(sessionStorage.getItem(key)))
        sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing was kept.
  }
}

const isFinished = (text: string | null): boolean =>
  text !== null && (JSON.parse(text) as { step?: string }).step === 'positions';
