import { createMcpHandler } from '@modelcontextprotocol/server';
import { ApiError, type Client } from '#client/http.ts';
import type { Logger } from '#lib/logger.ts';
import type { McpCall } from '#lib/mcp-handler.ts';
import { createApiClient } from '#client/api-client.ts';
import { createMcpServer } from './server.ts';

/**
 * Handles one request of either protocol version. The API checks the token before anything else
 * happens.
 */
export async function handleMcp({
  request,
  body,
  token,
  apiUrl,
  headers,
  log,
}: McpCall): Promise<Response> {
  const message = readMessage(body);
  let limits: [name: string, value: string][] = [];
  const api = createApiClient({
    apiUrl,
    token,
    headers,
    signal: request.signal,
    onHeaders: (all) => (limits = [...all].filter(([name]) => name.startsWith('ratelimit-'))),
  });
  const respond = (response: Response) => {
    for (const [name, value] of limits) response.headers.set(name, value);
    return response;
  };
  const caller = await identify(api, log, request.signal);
  if (caller instanceof Response) return respond(caller);
  const readOnly = caller.readOnly && !callsTool(message);
  const options = {
    onerror: (error: Error) => log.debug({ error: error.message }, 'request to /mcp rejected'),
    // A subscription is acknowledged, with nothing to follow, and ends at once.
    maxSubscriptions: 1,
  };
  const handler = createMcpHandler(() => createMcpServer({ api, log, readOnly }), options);
  return respond(
    await handler.fetch(request, message === undefined ? {} : { parsedBody: message }),
  );
}

/** Undefined for invalid JSON, for which the protocol has an error of its own. */
function readMessage(body: string): unknown {
  try {
    return body === '' ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * A write tool is called even with a read-only token: the API's error explains more than a missing
 * tool would.
 */
function callsTool(message: unknown): boolean {
  return (message as { method?: unknown } | null | undefined)?.method === 'tools/call';
}

async function identify(
  api: Client,
  log: Logger,
  gone: AbortSignal,
): Promise<{ readOnly: boolean } | Response> {
  try {
    return { readOnly: (await api('GET /auth/session')).readOnly };
  } catch (error) {
    if (error instanceof ApiError) return refuse(error);
    const fault = {
      error: (error as Error).message,
      cause: ((error as Error).cause as Error | undefined)?.message,
    };
    if (gone.aborted) log.debug(fault, 'the client disconnected');
    else log.warn(fault, 'the API cannot be reached');
    return refuse(away());
  }
}

/** A success status with a body that is not the API's is an error here. */
function refuse({ status, envelope }: ApiError): Response {
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  };
  if (status === 401) headers['www-authenticate'] = 'Bearer error="invalid_token"';
  if (envelope.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(envelope.retryAfterSeconds);
  const statusCode = status < 400 ? 502 : status;
  return new Response(JSON.stringify({ ...envelope, statusCode, path: '/mcp' }), {
    status: statusCode,
    headers,
  });
}

function away(): ApiError {
  const message = 'The service is starting, stopping or cannot be reached.';
  const timestamp = new Date().toISOString();
  return new ApiError({
    statusCode: 503,
    error: 'Service Unavailable',
    message,
    code: 'unavailable',
    path: '/mcp',
    timestamp,
    retryAfterSeconds: 2,
  });
}
