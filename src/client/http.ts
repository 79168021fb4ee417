import type { z } from 'zod';
import type { OperationKey, OperationMap } from '#contract/index.ts';
import type { ErrorEnvelope } from '#contract/errors.ts';
import { parseExact, stringifyExact } from '#lib/json.ts';

type Input<Op, Part extends 'params' | 'query' | 'body'> =
  Op extends Record<Part, infer S extends z.ZodType> ? z.input<S> : never;

/** `{ params, query, body }` as the operation specifies; ids and limits may be numbers. */
type Loose<T> = T extends object
  ? { [K in keyof T]: NonNullable<T[K]> extends string ? T[K] | number | boolean : T[K] }
  : T;
export type CallInput<K extends OperationKey> = ([Input<OperationMap[K], 'params'>] extends [never]
  ? unknown
  : { params: Loose<Input<OperationMap[K], 'params'>> }) &
  ([Input<OperationMap[K], 'query'>] extends [never]
    ? unknown
    : { query?: Loose<Input<OperationMap[K], 'query'>> }) &
  ([Input<OperationMap[K], 'body'>] extends [never]
    ? unknown
    : { body: Input<OperationMap[K], 'body'> }) & {
    /** The ETag on which a change is based: it fails with 412 when somebody has changed it. */
    ifMatch?: string | undefined;
  };

type Responses<K extends OperationKey> = OperationMap[K]['responses'];
export type CallOutput<K extends OperationKey> = {
  [S in keyof Responses<K>]: Responses<K>[S] extends z.ZodType ? z.output<Responses<K>[S]> : never;
}[keyof Responses<K>];

const strangerError = 'Not the API';

/** An error response with the API's error envelope. */
export class ApiError extends Error {
  readonly status: number;
  readonly envelope: ErrorEnvelope;

  constructor(envelope: ErrorEnvelope) {
    super(envelope.message);
    this.name = 'ApiError';
    this.status = envelope.statusCode;
    this.envelope = envelope;
  }

  /** Something else than the API responded. */
  get isOfStranger(): boolean {
    return this.envelope.error === strangerError;
  }
}

export interface ClientOptions {
  /** Such as `/api/backend` in a browser or `http://127.0.0.1:4000`. */
  baseUrl: string;
  token?: string;
  fetch?: typeof fetch;
}

export type Client = <K extends OperationKey>(
  key: K,
  input?: CallInput<K>,
  signal?: AbortSignal,
) => Promise<CallOutput<K>>;

/** Like `Client`, with the ETag of the response; null without one. */
export type EtagClient = <K extends OperationKey>(
  key: K,
  input?: CallInput<K>,
  signal?: AbortSignal,
) => Promise<{ body: CallOutput<K>; etag: string | null }>;

/** One typed function for the whole API, for browsers and Node. Big integers arrive as bigint. */
export function createClient(options: ClientOptions): Client {
  const send = createEtagClient(options);
  return async (key, input, signal) => (await send(key, input, signal)).body;
}

export function createEtagClient(options: ClientOptions): EtagClient {
  const send = options.fetch ?? fetch;
  return async (key, input, signal) => {
    const [method, path] = key.split(' ') as [string, string];
    const { params, query, body, ifMatch } = (input ?? {}) as {
      params?: object;
      query?: object;
      body?: unknown;
      ifMatch?: string;
    };
    const response = await send(`${options.baseUrl}${fillPath(path, params)}${toQuery(query)}`, {
      method,
      ...(signal && { signal }),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(options.token && { authorization: `Bearer ${options.token}` }),
      },
      ...(body !== undefined && { body: stringifyExact(body) }),
    });
    const text = await response.text();
    const reply = readJson(text);
    if (!response.ok)
      throw new ApiError(isEnvelope(reply) ? reply : describeStranger(response.status, path));
    if (typeof reply !== 'object' || reply === null)
      throw new ApiError(describeStranger(response.status, path));
    return { body: reply as CallOutput<typeof key>, etag: response.headers.get('etag') };
  };
}

function fillPath(path: string, params: object | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
}

function toQuery(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    if (value !== undefined) search.append(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** Undefined for text that is not JSON. */
function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(response: unknown): response is ErrorEnvelope {
  const { statusCode, message, code, path, issues } = Object(response) as Partial<
    Record<keyof ErrorEnvelope, unknown>
  >;
  const hasTexts = [message, code, path].every((text) => typeof text === 'string');
  return (
    hasTexts && typeof statusCode === 'number' && (issues === undefined || Array.isArray(issues))
  );
}

/** A proxy or captive portal responded instead of the API, perhaps with JSON of its own. */
function describeStranger(status: number, path: string): ErrorEnvelope {
  const message = `The server responded ${status} with something that is not Toprung’s.`;
  return {
    statusCode: status,
    error: strangerError,
    message,
    code: 'unavailable',
    path,
    timestamp: new Date().toISOString(),
  };
}
