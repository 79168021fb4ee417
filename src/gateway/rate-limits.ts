import type { IncomingMessage } from 'node:http';

/** No operation has this path, so asking for it consumes nothing. */
const nowhere = '/-';
const timeoutMs = 1_000;

/**
 * The rate-limit headers of the caller of a request that never reaches the API; none without a
 * valid credential, without plans, and while the API is away.
 */
export async function readRateLimits(
  apiUrl: string,
  { headers: { authorization, cookie } }: IncomingMessage,
  forwarded: Record<string, string>,
): Promise<Record<string, string>> {
  if (authorization === undefined && cookie === undefined) return {};
  const headers = {
    ...forwarded,
    ...(authorization !== undefined && { authorization }),
    ...(cookie !== undefined && { cookie }),
  };
  try {
    const response = await fetch(`${apiUrl}${nowhere}`, {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return Object.fromEntries(
      [...response.headers].filter(([name]) => name.startsWith('ratelimit-')),
    );
  } catch {
    return {};
  }
}
