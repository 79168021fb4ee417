import {
  createClient,
  type CallInput,
  type CallOutput,
  type Client,
} from '../../src/client/http.ts';
import type { OperationKey } from '../../src/contract/index.ts';
import { holdReads } from './read-hold.ts';

const ask = createClient({ baseUrl: '/api/backend' });

/** The whole API, on our own origin; the session cookie is the credential. */
export const call: Client = (key, input, signal) => holdReads(key, () => ask(key, input, signal));

export type Answer<K extends OperationKey> = CallOutput<K>;
export type Request<K extends OperationKey> = CallInput<K>;

export type App = Answer<'GET /apps'>['items'][number];
export type Keyword = Answer<'GET /apps/{id}/keywords'>['items'][number];
export type RankChange = Keyword['change1d'];
export type Session = Answer<'GET /auth/session'>;
export type Listing = Answer<'GET /store/apps/lookup'>;
export type Token = Answer<'GET /tokens'>['items'][number];
export type Run = Answer<'GET /runs'>['items'][number];
export type Budget = Answer<'GET /jobs/budget'>;
export type Job = Answer<'GET /jobs/{jobId}'>;
export type History = Answer<'GET /keywords/{keywordId}/rankings'>;
export type Cell = History['items'][number];
export type BudgetDelta = Answer<'POST /apps/{id}/keywords/preview'>['budgetDelta'];
export type Store = App['store'];
