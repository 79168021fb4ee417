import { STATUS_CODES } from 'node:http';

export const apiPrefix = '/api/backend';

const messages = {
  invalid_request: 'The request does not have the documented form.',
  unauthenticated:
    'Send Authorization: Bearer with a token of the settings; a session does not count here.',
  foreign_host:
    'This host name is not allowed. Use an IP address or localhost, or set PUBLIC_URL ' +
    'to the public address.',
  foreign_origin: 'Requests from pages of other sites are not allowed.',
  not_found: 'The resource does not exist.',
  payload_too_large:
    'The body is larger than 256 KiB (1.5 MB for imports, 512 MiB for a large zip).',
  unavailable: 'The service is starting, stopping or cannot be reached.',
  internal: 'An internal error occurred.',
};

/** In the API's closed list of codes. */
const codes: Partial<Record<keyof typeof messages, string>> = {
  foreign_host: 'forbidden',
  foreign_origin: 'forbidden',
};
const retrySeconds = 2;

const unreadable = {
  path: '',
  code: 'wrong_form',
  message: 'a well-formed request',
  limit: null,
  actual: null,
};

/** As the API names it: without the prefix of the web origin, and without the query. */
function pathOf(url: string): string {
  const path = url.split('?')[0] ?? '';
  return path === apiPrefix || path.startsWith(`${apiPrefix}/`)
    ? path.slice(apiPrefix.length) || '/'
    : path;
}

/** The API's error envelope, for requests that never reach the API. */
export function refusal(
  status: number,
  code: keyof typeof messages,
  url: string,
): { body: string; headers: Record<string, string> } {
  const isAway = code === 'unavailable';
  const body = JSON.stringify({
    statusCode: status,
    error: STATUS_CODES[status] ?? 'Error',
    message: messages[code],
    code: codes[code] ?? code,
    path: pathOf(url),
    timestamp: new Date().toISOString(),
    ...(status === 400 && { issues: [unreadable] }),
    ...(isAway && { retryAfterSeconds: retrySeconds }),
  });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...(isAway && { 'retry-after': String(retrySeconds) }),
  };
  return { body, headers };
}
