import { createPublicKey, randomBytes, verify, type KeyObject } from 'node:crypto';
import { addDays, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { listPopularity, type WorldTerm } from '../ios/popularity-file.ts';
import { reply, deny, limited, type AdsRequest, type AdsResponse } from './responses.ts';

export interface AdsKey {
  clientId: string;
  teamId: string;
  keyId: string;
  /** As it is pasted at Account Settings, API. */
  publicKey: string;
}

/** A response instead of the usual one; `once` for one request. */
export interface AdsFault {
  kind: 'limited' | 'unavailable' | 'truncated' | 'hang' | 'no-accounts';
  /** Requests that have it; without it all. */
  times?: number;
  /** Requests before it begins. */
  after?: number;
  retryAfterSeconds?: number;
}

type Terms = (country: string, week: string) => readonly WorldTerm[];

const pageSizeMax = 5_000;
const keptWeeks = 65;
const withoutStorefront = ['ru', 'by'];
const queryPath = '/v1/insights/apps/search-term-popularity/query';
const known = ['timeRange', 'fields', 'filters', 'pagination'];
const metrics = {
  rankInGenre: 'rank',
  searchPopularityInGenre: 'inGenre',
  searchPopularity1to100: 'popularity',
  searchPopularity1to5: 'level',
} as const;

/**
 * The Apple Ads Platform API as far as weekly popularity needs it, with its quirks: metrics only
 * when they are named, `sorting` and `fetchTotalCount` are unrecognized, no total, the Sunday after
 * a week in its rows, rate-limit headers, and 200 without rows for countries without data.
 */
export class AppleAds {
  readonly #keys = new Map<string, AdsKey & { key: KeyObject }>();
  readonly #tokens = new Map<string, { clientId: string; untilMs: number }>();
  readonly #now: () => Date;
  #faults: AdsFault[] = [];
  #terms: Terms = listPopularity;
  #window = { startedMs: 0, requests: 0 };
  /** Requests a second, as observed. */
  requestsPerSecond = 5;
  /** Bodies of popularity queries that had a response. */
  readonly queries: { country: string; week: string; offset: number }[] = [];
  /** Countries for which queries are refused as wrong. */
  readonly refused = new Set<string>();

  constructor(now: () => Date) {
    this.#now = now;
  }

  register(key: AdsKey): void {
    this.#keys.set(key.keyId, { ...key, key: createPublicKey(key.publicKey) });
  }

  /** Tokens of a revoked key are refused too. */
  revoke(keyId: string): void {
    const clientId = this.#keys.get(keyId)?.clientId;
    this.#keys.delete(keyId);
    for (const [token, of] of this.#tokens)
      if (of.clientId === clientId) this.#tokens.delete(token);
  }

  /** Later faults replace earlier ones. */
  fail(...faults: AdsFault[]): void {
    this.#faults = faults;
  }

  /** Replaces the world's terms; null restores them. */
  setTerms(terms: Terms | null): void {
    this.#terms = terms ?? listPopularity;
  }

  handle(request: AdsRequest): AdsResponse {
    if (request.host === 'appleid.apple.com') return this.#issueToken(request);
    const bearer = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const token = this.#tokens.get(bearer);
    if (!token || token.untilMs <= this.#now().getTime())
      return deny(401, 'UNAUTHENTICATED', 'unauthorized');
    const limit = this.#admit();
    if (limit) return limit;
    const fault = this.#nextFault();
    if (fault?.kind === 'limited') return limited(fault.retryAfterSeconds ?? 1);
    if (fault?.kind === 'unavailable') return deny(503, 'INTERNAL', 'internal_server_error');
    const made = this.#respond(request, fault);
    return {
      ...made,
      ...(fault?.kind === 'truncated' && { isTruncated: true }),
      ...(fault?.kind === 'hang' && { isHanging: true }),
    };
  }

  #respond({ method, path, body, headers }: AdsRequest, fault: AdsFault | null): AdsResponse {
    if (method === 'GET' && path === '/v1/acls') {
      const adAccount = { id: 4_815_162, name: 'Demo organization', orgId: 2_342 };
      const roles = ['API Account Read Only', 'API Campaign Manager'];
      const acls = fault?.kind === 'no-accounts' ? [] : [{ adAccount, roles }];
      return reply({ result: { acls }, success: true, info: {} }, this.#headers());
    }
    if (method !== 'POST' || path !== queryPath) return deny(404, 'NOT_FOUND', 'not_found');
    if (headers['x-ap-context'] !== 'adAccountId=4815162')
      return deny(403, 'FORBIDDEN', 'forbidden');
    return this.#query(body);
  }

  #query(text: string): AdsResponse {
    const body = JSON.parse(text) as {
      timeRange: { start: string; end: string; granularity: string; timeZone: string };
      fields?: (keyof typeof metrics)[];
      filters?: { field: string; operator: string; value: string }[];
      pagination?: { offset?: number; pageSize?: number };
    };
    const stray = [
      ...Object.keys(body).filter((name) => !known.includes(name)),
      ...Object.keys(body.pagination ?? {}).filter((name) => name === 'fetchTotalCount'),
    ];
    if (stray.length > 0)
      return deny(400, 'INVALID_ARGUMENT', `Unrecognized property ${stray.join(', ')}`);
    const { start, end, granularity, timeZone } = body.timeRange;
    const isWeek = new Date(startOfDayMs(start)).getUTCDay() === 0 && end === addDays(start, 6);
    const { offset = 0, pageSize = pageSizeMax } = body.pagination ?? {};
    if (granularity !== 'WEEKLY_SUN_SAT' || timeZone !== 'UTC' || !isWeek || pageSize > pageSizeMax)
      return deny(400, 'VALIDATION_ERROR', 'bad_request');
    const value = body.filters?.find(({ field }) => field === 'countryOrRegion')?.value;
    const country = (value ?? 'US').toLowerCase();
    if (this.refused.has(country)) return deny(400, 'VALIDATION_ERROR', 'bad_request');
    this.queries.push({ country, week: start, offset });
    const rows = this.#isPublished(start, country)
      ? this.#terms(country, start).slice(offset, offset + pageSize)
      : [];
    const result = rows.map((row) => ({
      week: addDays(start, 7),
      countryOrRegion: country.toUpperCase(),
      genre: row.genre.toUpperCase(),
      searchTerm: row.term,
      ...Object.fromEntries((body.fields ?? []).map((field) => [field, row[metrics[field]]])),
    }));
    const pagination = { offset, pageSize };
    return reply(
      { result: { rows: result }, pagination, success: true, info: {} },
      this.#headers(),
    );
  }

  /** On the Monday after the week, at 07:00 UTC, and for 65 weeks. */
  #isPublished(week: string, country: string): boolean {
    const at = startOfDayMs(addDays(week, 8)) + 7 * 3_600_000;
    const oldest = addDays(utcDayOf(this.#now()), -7 * (keptWeeks + 1));
    return at <= this.#now().getTime() && week >= oldest && !withoutStorefront.includes(country);
  }

  #issueToken({ method, path, body }: AdsRequest): AdsResponse {
    const form = new URLSearchParams(body);
    const isExpected =
      method === 'POST' &&
      path === '/auth/oauth2/token' &&
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === 'searchadsorg';
    if (!isExpected) return reply({ error: 'invalid_request' }, {}, 400);
    const clientId = form.get('client_id') ?? '';
    if (!this.#isValid(form.get('client_secret') ?? '', clientId))
      return reply({ error: 'invalid_client' }, {}, 400);
    const token = randomBytes(48).toString('base64url');
    this.#tokens.set(token, { clientId, untilMs: this.#now().getTime() + 3_600_000 });
    const body200 = { access_token: token, token_type: 'Bearer', expires_in: 3_600 };
    return reply({ ...body200, scope: 'searchadsorg' });
  }

  #isValid(secret: string, clientId: string): boolean {
    const [head = '', claims = '', signature = ''] = secret.split('.');
    const { alg, kid } = decode(head);
    const known = this.#keys.get(String(kid));
    if (!known || alg !== 'ES256') return false;
    const { sub, iss, aud, iat, exp } = decode(claims);
    const lifetime = Number(exp) - Number(iat);
    return (
      [sub, clientId].every((id) => id === known.clientId) &&
      iss === known.teamId &&
      aud === 'https://appleid.apple.com' &&
      lifetime > 0 &&
      lifetime < 180 * 86_400 &&
      Number(exp) * 1_000 > this.#now().getTime() &&
      verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key: known.key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    );
  }

  #admit(): AdsResponse | null {
    const nowMs = performance.now();
    if (nowMs - this.#window.startedMs >= 1_000) this.#window = { startedMs: nowMs, requests: 0 };
    this.#window.requests += 1;
    return this.#window.requests > this.requestsPerSecond ? limited(1) : null;
  }

  #headers(): Record<string, string> {
    const remaining = Math.max(0, this.requestsPerSecond - this.#window.requests);
    return {
      'ratelimit-limit': String(this.requestsPerSecond),
      'ratelimit-remaining': String(remaining),
      'ratelimit-reset': '1',
    };
  }

  #nextFault(): AdsFault | null {
    const [fault] = this.#faults;
    if (!fault) return null;
    if ((fault.after ?? 0) > 0) {
      this.#faults[0] = { ...fault, after: fault.after! - 1 };
      return null;
    }
    if (fault.times !== undefined) {
      if (fault.times <= 1) this.#faults.shift();
      else this.#faults[0] = { ...fault, times: fault.times - 1 };
    }
    return fault;
  }
}

function decode(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
