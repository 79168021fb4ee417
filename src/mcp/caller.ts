import { createClient, type Client } from '../client/http.ts';
import { Turns } from '../lib/turns.ts';

/** A store takes its turn; the API itself gives up before this. */
const answerTimeoutMs = 130_000;
/** A plan answers 16 requests at the same time: one question of one model leaves room for everybody else's. */
const parallelMax = 4;

export interface CallerOptions {
  /** Where the API is, such as `http://127.0.0.1:4000`. */
  apiUrl: string;
  token: string;
  /** Sent with every request: who the caller is, where we stand between. */
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The API with the caller's own token, and nothing of ours. */
export function createCaller({ apiUrl, token, headers = {}, signal }: CallerOptions): Client {
  const send: typeof fetch = (input, init) => {
    const signals = [AbortSignal.timeout(answerTimeoutMs), init?.signal, signal].filter(
      (one) => one != null,
    );
    return fetch(input, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.any(signals),
      headers: { ...(init?.headers as Record<string, string>), ...headers },
    });
  };
  const api = createClient({ baseUrl: apiUrl, token, fetch: send });
  const turns = new Turns(parallelMax);
  return (key, input, asked) => turns.take(() => api(key, input, asked));
}
