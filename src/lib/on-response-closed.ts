import type { ServerResponse } from 'node:http';

/**
 * Calls back once the response was sent or the client disconnected. It calls at once when that has
 * already happened, because the event fires only once.
 */
export function onResponseClosed(response: ServerResponse, callback: () => void): void {
  if (response.closed) callback();
  else response.once('close', callback);
}
