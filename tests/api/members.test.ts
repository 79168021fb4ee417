import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createInvite } from '#domain/accounts/members/invites.ts';
import { removeMember, updateMemberRole } from '#domain/accounts/members/members.ts';
import { createMailer } from '#outbound/mailer.ts';
import {
  startApi,
  testPassword,
  type Account,
  type Credential,
  type RawResponse,
  type TestApi,
} from '../harness/api.ts';
import { startMailServer } from '../harness/smtp.ts';
import { holdTransactions } from './held-transactions.ts';
import { describeTables } from './keywords.fixtures.ts';

let api: TestApi;
let caller = 0;
const password = 'lantern-quilt-harbour-7';
const secretOf = (acceptUrl: string) => acceptUrl.slice(acceptUrl.indexOf('#') + 1);
const json = (
  method: string,
  path: string,
  body: unknown,
  credential: Credential | null = null,
  headers: Record<string, string> = {},
) =>
  api.raw(
    path,
    {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    },
    credential,
  );
// Each from an address of its own: throttling is tested elsewhere.
const accept = (
  token: string,
  body: unknown,
  address = `127.20.${++caller >> 8}.${caller & 255}`,
) =>
  json('POST', `/auth/invites/${encodeURIComponent(token)}/accept`, body, null, {
    'x-forwarded-for': address,
  });
const cookieOf = (response: RawResponse): Credential => ({
  headers: {
    cookie: response.headers.get('set-cookie')!.split(';')[0]!,
    'sec-fetch-site': 'same-origin',
  },
});
const invite = (owner: Account, email: string, role: 'owner' | 'member' = 'member') =>
  api.ok('POST /workspace/invites', { body: { email, role } }, owner);
const uniqueEmail = () => `guest-${(caller += 1)}@example.org`;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('invitations', () => {
  test('create an account with the role and sign it in, once', async () => {
    const owner = await api.signUp();
    const email = uniqueEmail();
    const made = await invite(owner, ` ${email.toUpperCase()} `);
    expect(made).toMatchObject({
      email,
      role: 'member',
      invitedBy: owner.email,
      state: 'pending',
      mail: 'off',
      expiresAt: '2026-11-28T12:00:00.000Z',
    });
    expect(made.acceptUrl!).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/invite#[\w-]{43}$/);
    const response = await accept(secretOf(made.acceptUrl!), { password, name: 'Guest' });
    expect([response.status, response.body.user.email, response.body.workspace.id]).toEqual([
      201,
      email,
      owner.workspaceId,
    ]);
    const guest = cookieOf(response);
    expect(await api.ok('GET /auth/session', null, guest)).toMatchObject({
      role: 'member',
      workspace: { id: owner.workspaceId },
      user: { name: 'Guest' },
    });
    expect(
      (await api.ok('GET /workspace/members', null, guest)).items.map((row) => [
        row.email,
        row.role,
        row.you,
      ]),
    ).toEqual([
      [owner.email, 'owner', false],
      [email, 'member', true],
    ]);
    expect((await accept(secretOf(made.acceptUrl!), { password })).status).toBe(404);
    expect((await api.ok('GET /workspace/invites', null, owner)).items).toEqual([]);
    expect(
      (
        await json('POST', '/auth/sign-in', { email, password }, null, {
          'x-forwarded-for': '127.20.200.1',
        })
      ).status,
    ).toBe(200);
  });

  test('are stored as a hash of their secret', async () => {
    const owner = await api.signUp();
    const secret = secretOf((await invite(owner, uniqueEmail())).acceptUrl!);
    const { rows } = await api.db.pool.query(
      `select coalesce(string_agg(t::text, ''), '') || (select string_agg(a::text, '') from ` +
        'audit a) as text from invites t',
    );
    expect(rows[0].text).not.toContain(secret);
    expect(rows[0].text).not.toContain(Buffer.from(secret).toString('hex'));
  });

  test('let an existing account join with its own password, keeping its workspace', async () => {
    const owner = await api.signUp();
    const other = await api.signUp();
    const secret = secretOf((await invite(owner, other.email, 'owner')).acceptUrl!);
    const wrong = await accept(secret, { password });
    expect([wrong.status, wrong.body.code]).toEqual([401, 'unauthenticated']);
    const joined = await accept(secret, { password: testPassword });
    expect(joined.status).toBe(201);
    expect(await api.ok('GET /auth/session', null, cookieOf(joined))).toMatchObject({
      role: 'owner',
      workspace: { id: owner.workspaceId },
    });
    expect((await api.ok('GET /auth/session', null, other)).workspace.id).toBe(other.workspaceId);
  });

  test('return one error for absent, malformed, revoked, replaced or used links', async () => {
    const owner = await api.signUp();
    const [revoked, used, ended] = [
      await invite(owner, uniqueEmail()),
      await invite(owner, uniqueEmail()),
      await invite(owner, uniqueEmail()),
    ];
    const email = uniqueEmail();
    const replaced = await invite(owner, email);
    await invite(owner, email);
    await api.ok('DELETE /workspace/invites/{id}', { params: { id: revoked.id } }, owner);
    expect((await accept(secretOf(used.acceptUrl!), { password })).status).toBe(201);
    await api.db.pool.query('update invites set expires_at = $1 where id = $2', [
      api.clock.now(),
      ended.id,
    ]);
    const listed = (await api.ok('GET /workspace/invites', null, owner)).items;
    expect(listed.find((row) => row.id === ended.id)?.state).toBe('expired');
    const reader = await api.token(owner, { readOnly: true });
    expect((await api.ok('GET /workspace/invites', null, reader)).items).toEqual(listed);
    const secrets = [
      ...[revoked, used, ended, replaced].map((row) => secretOf(row.acceptUrl!)),
      'A'.repeat(43),
      'short',
      '../../x',
    ];
    const before = await describeTables(api);
    for (const secret of secrets) {
      const response = await accept(secret, { password: 'short' });
      const { path, timestamp, ...body } = response.body;
      expect([response.status, body]).toEqual([
        404,
        {
          statusCode: 404,
          error: 'Not Found',
          message: 'The resource does not exist.',
          code: 'not_found',
        },
      ]);
      expect([typeof path, typeof timestamp]).toEqual(['string', 'string']);
    }
    expect(await describeTables(api)).toEqual(before);
  });

  test('let one of two join who accept at once', async () => {
    const owner = await api.signUp();
    const secret = secretOf((await invite(owner, uniqueEmail())).acceptUrl!);
    const responses = await Promise.all([
      accept(secret, { password }),
      accept(secret, { password }),
    ]);
    expect(responses.filter((response) => response.status === 201)).toHaveLength(1);
    expect((await api.ok('GET /workspace/members', null, owner)).total).toBe(2);
  });

  test('stay valid after a bad password', async () => {
    const owner = await api.signUp();
    const secret = secretOf((await invite(owner, uniqueEmail())).acceptUrl!);
    const refused = await accept(secret, { password: 'short' });
    expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'password']);
    expect((await accept(secret, { password })).status).toBe(201);
  });

  test('refuse a forbidden password alike, whether or not the account exists', async () => {
    const [owner, known] = [await api.signUp(), await api.signUp()];
    const links = [await invite(owner, uniqueEmail()), await invite(owner, known.email)].map(
      ({ acceptUrl }) => secretOf(acceptUrl!),
    );
    const [stranger, member] = await Promise.all(
      links.map(async (secret) => (await accept(secret, { password: 'x' })).body),
    );
    expect([stranger.statusCode, stranger.issues]).toEqual([member.statusCode, member.issues]);
    expect([stranger.code, stranger.message]).toEqual(['invalid_request', member.message]);
  });

  test('throttle attempts like sign-in', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 14 }, () => accept('A'.repeat(43), { password }, '127.21.0.1')),
    );
    expect(statuses.map((response) => response.status).toSorted()).toEqual([
      ...Array<number>(10).fill(404),
      ...Array<number>(4).fill(429),
    ]);
  });

  test('refuse a member’s address, a bad role and an unknown member, writing nothing', async () => {
    const owner = await api.signUp();
    const before = await describeTables(api);
    for (const body of [
      { email: owner.email },
      { email: 'x' },
      { email: 'a@b.c', role: 'admin' },
      { email: 'a@b.c', extra: 1 },
      { email: null },
      [],
    ]) {
      expect((await json('POST', '/workspace/invites', body, owner)).status).toBe(400);
    }
    expect(await describeTables(api)).toEqual(before);
  });

  test('are mailed if a mail server is set, and remain if it refuses them', async () => {
    const server = await startMailServer();
    const mailer = createMailer({ url: server.url, from: 'Toprung <aso@example.org>' });
    const mailing = await startApi({
      db: api.db,
      deps: { authSecret: api.authSecret },
      services: { mailer },
      settings: { publicUrl: 'https://aso.example.org' },
    });
    const owner = await api.signUp();
    const forged = { headers: { ...owner.headers, 'x-forwarded-host': 'evil.example.org' } };
    const send = (email: string) =>
      mailing.ok('POST /workspace/invites', { body: { email } }, forged);
    const sent = await send('quoted,guest@example.org');
    await server.waitFor(1);
    expect(sent.mail).toBe('sent');
    const [mail] = server.mails;
    expect([mail!.from, mail!.to]).toEqual(['aso@example.org', ['"quoted,guest"@example.org']]);
    expect(mail!.subject).toContain(owner.email);
    const secret = secretOf(sent.acceptUrl!);
    expect(mail!.text).toContain(`https://aso.example.org/invite#${secret}`);
    expect(mail!.text).not.toContain('evil');
    server.recipientReply = '550 no such mailbox';
    const refused = await send('nobody@example.org');
    expect([refused.mail, refused.state]).toEqual(['failed', 'pending']);
    expect((await accept(secretOf(refused.acceptUrl!), { password })).status).toBe(201);
    await mailing.close();
    await mailer.close();
    await server.close();
  });

  describe('invitations with a mail server', () => {
    let server: Awaited<ReturnType<typeof startMailServer>>;
    let mailer: ReturnType<typeof createMailer>;
    let mailing: TestApi;
    beforeAll(async () => {
      server = await startMailServer();
      mailer = createMailer({ url: server.url, from: 'Toprung <aso@example.org>' });
      mailing = await startApi({
        db: api.db,
        deps: { authSecret: api.authSecret },
        services: { mailer },
      });
    });
    afterAll(async () => {
      await mailing.close();
      await mailer.close();
      await server.close();
    });
    const send = (owner: Credential, email: string) =>
      mailing.ok('POST /workspace/invites', { body: { email } }, owner);

    test('are not mailed for an owner whose own address is unconfirmed', async () => {
      const owner = await api.signUp({ unconfirmed: true });
      const before = server.mails.length;
      const made = await send(owner, uniqueEmail());
      expect([made.mail, made.state, server.mails.length]).toEqual([
        'unconfirmed',
        'pending',
        before,
      ]);
      expect((await accept(secretOf(made.acceptUrl!), { password })).status).toBe(201);
      await api.db.pool.query('update users set email_confirmed_at = now() where id = $1', [
        owner.userId,
      ]);
      expect((await send(owner, uniqueEmail())).mail).toBe('sent');
    });

    test('mail an address three times a day, and for a workspace fifty times', async () => {
      const [ann, bob] = [await api.signUp(), await api.signUp()];
      const started = mailing.clock.now();
      const target = uniqueEmail();
      const round = async (owner: Account) => {
        const made = await send(owner, target);
        await api.ok('DELETE /workspace/invites/{id}', { params: { id: made.id } }, owner);
        return made.mail;
      };
      expect([
        await round(ann),
        await round(ann),
        await round(bob),
        await round(bob),
        await round(ann),
      ]).toEqual(['sent', 'sent', 'sent', 'capped', 'capped']);
      for (let count = 2; count < 50; count += 1) {
        const made = await send(ann, uniqueEmail());
        expect([count, made.mail]).toEqual([count, 'sent']);
        await api.ok('DELETE /workspace/invites/{id}', { params: { id: made.id } }, ann);
      }
      const over = await Promise.all([
        send(ann, uniqueEmail()),
        send(ann, uniqueEmail()),
        send(bob, uniqueEmail()),
      ]);
      expect(over.map(({ mail, state }) => [mail, state])).toEqual([
        ['capped', 'pending'],
        ['capped', 'pending'],
        ['sent', 'pending'],
      ]);
      mailing.clock.advance(86_400_000);
      expect((await send(ann, target)).mail).toBe('sent');
      mailing.clock.set(started);
    });
  });
});

describe('members', () => {
  test('lose sessions and tokens when removed, and do not regain them when invited', async () => {
    const owner = await api.signUp();
    const member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
    const elsewhere = await api.signUp();
    await api.db.pool.query(
      'insert into memberships (workspace_id, user_id, role) values ($1, $2, $3)',
      [elsewhere.workspaceId, member.userId, 'member'],
    );
    const token = await api.token(member);
    await api.ok('DELETE /workspace/members/{id}', { params: { id: member.userId } }, owner);
    expect((await api.call('GET /workspace', null, member)).status).toBe(401);
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    expect(
      (
        await accept(secretOf((await invite(owner, member.email)).acceptUrl!), {
          password: testPassword,
        })
      ).status,
    ).toBe(201);
    expect((await api.call('GET /workspace', null, token)).status).toBe(401);
    expect(
      (
        await api.call(
          'DELETE /workspace/members/{id}',
          { params: { id: elsewhere.userId } },
          owner,
        )
      ).status,
    ).toBe(404);
  });

  test('are deleted with their last workspace, so the address can be invited again', async () => {
    const owner = await api.signUp();
    const member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
    await api.ok('DELETE /workspace/members/{id}', { params: { id: member.userId } }, member);
    expect(
      (await api.db.pool.query('select from users where id = $1', [member.userId])).rowCount,
    ).toBe(0);
    expect(
      (await accept(secretOf((await invite(owner, member.email)).acceptUrl!), { password })).status,
    ).toBe(201);
  });

  test('include one owner at least, however many leave or change at once', async () => {
    const owner = await api.signUp();
    const second = await api.signUp({ workspaceId: owner.workspaceId, role: 'owner' });
    const responses = await Promise.all([
      api.call('DELETE /workspace/members/{id}', { params: { id: owner.userId } }, owner),
      api.call('DELETE /workspace/members/{id}', { params: { id: second.userId } }, second),
    ]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 400]);
    const { rows } = await api.db.pool.query(
      'select user_id as id from memberships where workspace_id = $1',
      [owner.workspaceId],
    );
    const last = [owner, second].find((person) => person.userId === rows[0].id)!;
    const demoted = await api.call(
      'PATCH /workspace/members/{id}',
      { params: { id: last.userId }, body: { role: 'member' } },
      last,
    );
    expect([demoted.status, demoted.body.issues[0].path]).toEqual([400, 'role']);
    expect((await api.call('GET /workspace', null, last)).status).toBe(200);
  });

  test('have a new role from the next request on', async () => {
    const owner = await api.signUp();
    const member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
    expect((await api.call('GET /workspace/invites', null, member)).status).toBe(403);
    await api.ok(
      'PATCH /workspace/members/{id}',
      { params: { id: member.userId }, body: { role: 'owner' } },
      owner,
    );
    expect((await api.call('GET /workspace/invites', null, member)).status).toBe(200);
    await api.ok(
      'PATCH /workspace/members/{id}',
      { params: { id: owner.userId }, body: { role: 'member' } },
      member,
    );
    expect((await api.call('PATCH /workspace', { body: { name: 'mine' } }, owner)).status).toBe(
      403,
    );
  });

  test('end with their open invitations when removed, leaving or no longer owner', async () => {
    const owner = await api.signUp();
    const join = () => api.signUp({ workspaceId: owner.workspaceId, role: 'owner' });
    const ends: [string, (who: Account) => Promise<unknown>][] = [
      [
        'removed',
        ({ userId }) => api.ok('DELETE /workspace/members/{id}', { params: { id: userId } }, owner),
      ],
      [
        'leaving',
        (who) => api.ok('DELETE /workspace/members/{id}', { params: { id: who.userId } }, who),
      ],
      [
        'demoted',
        ({ userId }) =>
          api.ok(
            'PATCH /workspace/members/{id}',
            { params: { id: userId }, body: { role: 'member' } },
            owner,
          ),
      ],
    ];
    const kept = await invite(owner, uniqueEmail());
    for (const [how, end] of ends) {
      const second = await join();
      const joined = await invite(second, uniqueEmail());
      const guest = await accept(secretOf(joined.acceptUrl!), { password });
      const open = await invite(second, uniqueEmail(), 'owner');
      await end(second);
      const links = (await api.ok('GET /workspace/invites', null, owner)).items.map(({ id }) => id);
      expect([how, links]).toEqual([how, [kept.id]]);
      const refused = await accept(secretOf(open.acceptUrl!), { password });
      expect([how, refused.status]).toEqual([how, 404]);
      // Who has joined stays.
      expect((await api.call('GET /workspace', null, cookieOf(guest))).status).toBe(200);
      const [newest] = (await api.ok('GET /workspace/audit', null, owner)).items.filter(
        ({ action }) => action === 'invite.revoked',
      );
      expect(newest).toMatchObject({
        subject: open.email,
        detail: { inviteId: open.id },
        actor: how === 'leaving' ? second.email : owner.email,
      });
    }
    expect((await accept(secretOf(kept.acceptUrl!), { password })).status).toBe(201);
  });

  test('cannot invite with a request that was under way when their role ended', async () => {
    const owner = await api.signUp();
    const second = await api.signUp({ workspaceId: owner.workspaceId, role: 'owner' });
    const { services, reached, release } = holdTransactions(second.ctx);
    const inviting = createInvite(services, { email: uniqueEmail(), role: 'owner' }, 'http://x');
    await reached;
    await api.ok(
      'PATCH /workspace/members/{id}',
      { params: { id: second.userId }, body: { role: 'member' } },
      owner,
    );
    release();
    await expect(inviting).rejects.toMatchObject({ code: 'forbidden' });
    expect((await api.ok('GET /workspace/invites', null, owner)).items).toEqual([]);
  });

  test('cannot change members with a request under way when their role ended', async () => {
    const owner = await api.signUp();
    const join = (role: 'owner' | 'member') => api.signUp({ workspaceId: owner.workspaceId, role });
    const rolesOf = async () =>
      new Map(
        (await api.ok('GET /workspace/members', null, owner)).items.map(({ id, role }) => [
          id,
          role,
        ]),
      );
    const third = await join('member');
    const acts: ((ctx: Account['ctx']) => Promise<unknown>)[] = [
      (ctx) => updateMemberRole(ctx, ctx.actor.userId, 'owner'),
      (ctx) => updateMemberRole(ctx, third.userId, 'owner'),
      (ctx) => updateMemberRole(ctx, owner.userId, 'member'),
      (ctx) => removeMember(ctx, third.userId),
    ];
    for (const act of acts) {
      const second = await join('owner');
      const { services, reached, release } = holdTransactions(second.ctx);
      const acting = act(services);
      await reached;
      await api.ok(
        'PATCH /workspace/members/{id}',
        { params: { id: second.userId }, body: { role: 'member' } },
        owner,
      );
      release();
      await expect(acting).rejects.toMatchObject({ code: 'forbidden' });
      const roles = await rolesOf();
      expect([owner, second, third].map(({ userId }) => roles.get(userId))).toEqual([
        'owner',
        'member',
        'member',
      ]);
    }
    // Leaving needs no role.
    const leaver = await join('owner');
    const { services, reached, release } = holdTransactions(leaver.ctx);
    const leaving = removeMember(services, leaver.userId);
    await reached;
    await updateMemberRole(owner.ctx, leaver.userId, 'member');
    release();
    await leaving;
    expect((await rolesOf()).has(leaver.userId)).toBe(false);
  });

  test('cannot manage members, and read-only tokens can only read them', async () => {
    const owner = await api.signUp();
    const member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
    const reader = await api.token(owner, { readOnly: true });
    expect((await api.call('GET /workspace/members', null, reader)).status).toBe(200);
    const before = await describeTables(api);
    for (const [who, code] of [
      [member, 'forbidden'],
      [reader, 'read_only_token'],
    ] as const) {
      const tries = [
        api.call(
          'PATCH /workspace/members/{id}',
          { params: { id: owner.userId }, body: { role: 'member' } },
          who,
        ),
        api.call('DELETE /workspace/members/{id}', { params: { id: owner.userId } }, who),
        api.call('POST /workspace/invites', { body: { email: 'a@example.org' } }, who),
        api.call('DELETE /workspace/invites/{id}', { params: { id: 1 } }, who),
      ];
      for (const response of await Promise.all(tries))
        expect([response.status, response.body.code]).toEqual([403, code]);
    }
    expect(await describeTables(api, ['tokens'])).toEqual(
      Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'tokens')),
    );
  });

  test('of another workspace are not found, nor are its invitations', async () => {
    const [owner, stranger] = [await api.signUp(), await api.signUp()];
    const made = await invite(owner, uniqueEmail());
    const before = await describeTables(api);
    const responses = await Promise.all([
      api.call(
        'PATCH /workspace/members/{id}',
        { params: { id: owner.userId }, body: { role: 'member' } },
        stranger,
      ),
      api.call('DELETE /workspace/members/{id}', { params: { id: owner.userId } }, stranger),
      api.call('DELETE /workspace/invites/{id}', { params: { id: made.id } }, stranger),
    ]);
    expect(responses.map((response) => response.status)).toEqual([404, 404, 404]);
    expect(await describeTables(api)).toEqual(before);
    expect(
      (await api.ok('GET /workspace/members', null, stranger)).items.map((row) => row.email),
    ).toEqual([stranger.email]);
    expect((await api.ok('GET /workspace/invites', null, stranger)).items).toEqual([]);
  });
});

describe('seats', () => {
  let metered: TestApi;
  afterEach(() => metered.close());

  test('count members and open invitations, up to the plan’s number', async () => {
    metered = await startApi({ settings: { billingEnabled: true } });
    const owner = await metered.signUp();
    for (const email of ['a@example.org', 'b@example.org'])
      await metered.ok('POST /workspace/invites', { body: { email } }, owner);
    // The same address again replaces the first invitation.
    await metered.ok('POST /workspace/invites', { body: { email: 'b@example.org' } }, owner);
    const refused = await metered.call(
      'POST /workspace/invites',
      { body: { email: 'c@example.org' } },
      owner,
    );
    expect([refused.status, refused.body.code]).toEqual([403, 'quota_members']);
    expect(refused.body.quota).toEqual({
      kind: 'members',
      limit: 3,
      used: 3,
      requested: 1,
      plan: 'indie',
      upgradeTo: 'ultimate',
    });
    expect((await metered.ok('GET /workspace/invites', null, owner)).total).toBe(2);
    const seats = async () => (await metered.ok('GET /billing', null, owner)).usage.members;
    expect(await seats()).toEqual({ used: 3, limit: 3 });
    metered.clock.advance(7 * 86_400_000 - 1);
    expect((await seats()).used).toBe(3);
    metered.clock.advance(1);
    expect((await seats()).used).toBe(1);
  });

  test('are counted again when somebody joins, also after a plan change or its end', async () => {
    metered = await startApi({ settings: { billingEnabled: true } });
    const owner = await metered.signUp({ state: 'live' });
    const setPlan = (words: string) =>
      metered.db.pool.query(`update workspaces set ${words} where id = $1`, [owner.workspaceId]);
    const known = await metered.signUp();
    await setPlan("plan = 'ultimate'");
    const links: string[] = [];
    for (const email of ['a@example.org', 'b@example.org', 'c@example.org', known.email])
      links.push(
        secretOf(
          (await metered.ok('POST /workspace/invites', { body: { email } }, owner)).acceptUrl!,
        ),
      );
    const join = (token: string) =>
      metered.call('POST /auth/invites/{token}/accept', {
        params: { token },
        body: { password: testPassword },
      });
    await setPlan("plan = 'indie'");
    // All at once: three seats, one of them the owner's.
    const responses = await Promise.all(links.map(join));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403]);
    const refused = responses.find(({ status }) => status === 403)!.body;
    expect([refused.code, refused.quota]).toEqual([
      'quota_members',
      { kind: 'members', limit: 3, used: 3, requested: 1, plan: 'indie', upgradeTo: 'ultimate' },
    ]);
    expect((await metered.ok('GET /workspace/members', null, owner)).total).toBe(3);
    // The links of those who got no seat remain valid.
    const waiting = links.filter((_, index) => responses[index]!.status === 403);
    await setPlan("plan = 'ultimate', status = 'lapsed'");
    const lapsed = await join(waiting[0]!);
    expect([lapsed.status, lapsed.body.code, lapsed.body.entitlement.state]).toEqual([
      402,
      'no_live_plan',
      'lapsed',
    ]);
    await setPlan("status = 'live'");
    expect((await join(waiting[0]!)).status).toBe(201);
  });
});
