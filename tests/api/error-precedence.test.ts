import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { seedHistory } from '../harness/history.ts';

/** Possible errors of a request, in the order in which they are reported. */
const order = [
  'hidden',
  'credential_throttled',
  'unauthenticated',
  'workspace_switched',
  'no_live_plan',
  'workspace_suspended',
  'read_only_token',
  'rate_limited',
  'invalid_request',
  'not_found',
  'quota_keyword_markets',
] as const;
type Fault = (typeof order)[number];

/**
 * Impossible pairs, or pairs in which one is no error: a token belongs to one workspace; a
 * suspension replaces a lapsed plan and makes its tokens unknown; a hidden path is a read, which
 * lapsed, suspended and read-only callers may send, and has no body.
 */
const never: readonly [Fault, Fault][] = [
  ['workspace_switched', 'read_only_token'],
  ['no_live_plan', 'workspace_suspended'],
  ['workspace_suspended', 'read_only_token'],
  ['hidden', 'invalid_request'],
  ['hidden', 'not_found'],
  ['hidden', 'quota_keyword_markets'],
];

let api: TestApi;
let full: { account: Account; appId: number };
let addresses = 0;

beforeAll(async () => {
  api = await startApi({ settings: { billingEnabled: true } });
  full = await fullWorkspace();
});
afterAll(() => api.close());

async function fullWorkspace() {
  const account = await api.signUp();
  const past = await seedHistory(api.db.pool, {
    workspaceId: account.workspaceId,
    apps: 1,
    markets: 1_000,
    days: 1,
    lastDay: '2026-11-20',
  });
  return { account, appId: past.appIds[0]! };
}

/** A request with exactly these errors. */
async function ask(faults: readonly Fault[]) {
  const has = (fault: Fault) => faults.includes(fault);
  const { account, appId } = full;
  const { pool } = api.db;
  const { workspaceId } = account;
  await pool.query(
    `update workspaces set status = $2, plan = 'indie', suspended_at = $3 where id = $1`,
    [
      workspaceId,
      has('no_live_plan') ? 'lapsed' : 'live',
      has('workspace_suspended') ? '2026-11-20T00:00:00Z' : null,
    ],
  );
  await pool.query(`update memberships set role = $2 where workspace_id = $1`, [
    workspaceId,
    has('hidden') ? 'member' : 'owner',
  ]);
  // A new minute for each request, used up if that is the error.
  api.clock.set(new Date(api.clock.now().getTime() + 60_000));
  const address = `198.51.${100 + Math.floor((addresses += 1) / 250)}.${(addresses % 250) + 1}`;
  const from = {
    'x-forwarded-for': address,
    ...(has('workspace_switched') && { 'x-toprung-workspace': String(workspaceId + 1) }),
  };
  if (has('rate_limited')) await exhaustQuota(account, has('hidden') ? 300 : 60);
  if (has('credential_throttled')) {
    for (let count = 0; count < 120; count += 1)
      await api.raw('/errors', { headers: { ...from, authorization: 'Bearer dead' } });
  }
  const credential: Credential = has('unauthenticated')
    ? { headers: { authorization: 'Bearer dead' } }
    : has('read_only_token')
      ? await api.token(account, { readOnly: true })
      : account;
  if (has('hidden')) return api.raw('/docs-json', { headers: from }, credential);
  const phrase = has('quota_keyword_markets') ? `one more ${addresses}` : 'phrase 1';
  const keywords = has('invalid_request')
    ? null
    : [{ phrase, country: has('quota_keyword_markets') ? 'fr' : 'us' }];
  const path = `/apps/${has('not_found') ? 999_999 : appId}/keywords`;
  return api.raw(
    path,
    {
      method: 'POST',
      headers: { ...from, 'content-type': 'application/json' },
      body: JSON.stringify({ keywords }),
    },
    credential,
  );
}

/** Directly into the counters: three hundred requests for each pair would be thousands. */
async function exhaustQuota({ workspaceId }: Account, limit: number) {
  const { plan } = api.app.api.limits;
  const operation = { rateClass: limit === 60 ? ('write' as const) : ('read' as const) };
  const identity = { workspaceId, plan: null } as Parameters<NonNullable<typeof plan>['admit']>[0];
  for (let count = 0; count < limit; count += 1)
    await plan!.end(await plan!.admit(identity, operation), false);
}

const codeOf = (fault: Fault) => (fault === 'hidden' ? 'not_found' : fault);
const pairs = order.flatMap((first, index) =>
  order.slice(index + 1).map((second) => [first, second] as const),
);
const isNever = ([first, second]: readonly [Fault, Fault]) =>
  never.some(([a, b]) => a === first && b === second);

describe('the first of two errors is reported', () => {
  test.each(order)('%s alone', async (fault) => {
    const response = await ask([fault]);
    expect({ fault, code: response.body.code, message: response.body.message }).toMatchObject({
      code: codeOf(fault),
    });
  });

  test.each(pairs.filter((pair) => !isNever(pair)))('%s before %s', async (first, second) => {
    const response = await ask([first, second]);
    expect({ first, second, code: response.body.code }).toEqual({
      first,
      second,
      code: codeOf(first),
    });
  });

  test('a suspension is reported before the state of the plan', async () => {
    const response = await ask(['no_live_plan', 'workspace_suspended']);
    expect(response.body.code).toBe('workspace_suspended');
  });

  test('none of these requests wrote anything', async () => {
    const { rows } = await api.db.pool.query(
      'select count(*)::int as n from keywords where workspace_id = $1',
      [full.account.workspaceId],
    );
    expect(rows[0].n).toBe(1_000);
  });
});
