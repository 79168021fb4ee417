import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecovery } from '#domain/accounts/auth/password-recovery.ts';
import { systemClock } from '#lib/clock.ts';
import { createMailer } from '#outbound/mailer.ts';
import {
  startApi,
  testPassword,
  type Credential,
  type RawResponse,
  type TestApi,
} from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { startToprung } from '../harness/process.ts';
import { startMailServer, type MailServer } from '../harness/smtp.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';
import { openReport, secretOf } from './reports.fixtures.ts';

keepOrder('the tests share a mailbox, and attempts that are counted for an hour');

let api: TestApi;
let server: MailServer;
let mailer: ReturnType<typeof createMailer>;
let caller = 0;
const next = 'lantern-quilt-harbour-7';
const post = (
  path: string,
  body: unknown,
  address = `127.30.${++caller >> 8}.${caller & 255}`,
  headers: Record<string, string> = {},
) =>
  api.raw(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
  });
const secretIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!;

beforeAll(async () => {
  server = await startMailServer();
  mailer = createMailer({ url: server.url, from: 'Toprung <aso@example.org>' });
  api = await startApi({
    services: { mailer },
    settings: { publicUrl: 'https://aso.example.org' },
  });
});
afterAll(async () => {
  await api.close();
  await mailer.close();
  await server.close();
});

describe('a forgotten password', () => {
  test('is reset once by a mailed link, which ends sessions and keeps tokens', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    const asked = await post(
      '/auth/password/forgot',
      { email: ` ${ann.email.toUpperCase()}` },
      '127.30.9.1',
      { 'x-forwarded-host': 'evil.example' },
    );
    expect([asked.status, asked.body]).toEqual([202, { accepted: true, hint: null }]);
    await server.waitFor(1);
    const mail = server.mails.pop()!;
    expect([mail.to, mail.from]).toEqual([[ann.email], 'aso@example.org']);
    expect(mail.text).toContain('https://aso.example.org/reset-password#');
    expect(mail.raw).not.toContain('evil.example');
    const secret = secretIn(mail.text);
    const weak = await post('/auth/password/reset', { token: secret, password: 'password1234' });
    expect([weak.status, weak.body.issues[0].path]).toEqual([400, 'password']);
    expect((await post('/auth/password/reset', { token: secret, password: next })).body).toEqual({
      accepted: true,
    });
    expect((await api.call('GET /workspace', null, ann)).status).toBe(401);
    expect((await api.call('GET /workspace', null, token)).status).toBe(200);
    expect((await post('/auth/sign-in', { email: ann.email, password: testPassword })).status).toBe(
      401,
    );
    expect((await post('/auth/sign-in', { email: ann.email, password: next })).status).toBe(200);
    expect(
      (await post('/auth/password/reset', { token: secret, password: 'another-lantern-quilt-8' }))
        .status,
    ).toBe(404);
    const trail = await api.ok(
      'GET /workspace/audit',
      { query: { action: 'password.reset' } },
      token,
    );
    expect(trail.items).toMatchObject([
      { actor: ann.email, credential: { kind: 'recovery', tokenId: null }, subject: ann.email },
    ]);
  });

  test('returns the same response for an unknown address, and sends no mail', async () => {
    const ann = await api.signUp();
    const before = server.mails.length;
    const [unknown, known] = [
      await post('/auth/password/forgot', { email: 'nobody@example.org' }),
      await post('/auth/password/forgot', { email: ann.email }),
    ];
    expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
    await server.waitFor(before + 1);
    expect(server.mails.slice(before).map((mail) => mail.to)).toEqual([[ann.email]]);
  });

  test('responds before the work that differs between addresses', async () => {
    const ann = await api.signUp();
    const silent = await startMailServer();
    silent.recipientReply = null;
    const stuck = createMailer({ url: silent.url, from: 'a@example.org' });
    const slow = await startApi({ db: api.db, services: { mailer: stuck } });
    // A mail server that never responds would delay a response that waited for it.
    const response = await slow.call('POST /auth/password/forgot', { body: { email: ann.email } });
    expect(response.status).toBe(202);
    await slow.close();
    await silent.close();
    await stuck.close();
  });

  test('the link expires after an hour', async () => {
    const ann = await api.signUp();
    const secret = (await createRecovery(api.services, ann.email))!;
    const started = api.clock.now();
    api.clock.advance(3_600_000);
    expect((await post('/auth/password/reset', { token: secret, password: next })).status).toBe(
      404,
    );
    api.clock.set(started);
    expect((await post('/auth/password/reset', { token: secret, password: next })).status).toBe(
      200,
    );
  });

  test('the link works for one of two users at once, and ends with a password change', async () => {
    const ann = await api.signUp();
    const secret = (await createRecovery(api.services, ann.email))!;
    const responses = await Promise.all(
      [next, `${next}-too`].map((password) =>
        post('/auth/password/reset', { token: secret, password }),
      ),
    );
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 404]);
    const bob = await api.signUp();
    const old = (await createRecovery(api.services, bob.email))!;
    await api.ok('POST /auth/password', { body: { current: testPassword, next } }, bob);
    expect(
      (await post('/auth/password/reset', { token: old, password: `${next}-too` })).status,
    ).toBe(404);
  });

  test('the link is stored as a hash, and an address has at most five', async () => {
    const ann = await api.signUp();
    const secrets: (string | null)[] = [];
    for (let count = 0; count < 6; count += 1)
      secrets.push(await createRecovery(api.services, ann.email));
    expect(secrets.map((secret) => secret === null)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    const { rows } = await api.db.pool.query(
      'select secret_hash from account_links where user_id = $1',
      [ann.userId],
    );
    expect(rows).toHaveLength(5);
    for (const secret of secrets.slice(0, 5))
      expect(rows.some((row) => row.secret_hash.toString('latin1').includes(secret))).toBe(false);
  });

  test('refuses hostile bodies and writes nothing', async () => {
    const before = await describeTables(api);
    const tries: [string, unknown][] = [
      ['/auth/password/forgot', { email: 5 }],
      ['/auth/password/forgot', { email: 'a@b.c', extra: 1 }],
      ['/auth/password/forgot', { email: `${'x'.repeat(10_000)}@b.c` }],
      ['/auth/password/reset', { token: '', password: next }],
      ['/auth/password/reset', { token: 'x'.repeat(10_000), password: next }],
      ['/auth/password/reset', { token: 'a' }],
    ];
    for (const [path, body] of tries)
      expect([path, (await post(path, body)).status]).toEqual([path, 400]);
    for (const token of ['A'.repeat(43), "' or 1=1 --"])
      expect((await post('/auth/password/reset', { token, password: next })).status).toBe(404);
    expect(await describeTables(api)).toEqual(before);
  });

  test('is limited to ten requests an hour from one address', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push(
        (await post('/auth/password/forgot', { email: 'nobody@example.org' }, '127.31.0.1')).status,
      );
      statuses.push(
        (
          await post(
            '/auth/password/reset',
            { token: 'A'.repeat(43), password: next },
            '127.31.0.1',
          )
        ).status,
      );
    }
    expect(statuses).toEqual([202, 404, 202, 404, 202, 404, 202, 404, 202, 404]);
    const refused = await post(
      '/auth/password/forgot',
      { email: 'nobody@example.org' },
      '127.31.0.1',
    );
    expect([refused.status, refused.body.code, refused.body.retryAfterSeconds]).toEqual([
      429,
      'auth_throttled',
      3_600,
    ]);
  });

  test('without a mail server names the command line', async () => {
    const silent = await startApi({ db: api.db });
    const response = await silent.call('POST /auth/password/forgot', {
      body: { email: 'nobody@example.org' },
    });
    expect([response.status, response.body.hint]).toEqual([
      202,
      expect.stringContaining('toprung user reset-link'),
    ]);
    await silent.close();
  });

  test('the link is printed on the command line; unknown addresses are reported', async () => {
    const ann = await api.signUp();
    const environment = { DATABASE_URL: api.db.url, PUBLIC_URL: 'https://aso.example.org' };
    const run = startToprung(['user', 'reset-link', ann.email.toUpperCase()], environment);
    expect(await run.exited).toEqual({ code: 0, signal: null });
    const link = run.output().trim().split('\n').at(-1)!;
    expect(link).toMatch(/^https:\/\/aso\.example\.org\/reset-password#[\w-]{43}$/);
    // The command uses the machine's clock, which differs from this test's.
    const machine = await startApi({ db: api.db, clock: systemClock });
    const response = await machine.call('POST /auth/password/reset', {
      body: { token: secretIn(link), password: next },
    });
    expect(response.status).toBe(200);
    await machine.close();
    const wrong = startToprung(['user', 'reset-link', 'nobody@example.org'], environment);
    expect((await wrong.exited).code).toBe(1);
    expect(wrong.output()).toContain('toprung: no account has this address');
    expect(wrong.output()).not.toContain(' at ');
  });
});

describe('confirming an address', () => {
  let people = 0;
  const cookieOf = (response: RawResponse) => ({
    headers: {
      cookie: response.headers.get('set-cookie')!.split(';')[0]!,
      'sec-fetch-site': 'same-origin',
    },
  });
  /** A new account with the link that was mailed. */
  async function signUp(email = `new-${(people += 1)}@example.org`) {
    const before = server.mails.length;
    const response = await post('/auth/sign-up', { email, password: testPassword });
    expect(response.status).toBe(201);
    await server.waitFor(before + 1);
    return {
      email,
      headers: cookieOf(response).headers,
      mail: server.mails.at(-1)!,
      secret: secretIn(server.mails.at(-1)!.text),
    };
  }
  const whoami = (who: Credential) => api.ok('GET /auth/session', null, who);
  const confirm = (token: string, as?: Credential) =>
    post('/auth/email/confirm', { token }, undefined, as?.headers);
  const resend = (who: Credential, address: string) =>
    api.raw('/auth/email/resend', { method: 'POST', headers: { 'x-forwarded-for': address } }, who);

  test('works once with the mailed link, and shows in the session and the audit log', async () => {
    await api.signUp();
    const eve = await signUp();
    expect([eve.mail.to, eve.mail.subject]).toEqual([
      [eve.email],
      'Confirm your address for Toprung',
    ]);
    expect(eve.mail.text).toContain('https://aso.example.org/confirm-email#');
    expect(await whoami(eve)).toMatchObject({
      emailConfirmedAt: null,
      confirmationPending: true,
    });
    // A link for one purpose is invalid for the other.
    expect((await post('/auth/password/reset', { token: eve.secret, password: next })).status).toBe(
      404,
    );
    const responses = await Promise.all([confirm(eve.secret, eve), confirm(eve.secret, eve)]);
    expect(responses.map((response) => response.status).toSorted()).toEqual([200, 404]);
    expect(await whoami(eve)).toMatchObject({
      emailConfirmedAt: api.clock.now().toISOString(),
      confirmationPending: false,
    });
    const trail = await api.ok(
      'GET /workspace/audit',
      { query: { action: 'email.confirmed' } },
      eve,
    );
    expect(trail.items).toMatchObject([
      { actor: eve.email, credential: { kind: 'link', tokenId: null }, subject: eve.email },
    ]);
    const { rows } = await api.db.pool.query(
      'select count(*)::int as left from account_links l join users u on u.id = l.user_id ' +
        'where u.email = $1',
      [eve.email],
    );
    expect(rows[0].left).toBe(0);
  });

  test('expires after three days; five new links an hour, none once confirmed', async () => {
    const eve = await signUp();
    const started = api.clock.now();
    const before = server.mails.length;
    for (let count = 0; count < 4; count += 1)
      expect((await resend(eve, '127.32.0.1')).body).toEqual({ accepted: true, hint: null });
    const refused = await resend(eve, '127.32.0.2');
    expect([refused.status, refused.body.code, refused.body.retryAfterSeconds]).toEqual([
      429,
      'auth_throttled',
      3_600,
    ]);
    await server.waitFor(before + 4);
    const newest = secretIn(server.mails.at(-1)!.text);
    api.clock.advance(72 * 3_600_000);
    expect((await confirm(newest, eve)).status).toBe(404);
    api.clock.set(started);
    expect((await confirm(newest, eve)).status).toBe(200);
    expect((await confirm(eve.secret, eve)).status).toBe(404);
    expect((await resend(eve, '127.32.0.3')).status).toBe(202);
    expect(server.mails).toHaveLength(before + 4);
  });

  test('needs a session to request, ten times an hour; other links confirm nothing', async () => {
    const eve = await signUp();
    const token = await api.ok('POST /tokens', { body: { name: 'robot' } }, eve);
    const robot = { headers: { authorization: `Bearer ${token.token}` } };
    const before = await describeTables(api, ['tokens']);
    expect([
      (await resend(robot, '127.32.1.1')).status,
      (await api.call('POST /auth/email/resend')).status,
    ]).toEqual([403, 401]);
    for (const body of [
      null,
      5,
      {},
      { token: null },
      { token: 5 },
      { token: '' },
      { token: 'x'.repeat(10_000) },
      { token: 'x', extra: 1 },
    ])
      expect([body, (await post('/auth/email/confirm', body)).status]).toEqual([body, 400]);
    for (const text of ['A'.repeat(43), '5', "' or 1=1 --"])
      expect((await confirm(text)).status).toBe(404);
    expect(await describeTables(api, ['tokens'])).toEqual(before);
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1)
      statuses.push((await post('/auth/email/confirm', { token: 'x' }, '127.32.1.2')).status);
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429]);
    expect((await resend(eve, '127.32.1.2')).status).toBe(429);
  });

  test('also happens by a mailed reset, which ends what others created with it', async () => {
    const eve = await signUp();
    const token = await api.ok('POST /tokens', { body: { name: 'robot' } }, eve);
    const { acceptUrl, ...invited } = await api.ok(
      'POST /workspace/invites',
      { body: { email: 'guest-of-eve@example.org', role: 'owner' } },
      eve,
    );
    const openInvites = async () =>
      (await api.db.pool.query('select from invites where id = $1', [invited.id])).rowCount;
    const { id: workspaceId } = await api.ok('GET /workspace', null, eve);
    const { id: appId } = await insertApp(api, { workspaceId });
    const report = await api.ok('POST /reports', { body: { appId, name: 'Weekly' } }, eve);
    const reportStatus = async () => (await openReport(api, secretOf(report.url))).status;
    const hook = { url: 'https://example.org/hook', events: ['rank.dropped' as const] };
    const webhook = await api.ok('POST /webhooks', { body: hook }, eve);
    const webhookState = async (who: Credential) => {
      const { enabled, disabledBy } = await api.ok(
        'GET /webhooks/{id}',
        { params: { id: webhook.id } },
        who,
      );
      return { enabled, disabledBy };
    };
    const handed = (await createRecovery(api.services, eve.email))!;
    expect((await post('/auth/password/reset', { token: handed, password: next })).status).toBe(
      200,
    );
    const robot = { headers: { authorization: `Bearer ${token.token}` } };
    expect(await whoami(robot)).toMatchObject({ emailConfirmedAt: null });
    expect(await openInvites()).toBe(1);
    expect([await reportStatus(), await webhookState(robot)]).toEqual([
      200,
      { enabled: true, disabledBy: null },
    ]);
    const mailed = (await createRecovery(api.services, eve.email, { mailed: true }))!;
    expect((await post('/auth/password/reset', { token: mailed, password: next })).status).toBe(
      200,
    );
    expect((await api.call('GET /auth/session', null, robot)).status).toBe(401);
    expect(await openInvites()).toBe(0);
    expect(await reportStatus()).toBe(404);
    const link = `/auth/invites/${secretIn(acceptUrl!)}/accept`;
    expect((await post(link, { password: next })).status).toBe(404);
    const again = cookieOf(await post('/auth/sign-in', { email: eve.email, password: next }));
    expect((await whoami(again)).emailConfirmedAt).not.toBeNull();
    expect(await webhookState(again)).toEqual({ enabled: false, disabledBy: 'user' });
    const trail = await api.ok('GET /workspace/audit', null, again);
    expect(
      trail.items.map(({ action, subject, credential }) => [action, subject, credential.kind]),
    ).toEqual([
      ['webhook.changed', `webhook ${webhook.id}`, 'recovery'],
      ['report.deleted', `report ${report.id}`, 'recovery'],
      ['invite.revoked', invited.email, 'recovery'],
      ['token.revoked', `token ${token.id}`, 'recovery'],
      ['email.confirmed', eve.email, 'recovery'],
      ['password.reset', eve.email, 'recovery'],
      ['password.reset', eve.email, 'recovery'],
      ['webhook.created', `webhook ${webhook.id}`, 'session'],
      ['report.created', `report ${report.id}`, 'session'],
      ['invite.created', invited.email, 'session'],
      ['token.created', `token ${token.id}`, 'session'],
    ]);
  });

  test('by a mailed reset leaves webhooks that another member may have created', async () => {
    const owner = await api.signUp();
    const eve = await api.signUp({ unconfirmed: true, workspaceId: owner.workspaceId });
    const { id: appId } = await insertApp(api, owner);
    const report = await api.ok('POST /reports', { body: { appId, name: 'Weekly' } }, owner);
    const hook = { url: 'https://example.org/hook', events: ['rank.dropped' as const] };
    const { id } = await api.ok('POST /webhooks', { body: hook }, owner);
    const mailed = (await createRecovery(api.services, eve.email, { mailed: true }))!;
    expect((await post('/auth/password/reset', { token: mailed, password: next })).status).toBe(
      200,
    );
    expect(await api.ok('GET /webhooks/{id}', { params: { id } }, owner)).toMatchObject({
      enabled: true,
    });
    expect((await openReport(api, secretOf(report.url))).status).toBe(200);
  });

  test('does not happen for another person’s account; a reset takes it over', async () => {
    const boss = 'director@example.org';

    const open = await startApi({
      db: api.db,
      services: { mailer },
      settings: { operatorEmails: [boss] },
      deps: { authSecret: api.authSecret },
    });
    const squatter = await signUp(boss);
    const { token } = await api.ok('POST /tokens', { body: { name: 'robot' } }, squatter);
    const robot = { headers: { authorization: `Bearer ${token}` } };
    const mayOperate = async (who: Credential) =>
      (await open.call('GET /admin/stores', null, who)).status === 200;
    const before = await describeTables(api);
    // The owner of the address follows the link signed out, signed in as another, and with their
    // own password.
    const tries = [
      await confirm(squatter.secret),
      await confirm(squatter.secret, await api.signUp({ email: 'bystander@example.org' })),
      await post('/auth/email/confirm', { token: squatter.secret, password: next }),
      await post('/auth/email/confirm', { token: squatter.secret }, undefined, robot.headers),
    ];
    for (const response of tries)
      expect([response.status, response.body.code]).toEqual([401, 'unauthenticated']);
    expect((await describeTables(api))['account_links']).toEqual(before['account_links']);
    expect([await mayOperate(squatter), await mayOperate(robot)]).toEqual([false, false]);
    const mailed = (await createRecovery(api.services, boss, { mailed: true }))!;
    expect((await post('/auth/password/reset', { token: mailed, password: next })).status).toBe(
      200,
    );
    expect((await post('/auth/sign-in', { email: boss, password: testPassword })).status).toBe(401);
    for (const who of [squatter, robot])
      expect((await open.call('GET /auth/session', null, who)).status).toBe(401);
    expect(
      await mayOperate(cookieOf(await post('/auth/sign-in', { email: boss, password: next }))),
    ).toBe(true);
    await open.close();
  });

  test('on another device needs the password, throttled like sign-in; sessions stay', async () => {
    const [eve, bob] = [await signUp(), await signUp()];
    const press = (token: string, password: string, from?: string) =>
      post('/auth/email/confirm', { token, password }, from);
    expect((await press(eve.secret, 'not-the-password')).status).toBe(401);
    expect((await press(eve.secret, testPassword)).status).toBe(200);
    expect((await whoami(eve)).emailConfirmedAt).not.toBeNull();
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all(
        Array.from({ length: 10 }, () =>
          press(bob.secret, 'not-the-password', `127.33.0.${round}`),
        ),
      );
      expect(responses.map((response) => response.status)).toEqual(Array(10).fill(401));
    }
    expect((await press(bob.secret, testPassword)).body.code).toBe('auth_throttled');
  });

  test('is needed to become an operator by sign-up or invitation', async () => {
    const [boss, guest, first] = ['boss@example.org', 'chief@example.org', 'founder@example.org'];
    const settings = { operatorEmails: [boss, guest, first], publicUrl: null };
    const open = await startApi({ settings });
    const join = (path: string, body: object) =>
      open.raw(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password: testPassword, ...body }),
      });
    const mayOperate = async (who: Credential) =>
      (await open.call('GET /admin/stores', null, who)).status === 200;
    const founder = cookieOf(await join('/auth/sign-up', { email: first }));
    expect([
      await mayOperate(founder),
      (await open.ok('GET /auth/session', null, founder)).emailConfirmedAt !== null,
    ]).toEqual([true, true]);
    const squatter = cookieOf(await join('/auth/sign-up', { email: boss }));
    const { acceptUrl } = await open.ok(
      'POST /workspace/invites',
      { body: { email: guest } },
      squatter,
    );
    const invited = cookieOf(await join(`/auth/invites/${acceptUrl!.split('#')[1]!}/accept`, {}));
    const { token } = await open.ok('POST /tokens', { body: { name: 'robot' } }, squatter);
    const robot = { headers: { authorization: `Bearer ${token}` } };
    for (const who of [squatter, invited, robot]) expect(await mayOperate(who)).toBe(false);
    // Without a mail server nobody is asked to confirm, and the page says who can help.
    expect(await open.ok('GET /auth/session', null, squatter)).toMatchObject({
      operator: false,
      emailConfirmedAt: null,
      confirmationPending: false,
    });
    expect((await open.ok('POST /auth/email/resend', null, squatter)).hint).toContain(
      'toprung user confirm',
    );
    const say = async (...words: string[]) => {
      const run = startToprung(['user', ...words], {
        DATABASE_URL: open.db.url,
        OPERATOR_EMAILS: settings.operatorEmails.join(','),
      });
      return [(await run.exited).code, run.output().trim().split('\n').at(-1)];
    };
    expect(
      await Promise.all([
        say('confirm', boss.toUpperCase()),
        say('confirm', 'nobody@example.org'),
        say('operator', guest, '--revoke'),
      ]),
    ).toEqual([
      [0, `${boss} is confirmed now.`],
      [1, 'toprung: no account has the address nobody@example.org'],
      [
        0,
        `${guest} has no such grant. OPERATOR_EMAILS names it: ` +
          'it becomes one once it is confirmed.',
      ],
    ]);
    for (const who of [squatter, robot]) expect(await mayOperate(who)).toBe(true);
    expect(await mayOperate(invited)).toBe(false);
    // Repeating a command logs nothing. The machine's day may differ from the test's.
    for (const words of [
      ['confirm', boss],
      ['operator', boss],
      ['operator', boss],
      ['operator', boss, '--revoke'],
    ])
      expect((await say(...words))[0]).toBe(0);
    const { rows } = await open.db.pool.query(
      "select actor, credential, action, subject from audit where credential = 'command' " +
        'order by id',
    );
    expect(rows).toEqual(
      ['email.confirmed', 'operator.granted', 'operator.revoked'].map((action) => ({
        actor: 'command',
        credential: 'command',
        action,
        subject: boss,
      })),
    );
    await open.close();
  });
});
