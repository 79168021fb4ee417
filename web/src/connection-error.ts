/** The server was not reached, or the connection ended before its response did. */
export class ConnectionError extends Error {}

/** A failed fetch throws a TypeError, as mistakes in code do, so it is marked where it fails. */
export async function markConnectionErrors<Response>(
  send: () => Promise<Response>,
): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof TypeError) throw new ConnectionError(error.message, { cause: error });
    throw error;
  }
}

/** Messages of Chromium, Firefox, Safari and Vite about a file of the dashboard that failed. */
const failedFile = [
  'Failed to fetch dynamically imported module',
  'error loading dynamically imported module',
  'Importing a module script failed',
  'Unable to preload CSS',
];

export function isConnectionError(error: unknown): boolean {
  return (
    error instanceof ConnectionError ||
    (error instanceof Error && failedFile.some((start) => error.message.startsWith(start)))
  );
}
