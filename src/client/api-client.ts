import pLimit from 'p-limit';
import { createClient, type Client } from './http.ts';

/** Store requests may wait for their pace. The API's own time limit is shorter than this one. */
const responseTimeoutMs = 130_000;
/** A plan allows 16 concurrent requests. One question of one model must not take all of them. */
const parallelMax = 4;

export interface ApiClientOptions {
  /** The API's address, such as `http://127.0.0.1:4000`. */
  apiUrl: string;
  token: string;
  /** Sent with every request: the client's address. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Called with the headers of each response. */
  onHeaders?: (headers: Headers) => void;
}

/** A client of the API with the caller's token, and no privileges of its own. */
export function createApiClient(options: ApiClientOptions): Client {
  const { apiUrl, token, headers = {}, signal, onHeaders } = options;
  const send: typeof fetch = async (input, init) => {
    const signals = [AbortSignal.timeout(responseTimeoutMs), init?.signal, signal].filter(
      (one) => one != null,
    );
    const response = await fetch(input, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any(signals),
      headers: { ...(init?.headers as Record<string, string>), ...headers },
    });
    onHeaders?.(response.headers);
    return response;
  };
  const api = createClient({ baseUrl: apiUrl, token, fetch: send });
  const limit = pLimit(parallelMax);
  return (key, input, asked) => limit(() => api(key, input, asked));
}
