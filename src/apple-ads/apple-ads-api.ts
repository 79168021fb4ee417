import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  PopularityApiError,
  type Clock,
  type PopularityApi,
  type PopularityApiOptions,
  type PopularityKey,
} from '#domain/base/ports.ts';
import { addDays } from '#lib/dates.ts';
import { withoutTrailing } from '#lib/text.ts';
import { memberOf, readAccounts, readErrorCode, readRows } from './read-response.ts';
import { errorOf, sendRequest, type ReadResponse, type SentRequest } from './send-request.ts';
import { signClientSecret } from './sign-client-secret.ts';

/** The request page of Apple’s documentation says 5,000, another one 10,000. */
const pageSize = 5_000;
const spacingMs = 1_000;
const retryDelaysMs = [2_000, 4_000, 8_000, 16_000];
const longestWaitMs = 30_000;
const renewTokenMs = 60_000;
/** Metrics come only when they are named. */
const fields = [
  'rankInGenre',
  'searchPopularityInGenre',
  'searchPopularity1to100',
  'searchPopularity1to5',
];

export interface AppleAdsOptions {
  /** Sends every request to `{baseUrl}/{host}`; null sends them to Apple. */
  baseUrl: string | null;
  clock: Pick<Clock, 'now'>;
  /** Waits; tests replace it. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Apple’s Ads Platform API 1.0: tokens, accounts, and weekly popularity of search terms. */
export function createAppleAdsApi(options: AppleAdsOptions): PopularityApi {
  const { baseUrl, clock } = options;
  const wait = options.wait ?? ((ms, signal) => delay(ms, undefined, { signal }));
  const rootOf = (host: string) =>
    baseUrl === null ? `https://${host}` : `${withoutTrailing(baseUrl, '/')}/${host}`;
  const now = () => clock.now();
  let token: { of: string; text: string; untilMs: number } | null = null;
  let pauseMs = 0;

  /** One request, and further ones after failures that pass. */
  const send = async (
    sent: Omit<SentRequest, 'lane' | 'signal'>,
    { lane, signal, onRequest }: PopularityApiOptions,
  ): Promise<ReadResponse> => {
    for (let attempt = 0; ; attempt += 1) {
      if (pauseMs > 0 && lane === 'background') await wait(pauseMs, signal);
      await onRequest?.();
      const result = await sendRequest({ ...sent, lane, signal }, now).catch((error: unknown) => {
        if (error instanceof PopularityApiError) return error;
        throw error;
      });
      pauseMs = spacingMs;
      if (!(result instanceof PopularityApiError)) {
        pauseMs = Math.max(spacingMs, result.pauseMs);
        if (result.status !== 429 && result.status < 500) return result;
      }
      const error = result instanceof PopularityApiError ? result : errorOf(result);
      const waitMs = error.retryAfterMs ?? retryDelaysMs[attempt] ?? Infinity;
      const isFinal = lane === 'interactive' || attempt >= retryDelaysMs.length;
      if (isFinal || waitMs > longestWaitMs || error.failure === 'unreadable') throw error;
      await wait(waitMs, signal);
    }
  };

  const readToken = async (key: PopularityKey, options: PopularityApiOptions): Promise<string> => {
    const secret = signClientSecret(key, now());
    const of = createHash('sha256').update(JSON.stringify(key)).digest('hex');
    if (token?.of === of && token.untilMs > now().getTime() + renewTokenMs) return token.text;
    const response = await send(
      {
        method: 'POST',
        url: `${rootOf('appleid.apple.com')}/auth/oauth2/token`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: key.clientId,
          client_secret: secret,
          scope: 'searchadsorg',
        }).toString(),
      },
      options,
    );
    if (response.status >= 400) {
      const code = readErrorCode(response.body);
      throw new PopularityApiError(
        'rejected',
        `Apple does not accept this key (status ${response.status}${code ? `, ${code}` : ''}).`,
      );
    }
    const text = memberOf(response.body, 'access_token');
    if (response.status !== 200 || typeof text !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(text))
      throw new PopularityApiError('unreadable', 'Apple’s response has no access token.');
    const seconds = Number(memberOf(response.body, 'expires_in')) || 0;
    token = { of, text, untilMs: now().getTime() + seconds * 1_000 };
    return text;
  };

  /** With a new token once, when Apple no longer accepts the stored one. */
  const call = async (
    key: PopularityKey,
    sent: Omit<SentRequest, 'lane' | 'signal'>,
    options: PopularityApiOptions,
  ): Promise<unknown> => {
    for (let attempt = 0; ; attempt += 1) {
      const authorization = `Bearer ${await readToken(key, options)}`;
      const headers = { ...sent.headers, authorization };
      const response = await send({ ...sent, headers }, options);
      if (response.status === 200) return response.body;
      if (response.status !== 401 || attempt > 0) throw errorOf(response);
      token = null;
    }
  };

  return {
    async findAccount(key, options) {
      const url = `${rootOf('api.ads.apple.com')}/v1/acls`;
      const body = await call(key, { method: 'GET', url, headers: {} }, options);
      const accounts = readAccounts(body);
      if (!accounts)
        throw new PopularityApiError('unreadable', 'Apple’s list of accounts has another form.');
      const [first] = accounts;
      if (first) return first;
      throw new PopularityApiError(
        'no_account',
        'The organization of this key has no ad account. Create one at ads.apple.com; it needs ' +
          'no campaign.',
      );
    },
    async readWeek({ key, accountId }, { country, week, page }, options) {
      const query = {
        timeRange: {
          start: week,
          end: addDays(week, 6),
          granularity: 'WEEKLY_SUN_SAT',
          timeZone: 'UTC',
        },
        fields,
        filters: [{ field: 'countryOrRegion', operator: 'EQUALS', value: country.toUpperCase() }],
        pagination: { offset: page * pageSize, pageSize },
      };
      const body = await call(
        key,
        {
          method: 'POST',
          url: `${rootOf('api.ads.apple.com')}/v1/insights/apps/search-term-popularity/query`,
          headers: {
            'content-type': 'application/json',
            'x-ap-context': `adAccountId=${accountId}`,
          },
          body: JSON.stringify(query),
        },
        options,
      );
      const rows = readRows(body, country);
      if (!rows)
        throw new PopularityApiError('unreadable', 'Apple’s list of terms has another form.');
      return { rows, isLast: rows.length < pageSize };
    },
  };
}
