import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecovery } from '../../src/domain/accounts/forgot-password.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createMailer } from '../../src/outbound/mailer.ts';
import { startApi, testPassword, type TestApi } from '../harness/api.ts';
import { startToprung } from '../harness/process.ts';
import { startMailServer, type MailServer } from '../harness/smtp.ts';
import { describeTables } from './keywords-arrange.ts';

let api: TestApi;
let server: MailServer;
let mailer: ReturnType<typeof createMailer>;
let caller = 0;
const next = 'lantern-quilt-harbour-7';
const post = (path: string, body: unknown, address = `127.30.${++caller >> 8}.${caller & 255}`, headers: Record<string, string> = {}) =>
  api.raw(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
  });
const secretIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!;

beforeAll(async () => {
  server = await startMailServer();
  mailer = createMailer({ url: server.url, from: 'Toprung <aso@example.org>' });
  api = await startApi({ services: { mailer }, settings: { publicUrl: 'https://aso.example.org' } });
});
afterAll(async () => {
  await api.close();
  await mailer.close();
  await server.close();
});

describe('a forgotten password', () => {
  test('a mailed link sets a new one, once; sessions end and tokens stay', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    const asked = await post('/auth/password/forgot', { email: ` ${ann.email.toUpperCase()}` }, '127.30.9.1', { 'x-forwarded-host': 'evil.example' });
    expect([asked.status, asked.body]).toEqual([202, { accepted: true, hint: null }]);
    await server.waitFor(1);
    const mail = server.mails.pop()!;
    expect([mail.to, mail.from]).toEqual([[ann.email], 'aso@example.org']);
    expect(mail.text).toContain('https://aso.example.org/reset-password#');
    expect(mail.raw).not.toContain('evil.example');
    const secret = secretIn(mail.text);
    const weak = await post('/auth/password/reset', { token: secret, password: 'password1234' });
    expect([weak.status, weak.body.issues[0].path]).toEqual([400, 'password']);
    expect((await post('/auth/password/reset', { token: secret, password: next })).body).toEqual({ accepted: true });
    expect((await api.call('GET /workspace', null, ann)).status).toBe(401);
    expect((await api.call('GET /workspace', null, token)).status).toBe(200);
    expect((await post('/auth/sign-in', { email: ann.email, password: testPassword })).status).toBe(401);
    expect((await post('/auth/sign-in', { email: ann.email, password: next })).status).toBe(200);
    expect((await post('/auth/password/reset', { token: secret, password: 'another-lantern-quilt-8' })).status).toBe(404);
    const trail = await api.ok('GET /workspace/audit', { query: { action: 'password.reset' } }, token);
    expect(trail.items).toMatchObject([{ actor: ann.email, credential: { kind: 'recovery', tokenId: null }, subject: ann.email }]);
  });

  test('an unknown address has the same answer, and no mail goes out', async () => {
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

  test('the answer does not wait for what tells addresses apart', async () => {
    const ann = await api.signUp();
    const silent = await startMailServer();
    silent.answer = null;
    const stuck = createMailer({ url: silent.url, from: 'a@example.org' });
    const slow = await startApi({ db: api.db, services: { mailer: stuck } });
    // A mail server that never answers would hold an answer that waited for it.
    const answer = await slow.call('POST /auth/password/forgot', { body: { email: ann.email } });
    expect(answer.status).toBe(202);
    await slow.close();
    await silent.close();
    await stuck.close();
  });

  test('a link ends after an hour', async () => {
    const ann = await api.signUp();
    const secret = (await createRecovery(api.services, ann.email))!;
    const started = api.clock.now();
    api.clock.advance(3_600_000);
    expect((await post('/auth/password/reset', { token: secret, password: next })).status).toBe(404);
    api.clock.set(started);
    expect((await post('/auth/password/reset', { token: secret, password: next })).status).toBe(200);
  });

  test('of two who use a link at once one wins; a changed password ends links that are out', async () => {
    const ann = await api.signUp();
    const secret = (await createRecovery(api.services, ann.email))!;
    const answers = await Promise.all([next, `${next}-too`].map((password) => post('/auth/password/reset', { token: secret, password })));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404]);
    const bob = await api.signUp();
    const old = (await createRecovery(api.services, bob.email))!;
    await api.ok('POST /auth/password', { body: { current: testPassword, next } }, bob);
    expect((await post('/auth/password/reset', { token: old, password: `${next}-too` })).status).toBe(404);
  });

  test('only the hash of a secret is kept, and an address has at most five links', async () => {
    const ann = await api.signUp();
    const secrets: (string | null)[] = [];
    for (let count = 0; count < 6; count += 1) secrets.push(await createRecovery(api.services, ann.email));
    expect(secrets.map((secret) => secret === null)).toEqual([false, false, false, false, false, true]);
    const { rows } = await api.db.pool.query('select secret_hash from password_resets where user_id = $1', [ann.userId]);
    expect(rows).toHaveLength(5);
    for (const secret of secrets.slice(0, 5)) expect(rows.some((row) => row.secret_hash.toString('latin1').includes(secret))).toBe(false);
  });

  test('hostile bodies are refused and nothing is written', async () => {
    const before = await describeTables(api);
    const tries: [string, unknown][] = [
      ['/auth/password/forgot', { email: 5 }],
      ['/auth/password/forgot', { email: 'a@b.c', extra: 1 }],
      ['/auth/password/forgot', { email: `${'x'.repeat(10_000)}@b.c` }],
      ['/auth/password/reset', { token: '', password: next }],
      ['/auth/password/reset', { token: 'x'.repeat(10_000), password: next }],
      ['/auth/password/reset', { token: 'a' }],
    ];
    for (const [path, body] of tries) expect([path, (await post(path, body)).status]).toEqual([path, 400]);
    for (const token of ['A'.repeat(43), "' or 1=1 --"]) expect((await post('/auth/password/reset', { token, password: next })).status).toBe(404);
    expect(await describeTables(api)).toEqual(before);
  });

  test('ten an hour from one address, asking and setting together', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      statuses.push((await post('/auth/password/forgot', { email: 'nobody@example.org' }, '127.31.0.1')).status);
      statuses.push((await post('/auth/password/reset', { token: 'A'.repeat(43), password: next }, '127.31.0.1')).status);
    }
    expect(statuses).toEqual([202, 404, 202, 404, 202, 404, 202, 404, 202, 404]);
    const refused = await post('/auth/password/forgot', { email: 'nobody@example.org' }, '127.31.0.1');
    expect([refused.status, refused.body.code, refused.body.retryAfterSeconds]).toEqual([429, 'auth_throttled', 3_600]);
  });

  test('without a mail server the answer names the way there is', async () => {
    const silent = await startApi({ db: api.db });
    const answer = await silent.call('POST /auth/password/forgot', { body: { email: 'nobody@example.org' } });
    expect([answer.status, answer.body.hint]).toEqual([202, expect.stringContaining('toprung user reset-link')]);
    await silent.close();
  });

  test('who runs the instance gets a link on the command line, and a clear word for an address without an account', async () => {
    const ann = await api.signUp();
    const environment = { DATABASE_URL: api.db.url, PUBLIC_URL: 'https://aso.example.org' };
    const run = startToprung(['user', 'reset-link', ann.email.toUpperCase()], environment);
    expect(await run.exited).toEqual({ code: 0, signal: null });
    const link = run.output().trim().split('\n').at(-1)!;
    expect(link).toMatch(/^https:\/\/aso\.example\.org\/reset-password#[\w-]{43}$/);
    // The command takes the machine's clock, which runs behind this test's or ahead of it.
    const machine = await startApi({ db: api.db, clock: systemClock });
    const answer = await machine.call('POST /auth/password/reset', { body: { token: secretIn(link), password: next } });
    expect(answer.status).toBe(200);
    await machine.close();
    const wrong = startToprung(['user', 'reset-link', 'nobody@example.org'], environment);
    expect((await wrong.exited).code).toBe(78);
    expect(wrong.output()).toContain('toprung: no account has this address');
    expect(wrong.output()).not.toContain(' at ');
  });
});
