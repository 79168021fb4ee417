import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StoreRequest } from '../http/request.ts';
import type { AppleAds } from './apple-ads.ts';

/** Sends a response of the Ads API, cut or withheld as its fault says. Returns the status. */
export function sendAdsResponse(
  appleAds: AppleAds,
  request: StoreRequest,
  { headers }: IncomingMessage,
  response: ServerResponse,
): number {
  const made = appleAds.handle({
    method: request.method,
    host: request.host,
    path: request.url.pathname,
    headers: headers as Record<string, string | undefined>,
    body: request.body,
  });
  if (made.isHanging) return 0;
  const body = Buffer.from(made.body);
  response.writeHead(made.status, { ...made.headers, 'content-length': body.length });
  if (!made.isTruncated) response.end(body);
  else response.write(body.subarray(0, body.length / 2), () => response.destroy());
  return made.status;
}
