import type { ServerResponse } from 'node:http';

/** Once the answer is out or its client has left; at once if that has been already, since it is told only once. */
export function whenClosed(response: ServerResponse, tell: () => void): void {
  if (response.closed) tell();
  else response.once('close', tell);
}
