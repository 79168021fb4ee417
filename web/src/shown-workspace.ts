/** The workspace of the signed-in pages of this document; null until the session is known. */
export const shownWorkspace: { id: number | null } = { id: null };

/**
 * Makes a `fetch` that sends the workspace that is shown: the API refuses the request if another
 * tab has switched the session since.
 */
export function sendShownWorkspace(send: typeof fetch): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    if (shownWorkspace.id !== null) headers.set('x-toprung-workspace', String(shownWorkspace.id));
    return send(input, { ...init, headers });
  };
}
