/** The server was not reached, or the connection ended before its response did. */
export class ConnectionError extends Error {}

/** A failed fetch throws a TypeError, as mistakes in code do, so it is marked where it fails. */
export async function markConnectionErrors<Response>(
  send: () => Promise<Response>,
): Promise<Response> {
  try {
    return await send();
  } catch (error) {
    throw error instanceof TypeError ? new ConnectionError(error.message) : error;
  }
}

/** Messages of Chromium, Firefox, Safari and Vite. */
const failedFile = /dynamically imported module|^Importing a module|^Unable to preload/;

/** A file of the dashboard was not loaded: the server is away, or has files of another version. */
export const isFailedFile = (error: unknown): boolean =>
  error instanceof Error && failedFile.test(error.message);

export const isConnectionError = (error: unknown): boolean =>
  error instanceof ConnectionError || isFailedFile(error);
