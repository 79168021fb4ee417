import {
  createEtagClient,
  type CallInput,
  type CallOutput,
  type Client,
  type EtagClient,
} from '#client/http.ts';
import type { OperationKey } from '#contract/index.ts';
import { apiPath } from './base-path.ts';
import { markConnectionErrors } from './connection-error.ts';
import { pauseRateLimitedReads } from './pause-rate-limited-reads.ts';
import { sendShownWorkspace } from './shown-workspace.ts';

const client = createEtagClient({ baseUrl: apiPath, fetch: sendShownWorkspace(fetch) });
const send: EtagClient = (...request) => markConnectionErrors(() => client(...request));

/** The client for the whole API on the same origin. The session cookie is the credential. */
export const call: Client = (key, input, signal) =>
  pauseRateLimitedReads(key, async () => (await send(key, input, signal)).body);

/** A record with the ETag that it was read with, for a later change of it. */
export type Versioned<T> = T & { etag: string | undefined };

/** Like `call`, for records that several people edit. */
export const callVersioned = <K extends OperationKey>(
  key: K,
  input?: CallInput<K>,
  signal?: AbortSignal,
): Promise<Versioned<CallOutput<K>>> =>
  pauseRateLimitedReads(key, async () => {
    const { body, etag } = await send(key, input, signal);
    return { ...(body as CallOutput<K> & object), etag: etag ?? undefined };
  });

export type ResponseOf<K extends OperationKey> = CallOutput<K>;
export type Request<K extends OperationKey> = CallInput<K>;

export type App = ResponseOf<'GET /apps'>['items'][number];
export type Keyword = ResponseOf<'GET /apps/{id}/keywords'>['items'][number];
export type RankChange = Keyword['change1d'];
export type Listing = ResponseOf<'GET /store/apps/lookup'>;
export type Token = ResponseOf<'GET /tokens'>['items'][number];
export type Run = ResponseOf<'GET /runs'>['items'][number];
export type Budget = ResponseOf<'GET /jobs/budget'>;
export type Job = ResponseOf<'GET /jobs/{jobId}'>;
export type History = ResponseOf<'GET /keywords/{keywordId}/rankings'>;
export type Cell = History['items'][number];
export type BudgetDelta = ResponseOf<'POST /apps/{id}/keywords/preview'>['budgetDelta'];
export type Store = App['store'];
