import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { deleteAccount } from '#domain/accounts/auth/delete-account.ts';
import { purgeDeleted } from '#domain/accounts/auth/purge-deleted.ts';
import { signIn as signIntoAccount } from '#domain/accounts/auth/sign-in.ts';
import { PaymentError, type Payments } from '#domain/base/ports.ts';
import { applyRetention } from '#domain/scheduling/retention/apply-retention.ts';
import {
  startApi,
  testPassword,
  type Account,
  type Credential,
  type TestApi,
} from '../harness/api.ts';
import { trackMarkets } from './admin.fixtures.ts';
import { holdTransactions } from './held-transactions.ts';
import { describeTables } from './keywords.fixtures.ts';

let api: TestApi;
let started: Date;
let caller = 0;
const day = 86_400_000;
beforeAll(async () => {
  api = await startApi();
  started = api.clock.now();
});
beforeEach(() => api.clock.set(started));
afterAll(() => api.close());

const post = (path: string, body: unknown) =>
  api.raw(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `127.40.0.${(caller += 1)}` },
    body: JSON.stringify(body),
  });
const signIn = ({ email }: Account) => post('/auth/sign-in', { email, password: testPassword });
const remove = (as: Credential | null, password: unknown = testPassword) =>
  api.call('DELETE /auth/account', { body: { password } } as never, as);
const mayRead = async (as: Credential) =>
  (await api.call('GET /workspace', null, as)).status === 200;
const workspaceOf = async ({ workspaceId }: Account) =>
  (
    await api.db.pool.query(
      'select state, in_daily_run, delete_at as "deleteAt" from workspaces where id = $1',
      [workspaceId],
    )
  ).rows[0];
const isThere = async ({ userId }: Account) =>
  (await api.db.pool.query('select from users where id = $1', [userId])).rowCount === 1;
/** The person's second workspace. */
const join = (account: Account, { workspaceId }: Account, role = 'member') =>
  api.db.pool.query('insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)', [
    workspaceId,
    account.userId,
    role,
  ]);

describe('deleting an account', () => {
  test('ends sessions, tokens and the sole workspace at once; signing in undoes it', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    await join(ann, bob);
    const [token, market] = [
      await api.token(ann),
      (await trackMarkets(api, ann, ['annual report'])).marketIds[0],
    ];
    const isSearched = async () =>
      (
        await api.db.pool.query(
          'select depth > 0 as is from market_schedule where market_id = $1',
          [market],
        )
      ).rows[0].is;
    const response = await remove(ann);
    const purgeAt = new Date(started.getTime() + 14 * day);
    expect([response.status, response.body]).toEqual([
      200,
      { id: ann.userId, deleted: true, purgeAt: purgeAt.toISOString() },
    ]);
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    expect([await mayRead(ann), await mayRead(token), await mayRead(bob)]).toEqual([
      false,
      false,
      true,
    ]);
    expect([await workspaceOf(ann), await isSearched()]).toEqual([
      { state: 'suspended', in_daily_run: false, deleteAt: purgeAt },
      false,
    ]);
    expect((await workspaceOf(bob)).deleteAt).toBeNull();
    expect(
      (await api.ok('GET /workspace/members', null, bob)).items.map((row) => row.email),
    ).toContain(ann.email);

    api.clock.set(new Date(purgeAt.getTime() - 1));
    expect(await purgeDeleted(api.services)).toBe(0);
    expect(
      (await post('/auth/sign-in', { email: ann.email, password: 'not-the-password' })).status,
    ).toBe(401);
    const back = await signIn(ann);
    expect([back.status, back.body.accountRestored, back.body.workspace]).toMatchObject([
      200,
      true,
      { id: ann.workspaceId, state: 'live' },
    ]);
    expect([await mayRead(ann), await mayRead(token)]).toEqual([false, true]);
    expect([await workspaceOf(ann), await isSearched()]).toEqual([
      { state: 'live', in_daily_run: true, deleteAt: null },
      true,
    ]);
    expect((await signIn(ann)).body.accountRestored).toBe(false);
    const trail = await api.ok('GET /workspace/audit', null, token);
    expect(
      trail.items
        .map((entry) => entry.action)
        .filter((action) => /^(account|workspace)\./.test(action)),
    ).toEqual(['account.restored', 'workspace.restored', 'account.deleted', 'workspace.deleted']);
  });

  test('is undone by two sign-ins at once, and both succeed', async () => {
    const ann = await api.signUp();
    await remove(ann);
    const { services, reached, release } = holdTransactions(api.services);
    const visitor = { authSecret: api.authSecret, address: '127.40.1.1' };
    const late = signIntoAccount(
      services,
      { email: ann.email, password: testPassword },
      { ...visitor, userAgent: null, presentedHash: null },
    );
    await reached;
    expect((await signIn(ann)).body.accountRestored).toBe(true);
    release();
    expect(await late).toMatchObject({ user: { id: ann.userId }, accountRestored: true });
    const { session } = await late;
    const cookie = `toprung_session=${session.cookie}`;
    const trail = await api.ok('GET /workspace/audit', null, { headers: { cookie } });
    expect(trail.items.filter(({ action }) => action === 'account.restored')).toHaveLength(1);
  });

  test('removes the account and its sole workspace after 14 days, not shared ones', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    await join(ann, bob);
    await remove(ann);
    api.clock.advance(14 * day);
    // An expired deletion counts as final, whether or not the cleanup has run.
    const late = await signIn(ann);
    expect([late.status, late.body.code]).toEqual([401, 'unauthenticated']);
    const { acceptUrl } = await api.ok(
      'POST /workspace/invites',
      { body: { email: `x-${ann.email}` } },
      await api.signUp(),
    );
    await api.db.pool.query('update invites set email = $1 where email = $2', [
      ann.email,
      `x-${ann.email}`,
    ]);
    expect(
      (await post(`/auth/invites/${acceptUrl!.split('#')[1]!}/accept`, { password: testPassword }))
        .status,
    ).toBe(404);
    const gone = await Promise.all([purgeDeleted(api.services), purgeDeleted(api.services)]);
    expect(gone.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
    expect([await isThere(ann), await workspaceOf(ann), await isThere(bob)]).toEqual([
      false,
      undefined,
      true,
    ]);
    expect(await purgeDeleted(api.services)).toBe(0);
    api.clock.set(started);
    expect(
      (await api.ok('GET /workspace/members', null, bob)).items.map((row) => row.email),
    ).toEqual([bob.email]);
    expect((await post('/auth/sign-up', { email: ann.email, password: testPassword })).status).toBe(
      201,
    );
  });

  test('removes the address from everything that the account did elsewhere', async () => {
    const [ann, bob, carl] = [await api.signUp(), await api.signUp(), await api.signUp()];
    const takeIn = async ({ email }: Account): Promise<Credential> => {
      const { acceptUrl } = await api.ok('POST /workspace/invites', { body: { email } }, bob);
      const accepted = await post(`/auth/invites/${acceptUrl!.split('#')[1]!}/accept`, {
        password: testPassword,
      });
      const guest = {
        headers: {
          cookie: accepted.headers.get('set-cookie')!.split(';')[0]!,
          'sec-fetch-site': 'same-origin',
        },
      };
      await api.ok('POST /tokens', { body: { name: 'robot' } }, guest);
      return guest;
    };
    await takeIn(ann);
    await api.ok(
      'DELETE /workspace/members/{id}',
      { params: { id: carl.userId } },
      await takeIn(carl),
    );
    await api.ok('POST /workspace/invites', { body: { email: 'guest@example.org' } }, bob);
    const trail = async () => {
      const { rows } = await api.db.pool.query(
        'select * from audit where workspace_id = $1 order by id',
        [bob.workspaceId],
      );
      return rows.map(({ action, actor, subject }) => [action, actor, subject]);
    };
    const before = await trail();
    expect(before.flat()).toEqual(expect.arrayContaining([ann.email, carl.email]));

    await remove(ann);
    const { name } = await api.ok('GET /workspace', null, carl);
    await api.ok('DELETE /workspace', { body: { confirmName: name } }, carl);
    api.clock.advance(14 * day);
    await purgeDeleted(api.services);
    expect([await isThere(ann), await isThere(carl)]).toEqual([false, false]);
    const gone = (cell: unknown) =>
      cell === ann.email || cell === carl.email ? 'deleted account' : cell;
    const left = ['account.deleted', 'deleted account', 'deleted account'];
    expect(await trail()).toEqual([...before.map((row) => row.map(gone)), left]);

    // Accepted invitations are deleted like expired ones.
    const invited = async () =>
      (
        await api.db.pool.query('select email from invites where workspace_id = $1 order by id', [
          bob.workspaceId,
        ])
      ).rows.map(({ email }) => email);
    api.clock.set(new Date(started.getTime() + 30 * day));
    await applyRetention(api.services, AbortSignal.timeout(60_000));
    expect(await invited()).toEqual([ann.email, carl.email, 'guest@example.org']);
    api.clock.advance(1);
    await applyRetention(api.services, AbortSignal.timeout(60_000));
    expect(await invited()).toEqual(['guest@example.org']);
    api.clock.advance(7 * day);
    await applyRetention(api.services, AbortSignal.timeout(60_000));
    expect(await invited()).toEqual([]);
  });

  test('revokes the invitations that the account has open, and no others', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    await join(ann, bob, 'owner');
    await api.db.pool.query('update sessions set workspace_id = $1 where user_id = $2', [
      bob.workspaceId,
      ann.userId,
    ]);
    const invite = async (as: Credential, email: string) =>
      (await api.ok('POST /workspace/invites', { body: { email } }, as)).acceptUrl!.split('#')[1]!;
    const [byAnn, byBob] = [
      await invite(ann, 'again@example.org'),
      await invite(bob, 'colleague@example.org'),
    ];
    expect((await remove(ann)).status).toBe(200);
    const accept = async (secret: string) =>
      (await post(`/auth/invites/${secret}/accept`, { password: testPassword })).status;
    expect([await accept(byAnn), await accept(byBob)]).toEqual([404, 201]);
    const { rows } = await api.db.pool.query(
      "select subject, actor from audit where workspace_id = $1 and action = 'invite.revoked'",
      [bob.workspaceId],
    );
    expect(rows).toEqual([{ subject: 'again@example.org', actor: ann.email }]);
  });

  test('is not made final by a clock that is ahead for a moment', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    await remove(ann);
    const { name } = await api.ok('GET /workspace', null, bob);
    await api.ok('DELETE /workspace', { body: { confirmName: name } }, bob);
    const purge = async () => {
      await api.db.pool.query(
        `insert into runs (date, opened_at, state) values (($1 at time zone 'UTC')::date, $1,
           'running')`,
        [api.clock.now()],
      );
      await purgeDeleted(api.services);
      return [await isThere(ann), await workspaceOf(ann), await workspaceOf(bob)];
    };
    try {
      const before = await purge();
      api.clock.advance(16 * day);
      expect(await purge()).toEqual(before);
      // After days without a run, the next day continues.
      api.clock.advance(day);
      expect(await purge()).toEqual([false, undefined, undefined]);
    } finally {
      await api.db.pool.query('delete from runs');
    }
  });

  test('keeps the purge date of a workspace that was deleted before the account', async () => {
    const ann = await api.signUp();
    const { name } = await api.ok('GET /workspace', null, ann);
    await api.ok('DELETE /workspace', { body: { confirmName: name } }, ann);
    api.clock.advance(day);
    await remove(ann);
    expect((await signIn(ann)).body).toMatchObject({
      accountRestored: true,
      workspace: { state: 'suspended' },
    });
    expect((await workspaceOf(ann)).deleteAt).toEqual(new Date(started.getTime() + 14 * day));
  });

  test('continues after the process is killed halfway', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    const end = new Date(started.getTime() + 14 * day);
    const mark = (table: 'users' | 'workspaces', id: number) =>
      api.db.pool.query(`update ${table} set delete_at = $2 where id = $1`, [id, end]);
    // Killed while deleting: the workspace was marked, the account not yet.
    await mark('workspaces', ann.workspaceId);
    expect((await api.ok('GET /workspace', null, ann)).deleteAt).toBe(end.toISOString());
    expect((await remove(ann)).status).toBe(200);
    expect((await signIn(ann)).body).toMatchObject({
      accountRestored: true,
      workspace: { state: 'live' },
    });
    // Killed while restoring: the workspace was restored, the account not yet.
    await mark('users', bob.userId);
    expect(await mayRead(bob)).toBe(false);
    expect((await signIn(bob)).body).toMatchObject({
      accountRestored: true,
      workspace: { state: 'live' },
    });
    // Killed before the purge: the account was marked, its last workspace was not.
    await mark('users', bob.userId);
    api.clock.set(end);
    await purgeDeleted(api.services);
    await purgeDeleted(api.services);
    expect([await isThere(bob), await workspaceOf(bob)]).toEqual([false, undefined]);
  });

  test('is not held up by others whose deletion fails, which are retried', async () => {
    const failing = await api.db.pool.query(
      `insert into workspaces (name, status, delete_at)
         select 'failing', 'live', $1 from generate_series(1, 20) returning id`,
      [api.clock.now()],
    );
    const people = await api.db.pool.query(
      `insert into users (email, password_hash, delete_at)
         select 'failing-' || n || '@example.org', 'none', $1 from generate_series(1, 20) n
         returning id`,
      [api.clock.now()],
    );
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    const other = await api.signUp();
    await join(bob, other);
    await api.db.pool.query('delete from memberships where user_id = $1 and workspace_id = $2', [
      bob.userId,
      bob.workspaceId,
    ]);
    await api.db.pool.query('update workspaces set delete_at = $2 where id = $1', [
      ann.workspaceId,
      api.clock.now(),
    ]);
    await api.db.pool.query('update users set delete_at = $2 where id = $1', [
      bob.userId,
      api.clock.now(),
    ]);
    await api.db.pool.query(
      "create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; " +
        'end $$',
    );
    for (const [table, what] of [
      ['workspaces', "old.name = 'failing'"],
      ['users', "old.email like 'failing-%'"],
    ])
      await api.db.pool.query(
        `create trigger refuse before delete on ${table} for each row when (${what})
           execute function refuse()`,
      );
    onTestFinished(
      async () => void (await api.db.pool.query('drop function if exists refuse cascade')),
    );
    expect(await purgeDeleted(api.services)).toBe(0);
    expect([await purgeDeleted(api.services), await isThere(ann), await isThere(bob)]).toEqual([
      2,
      false,
      false,
    ]);
    await api.db.pool.query('drop function refuse cascade');
    await purgeDeleted(api.services);
    await purgeDeleted(api.services);
    for (const [table, { rows }] of [
      ['workspaces', failing],
      ['users', people],
    ] as const) {
      const ids = rows.map(({ id }) => id as number);
      const left = await api.db.pool.query(`select from ${table} where id = any($1)`, [ids]);
      expect([table, left.rowCount]).toEqual([table, 0]);
    }
  });

  test('leaves a shared workspace with an owner, not counting deleted accounts', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const before = await describeTables(api);
    const refused = await remove(ann);
    expect([refused.status, refused.body.issues[0].path, refused.body.message]).toEqual([
      400,
      'account',
      expect.stringContaining('make another member owner'),
    ]);
    expect(await describeTables(api)).toEqual(before);
    await api.ok(
      'PATCH /workspace/members/{id}',
      { params: { id: member.userId }, body: { role: 'owner' } },
      ann,
    );
    expect((await remove(ann)).status).toBe(200);
    expect((await workspaceOf(ann)).deleteAt).toBeNull();
    const leave = await api.call(
      'DELETE /workspace/members/{id}',
      { params: { id: member.userId } },
      member,
    );
    const demote = await api.call(
      'PATCH /workspace/members/{id}',
      { params: { id: member.userId }, body: { role: 'member' } },
      member,
    );
    expect([leave.status, demote.status]).toEqual([400, 400]);
    // The other owner's account is deleted, so the workspace goes with the last one.
    expect((await remove(member)).status).toBe(200);
    expect((await workspaceOf(ann)).deleteAt).not.toBeNull();
    api.clock.advance(14 * day);
    await purgeDeleted(api.services);
    expect([await isThere(ann), await isThere(member), await workspaceOf(ann)]).toEqual([
      false,
      false,
      undefined,
    ]);
  });

  test('keeps one of two last owners who delete at once, and removes deleted owners', async () => {
    const ann = await api.signUp();
    const bob = await api.signUp({ workspaceId: ann.workspaceId, role: 'owner' });
    await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const statuses = (await Promise.all([remove(ann), remove(bob)])).map(
      (response) => response.status,
    );
    expect(statuses.toSorted()).toEqual([200, 400]);
    const [gone, stays] = statuses[0] === 200 ? [ann, bob] : [bob, ann];
    expect(
      (await api.call('DELETE /workspace/members/{id}', { params: { id: gone.userId } }, stays))
        .status,
    ).toBe(200);
    expect((await signIn(gone)).status).toBe(401);
  });

  test('deletes the workspace when its last two owners delete at once', async () => {
    const ann = await api.signUp();
    const bob = await api.signUp({ workspaceId: ann.workspaceId, role: 'owner' });
    // Each has read that the other stays, before either is marked.
    const held = [ann, bob].map((owner) => holdTransactions(owner.ctx));
    const going = held.map(({ services }) => deleteAccount(services, testPassword));
    await Promise.all(held.map(({ reached }) => reached));
    held.forEach(({ release }) => release());
    const [end] = await Promise.all(going);
    expect(await workspaceOf(ann)).toMatchObject({ in_daily_run: false, deleteAt: end });
  });

  test('keeps a workspace that somebody joins meanwhile, or that cannot stop paying', async () => {
    const [ann, carl, dora] = [await api.signUp(), await api.signUp(), await api.signUp()];
    await join(ann, carl, 'owner');
    await api.db.pool.query('delete from memberships where user_id = $1', [carl.userId]);
    for (const id of [ann.workspaceId, carl.workspaceId])
      await api.db.pool.query(
        "update workspaces set payment_customer = 'cus_' || id::text where id = $1",
        [id],
      );
    const forget = vi.fn<Payments['forget']>();
    const paid = { ...ann.ctx, payments: { forget } as unknown as Payments };
    // Stripe responds for one workspace and is unreachable for the other.
    forget.mockImplementation((customer) =>
      customer === `cus_${carl.workspaceId}`
        ? Promise.reject(new PaymentError('unavailable', 'down'))
        : Promise.resolve(),
    );
    await expect(deleteAccount(paid, testPassword)).rejects.toBeInstanceOf(PaymentError);
    expect([
      await mayRead(ann),
      (await workspaceOf(ann)).deleteAt,
      (await workspaceOf(carl)).deleteAt,
    ]).toEqual([true, null, null]);
    forget.mockImplementation(
      async (customer) => void (customer === `cus_${ann.workspaceId}` && (await join(dora, ann))),
    );
    await expect(deleteAccount(paid, testPassword)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect([await mayRead(ann), (await workspaceOf(ann)).deleteAt]).toEqual([true, null]);
  });

  test('requires the person and the password, in every state of the workspace', async () => {
    const ann = await api.signUp();
    const [token, reader] = [await api.token(ann), await api.token(ann, { readOnly: true })];
    await Promise.all([mayRead(token), mayRead(reader)]);
    const before = await describeTables(api, ['tokens']);
    expect((await remove(null)).status).toBe(401);
    for (const robot of [token, reader]) expect((await remove(robot)).status).toBe(403);
    const wrong = await remove(ann, 'not-the-password');
    expect([wrong.status, wrong.body.code]).toEqual([401, 'unauthenticated']);
    for (const password of [null, 5, '', 'x'.repeat(10_000), ['a']])
      expect([password, (await remove(ann, password)).status]).toEqual([password, 400]);
    for (const body of ['null', '5', '{}', JSON.stringify({ password: testPassword, extra: 1 })]) {
      const response = await api.raw(
        '/auth/account',
        { method: 'DELETE', headers: { 'content-type': 'application/json' }, body },
        ann,
      );
      expect([body, response.status]).toEqual([body, 400]);
    }
    expect(await describeTables(api, ['tokens'])).toEqual(before);
    expect(await mayRead(ann)).toBe(true);
    const stopped = await api.signUp({ state: 'suspended' });
    expect((await remove(stopped)).status).toBe(200);
  });
});
