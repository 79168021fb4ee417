import { createClient, type CallInput, type CallOutput, type Client } from '#client/http.ts';
import type { OperationKey } from '#contract/index.ts';
import { pauseRateLimitedReads } from './pause-rate-limited-reads.ts';

const ask = createClient({ baseUrl: '/api/backend' });

/** The client for the whole API on the same origin. The session cookie is the credential. */
export const call: Client = (key, input, signal) =>
  pauseRateLimitedReads(key, () => ask(key, input, signal));

export type Answer<K extends OperationKey> = CallOutput<K>;
export type Request<K extends OperationKey> = CallInput<K>;

export type App = Answer<'GET /apps'>['items'][number];
export type Keyword = Answer<'GET /apps/{id}/keywords'>['items'][number];
export type RankChange = Keyword['change1d'];
export type Listing = Answer<'GET /store/apps/lookup'>;
export type Token = Answer<'GET /tokens'>['items'][number];
export type Run = Answer<'GET /runs'>['items'][number];
export type Budget = Answer<'GET /jobs/budget'>;
export type Job = Answer<'GET /jobs/{jobId}'>;
export type History = Answer<'GET /keywords/{keywordId}/rankings'>;
export type Cell = History['items'][number];
export type BudgetDelta = Answer<'POST /apps/{id}/keywords/preview'>['budgetDelta'];
export type Store = App['store'];
