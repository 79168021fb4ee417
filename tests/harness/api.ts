import { checkHistoryFile } from '#domain/transfer/history/check-file.ts';
import { textTables } from '#spreadsheets/text-tables.ts';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { createClient, ApiError, type CallInput, type CallOutput } from '#client/http.ts';
import { apiVersion, type OperationKey } from '#contract/index.ts';
import { buildApi, type ApiConfig, type ApiDeps } from '#api/server.ts';
import type { Route } from '#api/route.ts';
import { MemoryAttempts } from '#counters/memory-attempts.ts';
import { MemoryCounters } from '#counters/memory.ts';
import { getOpenWindowUsage } from '#domain/accounts/workspaces/workspace-usage.ts';
import { hashPassword } from '#domain/accounts/auth/password-hashing.ts';
import { openSession } from '#domain/accounts/auth/open-session.ts';
import { createAccount } from '#domain/accounts/auth/sign-up.ts';
import { createToken } from '#domain/accounts/tokens/tokens.ts';
import {
  inSystem,
  type Actor,
  type Ctx,
  type DomainSettings,
  type Services,
} from '#domain/base/context.ts';
import {
  detailedProviderOf,
  mapStores,
  storeProfiles,
  StoreError,
  type Clock,
  type Store,
  type StoreName,
  type Stores,
  PopularityApiError,
} from '#domain/base/ports.ts';
import { keywordScoreReader } from '#domain/insights/scores/keyword-score-reader.ts';
import { FieldWatch } from '#domain/tracking/drift/field-watch.ts';
import { ListingCache } from '#domain/tracking/listings/listing-cache.ts';
import { beginSeries } from '#domain/tracking/rankings/begin-series.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { ruleTags } from '#domain/alerting/alerts/rule-tags.ts';
import { importPopularityFile } from '#domain/transfer/popularity/import-popularity-file.ts';
import { openSheet } from '#spreadsheets/open-sheet.ts';
import { TestClock } from '#lib/clock.ts';
import { parseExact } from '#lib/json.ts';
import { closeServer } from '#lib/listen.ts';
import { silentLogger } from '#lib/logger.ts';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export interface Credential {
  headers: Record<string, string>;
}

/** A person with a workspace of their own, signed in. */
export interface Account extends Credential {
  userId: number;
  workspaceId: number;
  sessionId: number;
  email: string;
  password: string;
  role: 'owner' | 'member';
  /** To call a domain verb directly. */
  ctx: Ctx;
}

export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line no-explicit-any -- tests look at whatever came.
  body: any;
}

export interface TestApi {
  url: string;
  app: FastifyInstance;
  db: TestDatabase;
  services: CheckServices;
  clock: TestClock;
  authSecret: string;
  /** Any response, refusals included. */
  call<K extends OperationKey>(
    key: K,
    input?: CallInput<K> | null,
    credential?: Credential | null,
  ): Promise<RawResponse>;
  /** The documented body, typed; throws ApiError on a refusal. */
  ok<K extends OperationKey>(
    key: K,
    input?: CallInput<K> | null,
    credential?: Credential | null,
  ): Promise<CallOutput<K>>;
  /** `fetch` on a path, unchanged but for the credential. */
  raw(path: string, init?: RequestInit, credential?: Credential | null): Promise<RawResponse>;
  signUp(options?: {
    email?: string;
    role?: 'owner' | 'member';
    workspaceId?: number;
    state?: 'trial' | 'live' | 'lapsed' | 'suspended';
    /** Its email address is unconfirmed. */
    unconfirmed?: true;
  }): Promise<Account>;
  token(
    account: Account,
    options?: { readOnly?: boolean; expiresAt?: string },
  ): Promise<Credential & { secret: string; id: number }>;
  close(): Promise<void>;
}

export interface ApiOptions {
  /** Each is optional; a missing store responds with `unavailable`. */
  stores?: Partial<Stores>;
  /** A TestClock at 2026-11-21T12:00Z by default. */
  clock?: Clock;
  services?: Partial<Services>;
  settings?: Partial<DomainSettings>;
  config?: Partial<ApiConfig>;
  deps?: Partial<Omit<ApiDeps, 'services' | 'config'>>;
  /** Shares a database instead of creating one; it is not dropped then. */
  db?: TestDatabase;
  routes?: readonly Route[];
}

const noPopularity = () =>
  Promise.reject(new PopularityApiError('unavailable', 'this test has no publisher'));
const unreachablePopularityApi = { findAccount: noPopularity, readWeek: noPopularity };

export const testPassword = 'grape-tunnel-oxide-41';
/** The same tests again with plans. */
export const isMetered = process.env.METERED !== undefined;
let passwordHash: Promise<string> | null = null;

/**
 * The real server on a free loopback port over a real PostgreSQL of its own. Close it in afterAll.
 */
export async function startApi(options: ApiOptions = {}): Promise<TestApi> {
  const db = options.db ?? (await createTestDatabase());
  const clock = options.clock ?? new TestClock('2026-11-21T12:00:00Z');
  const services: CheckServices = {
    appDb: db.appDb,
    readDb: db.readDb,
    systemDb: db.systemDb,
    clock,
    stores: mapStores(({ id }) => options.stores?.[id] ?? unreachableStore(id)),
    images: { read: () => Promise.reject(new Error('this test has no image server')) },
    searchDelay: { wait: async () => {} },
    keywordScores: keywordScoreReader,
    tagReferences: ruleTags,
    settings: {
      dailyRunAtMinutes: 120,
      serpStoredDepth: 50,
      keepDays: { serps: 400, events: 400, jobs: 90, scoreProvenance: 90 },
      // A response to a search has all facts, so that most tests need no second one.
      searchProviders: mapStores(({ id }) => [detailedProviderOf(id)]),
      comparisonPercent: 0,
      hostRequestsPerMinute: Object.fromEntries(
        storeProfiles.flatMap(({ pace }) =>
          (pace.hosts ?? []).map(({ host, requestsPerMinute }) => [host, requestsPerMinute]),
        ),
      ),
      requestsPerMinute: mapStores(() => 15),
      endpoints: () => 1,
      egress: () => [{ name: 'direct', consecutiveFailures: 0, unavailableUntil: null }],
      billingEnabled: isMetered,
      diskBudgetBytes: 0,
      operatorEmails: [],
      signUpOpen: (options.config?.signUp ?? 'open') === 'open',
      publicUrl: null,
      ...options.settings,
    },
    webhooks: createWebhookSender({ allowedSubnets: [] }),
    mailer: null,
    payments: null,
    backups: null,
    parquet: null,
    historyFiles: {
      checkFile: (task, signal) => checkHistoryFile(services, textTables, task, signal),
      tables: textTables,
    },
    popularityFiles: {
      importFile: (task, signal) => importPopularityFile(services, openSheet, task, signal),
    },
    popularityApi: unreachablePopularityApi,
    updates: null,
    encryptionKey: async () => Buffer.alloc(32, 7),
    queueCapacity: { usedBytes: () => Promise.resolve(0), capBytes: 192 * 1024 * 1024 },
    log: silentLogger,
    wake: () => {},
    listingCache: new ListingCache(),
    fieldWatch: new FieldWatch(),
    ...options.services,
  };
  if (options.db === undefined) await beginSeries(services);
  const authSecret = options.deps?.authSecret ?? randomBytes(32).toString('hex');
  const config: ApiConfig = {
    publicUrl: null,
    apiDocs: 'owner',
    signUp: 'open',
    trustProxy: [],
    insecureCookies: false,
    ...options.config,
  };
  const nowMs = () => clock.now().getTime();
  const counters = new MemoryCounters(nowMs, (workspaceId) =>
    getOpenWindowUsage(services, workspaceId),
  );
  const attempts = new MemoryAttempts(nowMs);
  const app = await buildApi(
    {
      version: apiVersion,
      validateResponses: true,
      credentialCacheMs: 0,
      counters,
      attempts,
      ...options.deps,
      authSecret,
      services,
      config,
    },
    options.routes,
  );
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const raw: TestApi['raw'] = async (path, init = {}, credential = null) => {
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { ...credential?.headers, ...(init.headers as Record<string, string>) },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: readBody(text) };
  };
  const clientFor = (
    credential: Credential | null | undefined,
    seen: (response: RawResponse) => void,
  ) =>
    createClient({
      baseUrl: url,
      fetch: async (input, init) => {
        const response = await fetch(input, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), ...credential?.headers },
        });
        const text = await response.clone().text();
        seen({ status: response.status, headers: response.headers, text, body: readBody(text) });
        return response;
      },
    });
  const test: TestApi = {
    url,
    app,
    db,
    services,
    clock: clock as TestClock,
    authSecret,
    raw,
    ok: (key, input, credential) =>
      clientFor(credential, () => {})(key, (input ?? undefined) as never),
    call: async (key, input, credential) => {
      let response: RawResponse | undefined;
      await clientFor(credential, (seen) => {
        response = seen;
      })(key, (input ?? undefined) as never).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
      return response!;
    },
    signUp: (given) => signUp(services, authSecret, given ?? {}),
    token: async (account, given = {}) => {
      const { row, secret } = await createToken(account.ctx, {
        name: 'test',
        readOnly: given.readOnly ?? false,
        expiresAt: given.expiresAt,
      });
      return { id: row.id, secret, headers: { authorization: `Bearer ${secret}` } };
    },
    close: async () => {
      await closeServer(app);
      if (!options.db) await db.drop();
    },
  };
  return test;
}

/** Directly into the database: most tests are not about throttled sign-ins. */
async function signUp(
  services: Services,
  authSecret: string,
  given: NonNullable<Parameters<TestApi['signUp']>[0]>,
): Promise<Account> {
  const email = given.email ?? `person-${randomBytes(5).toString('hex')}@example.org`;
  const role = given.role ?? 'owner';
  const hash = await (passwordHash ??= hashPassword(testPassword));
  const visitor = { authSecret, address: '127.0.0.1', userAgent: 'test', presentedHash: null };
  const made = await inSystem(services, async (tx) => {
    const { user, workspace } = await createAccount(tx, services, {
      email,
      passwordHash: hash,
      isConfirmed: !given.unconfirmed,
    });
    const workspaceId = given.workspaceId ?? workspace.id;
    if (given.workspaceId !== undefined) {
      await tx.deleteFrom('workspaces').where('id', '=', workspace.id).execute();
      await tx
        .insertInto('memberships')
        .values({
          workspace_id: workspaceId,
          user_id: user.id,
          role,
          created_at: services.clock.now(),
        })
        .execute();
    } else {
      await tx.updateTable('memberships').set({ role }).where('user_id', '=', user.id).execute();
    }
    if (isMetered && !given.state)
      await tx
        .updateTable('workspaces')
        .set({ status: 'live', plan: 'ultimate' })
        .where('id', '=', workspaceId)
        .execute();
    if (given.state)
      await tx
        .updateTable('workspaces')
        .set(workspaceStatusOf(given.state))
        .where('id', '=', workspaceId)
        .execute();
    const { cookie } = await openSession(tx, services, { userId: user.id, workspaceId }, visitor);
    const row = await tx
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', user.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    return { userId: user.id, workspaceId, cookie, sessionId: row.id };
  });
  const { userId, workspaceId, sessionId } = made;
  const actor: Actor = { kind: 'session', userId, sessionId, role, email, operator: false };
  const headers = { cookie: `toprung_session=${made.cookie}`, 'sec-fetch-site': 'same-origin' };
  return {
    headers,
    userId,
    workspaceId,
    sessionId,
    email,
    password: testPassword,
    role,
    ctx: { ...services, workspaceId, workspaceState: given.state ?? 'live', actor },
  };
}

function workspaceStatusOf(state: NonNullable<Parameters<TestApi['signUp']>[0]>['state']) {
  if (state === 'suspended') return { suspended_at: new Date() };
  return state === 'lapsed' ? { status: state, trial_ends_at: new Date(0) } : { status: state! };
}

function readBody(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function unreachableStore(name: StoreName): Store {
  const dead = () =>
    Promise.reject(
      new StoreError({
        store: name,
        failure: 'unavailable',
        marker: 'test',
        message: 'this test has no store',
      }),
    );
  return {
    name,
    search: dead,
    listings: dead,
    reviews: dead,
    chart: dead,
    hints: dead,
    page: dead,
    similar: dead,
    countries: () => [{ country: 'us', language: 'en' }],
    readUrl: () => null,
    isStoreAppId: (text) => (name === 'ios' ? /^\d{1,15}$/ : /^[A-Za-z][\w.]{2,}$/).test(text),
    pageUrl: (storeAppId, country) => `https://${name}.example.org/${country}/${storeAppId}`,
  };
}
