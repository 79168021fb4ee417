import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { takeBackgroundJobs } from '#db/queries/jobs/background-jobs.ts';
import { emitDigests } from '#domain/insights/digests/emit-digests.ts';
import { mailIdOf } from '#domain/base/mail/mail-id.ts';
import { failCrashedJob } from '#domain/scheduling/background-jobs/crashed-jobs.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import { createMailer } from '#outbound/mailer.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { startMailServer, type MailServer } from '../harness/smtp.ts';
import { checkDay, trackPhrase } from './alerts.fixtures.ts';
import { acceptWordsImport } from './imports.fixtures.ts';
import { jobKinds } from '../harness/background-work.ts';

let api: TestApi;
let post: MailServer;
let mailer: ReturnType<typeof createMailer>;
let owner: Account;
let member: Account;
beforeAll(async () => {
  post = await startMailServer();
  mailer = createMailer({ url: post.url, from: 'Toprung <toprung@example.org>', waitMs: 200 });
  api = await startApi({
    services: { mailer },
    settings: { publicUrl: 'https://aso.example.org' },
  });
});
afterAll(async () => {
  await mailer.close();
  await api.close();
  await post.close();
});
beforeEach(async () => {
  post.mails.length = 0;
  post.recipientReply = '250 ok';
  post.examinesMs = 0;
  api.clock.set('2026-11-08T12:00:00Z');
  owner = await api.signUp();
  owner = { ...owner, headers: (await api.token(owner)).headers };
  member = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
  await api.db.pool.query('update workspaces set created_at = $2 where id = $1', [
    owner.workspaceId,
    api.clock.now(),
  ]);
  // Digests of earlier tests have been sent.
  await api.db.pool.query(`update workspaces set suspended_at = now() where id <> $1`, [
    owner.workspaceId,
  ]);
});

const openJobs = async () =>
  (
    await api.db.pool.query(
      "select id from jobs where kind in ('digest-mail', 'failure-mail') " +
        "and state in ('queued', 'running') order by id",
    )
  ).rows.map((row) => Number(row.id));
const work = async () => {
  for (const id of await openJobs())
    await runBackgroundWork(
      registry,
      api.services,
      { kind: 'job', jobId: id },
      AbortSignal.timeout(20_000),
    );
};
const mailRule = (mailTo: 'owners' | 'everyone' | 'nobody', enabled = true) =>
  api.ok(
    'PUT /alerts/rules',
    { body: { rules: [{ event: 'digest.weekly', mailTo, enabled }] } },
    owner,
  );
const decode = (raw: string) =>
  raw
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString(),
    );

it('the digest email has the figures in text and HTML, gaps, and nothing external', async () => {
  const followed = await trackPhrase(api, owner, { phrase: 'mine & <yours>' });
  for (const [index, day] of ['09', '10', '11', '13', '14', '15'].entries()) {
    api.clock.set(`2026-11-${day}T12:00:00Z`);
    await checkDay(api, followed, `2026-11-${day}`, 30 - 4 * index);
  }
  await api.db.pool.query(`update apps set display_name = '<b>App</b>' where id = $1`, [
    followed.appId,
  ]);
  api.clock.set('2026-11-16T08:00:00Z');
  await Promise.all([emitDigests(api.services), emitDigests(api.services)]);
  await work();
  await work();
  await post.waitFor(1);
  expect(post.mails.map(({ to }) => to)).toEqual([[owner.email]]);
  const raw = decode(post.mails[0]!.raw);
  expect(post.mails[0]!.subject).toContain('the week of 2026-11-09');
  expect(raw).toMatch(/^List-Unsubscribe: <https:\/\/aso\.example\.org\/digest>/im);
  expect(raw).toContain(
    '1 keywords: 1 found, 0 not found, 0 not checked; 0 in the top 3, 1 in the top 10.',
  );
  expect(raw).toMatch(/^<b>App<\/b> \(iOS\)\r?$/m);
  expect(raw).toContain('▲ mine & <yours> (us) 30 → 10');
  expect(raw).toContain('<div>▲ mine &amp; &lt;yours&gt; (us) 30 → 10</div>');
  expect(raw).toContain(
    `<a href="https://aso.example.org/apps/${followed.appId}" target="_blank" ` +
      'rel="noopener">&lt;b&gt;App&lt;/b&gt; (iOS)</a>',
  );
  const [line] = /<path d="(M[^"]+)" stroke="#4f7df3"/.exec(raw)!.slice(1);
  expect(line!.match(/M/g)).toHaveLength(2);
  expect(raw).not.toMatch(/<(script|img|link|iframe)/i);
  expect(
    (await api.ok('GET /jobs', { query: { kind: 'digest-mail' } }, owner)).items,
  ).toMatchObject([{ state: 'succeeded', attempts: 1 }]);
});

it('the digest of a week is mailed once, also after a clock that was behind', async () => {
  for (const day of ['16', '23', '16', '23']) {
    api.clock.set(`2026-11-${day}T08:00:00Z`);
    while ((await emitDigests(api.services)) > 0);
    await work();
    await work();
  }
  await post.waitFor(2);
  expect(post.mails.map(({ subject }) => /2026-11-\d\d/.exec(subject)![0])).toEqual([
    '2026-11-09',
    '2026-11-16',
  ]);
});

it('the page shows the digest as mailed, runs no script, and only we may frame it', async () => {
  const followed = await trackPhrase(api, owner, { phrase: 'shown & <escaped>' });
  for (const [index, day] of ['09', '10', '11'].entries()) {
    api.clock.set(`2026-11-${day}T12:00:00Z`);
    await checkDay(api, followed, `2026-11-${day}`, 30 - 4 * index);
  }
  api.clock.set('2026-11-16T08:00:00Z');
  await emitDigests(api.services);
  await work();
  await work();
  await post.waitFor(1);
  const reader = await api.token(owner, { readOnly: true });
  const page = await api.raw('/digests/weekly?week=2026-11-12&format=html', {}, reader);
  expect([page.status, page.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ]);
  const flat = (text: string) => text.replace(/\s+/g, '');
  expect(flat(decode(post.mails[0]!.raw))).toContain(flat(page.text));
  expect(page.text).toMatch(/<svg [^>]*role="img"/);
  expect(page.text).not.toMatch(/<(script|img|link|iframe|form)/i);
  const policy = page.headers.get('content-security-policy')!.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-popups allow-popups-to-escape-sandbox',
    ]),
  );
  expect(policy.join(' ')).not.toMatch(/script|allow-same-origin|https?:/);
  expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
  // As JSON it is unchanged, and nobody may frame it.
  const json = await api.raw(
    '/digests/weekly?week=2026-11-12',
    { headers: { accept: 'text/html' } },
    reader,
  );
  expect([json.headers.get('content-type'), json.body.week]).toEqual([
    'application/json; charset=utf-8',
    '2026-11-09',
  ]);
  expect(json.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const refusals = ['week=2026-11-30&format=html', 'format=pdf', 'week=2026-11-09&format='];
  for (const query of refusals) {
    const response = await api.raw(`/digests/weekly?${query}`, {}, owner);
    expect([query, response.status, response.headers.get('content-type')]).toEqual([
      query,
      400,
      'application/json; charset=utf-8',
    ]);
  }
  expect((await api.raw('/digests/weekly?format=html')).status).toBe(401);
});

it('the email goes to members with a confirmed address, or nobody, by the rule', async () => {
  await api.signUp({ workspaceId: owner.workspaceId, role: 'owner', unconfirmed: true });
  api.clock.set('2026-11-16T08:00:00Z');
  await mailRule('everyone');
  await emitDigests(api.services);
  await work();
  expect(post.mails.map(({ to }) => to[0]).toSorted()).toEqual(
    [owner.email, member.email].toSorted(),
  );
  for (const [week, rule] of [
    ['2026-11-23', mailRule.bind(null, 'nobody', true)],
    ['2026-11-30', mailRule.bind(null, 'everyone', false)],
  ] as const) {
    await rule();
    api.clock.set(`${week}T08:00:00Z`);
    await emitDigests(api.services);
    await work();
  }
  expect(post.mails).toHaveLength(2);
  const { items } = await api.ok('GET /events', { query: { type: 'digest.weekly' } }, owner);
  expect(items.map((event) => (event.data as { week: string }).week)).toEqual([
    '2026-11-09',
    '2026-11-16',
  ]);
});

it('the email is retried when the mail server refuses; members who left get none', async () => {
  api.clock.set('2026-11-16T08:00:00Z');
  const leaving = await api.signUp({ workspaceId: owner.workspaceId, role: 'member' });
  await mailRule('everyone');
  await emitDigests(api.services);
  await api.db.pool.query('delete from memberships where workspace_id = $1 and user_id = $2', [
    member.workspaceId,
    member.userId,
  ]);
  await api.ok('DELETE /auth/account', { body: { password: leaving.password } }, leaving);
  post.recipientReply = '451 later';
  await work();
  expect([post.mails.length, (await openJobs()).length]).toEqual([0, 1]);
  post.recipientReply = '250 ok';
  await work();
  expect(post.mails.map(({ to }) => to)).toEqual([[owner.email]]);
  expect(await openJobs()).toEqual([]);
});

it('the email is delivered once by a server that examines it for long', async () => {
  api.clock.set('2026-11-16T08:00:00Z');
  await emitDigests(api.services);
  const [jobId] = await openJobs();
  post.examinesMs = 500;
  await work();
  expect([post.mails.length, await openJobs()]).toEqual([1, []]);
  // Each attempt has the same, by which a receiver recognizes a mail that it has.
  const id = mailIdOf(jobId!, { to: owner.email, publicUrl: 'https://aso.example.org' });
  expect(post.mails[0]!.raw).toContain(`Message-ID: <${id}@example.org>`);
  const waiting = mailer.send({ to: owner.email, subject: 'x', text: 'y' });
  await expect(waiting).rejects.toThrow(/took longer than 200 ms|Timeout/);
});

it('the email is retried after minutes, then hours, and fails after a day', async () => {
  api.clock.set('2026-11-16T08:00:00Z');
  await emitDigests(api.services);
  post.recipientReply = '451 later';
  const waits: number[] = [];
  const take = async () => {
    const taken = await takeBackgroundJobs(api.services.systemDb, {
      now: api.clock.now(),
      until: new Date(api.clock.now().getTime() + 120_000),
      limit: 10,
      kinds: jobKinds,
    });
    return taken.map(({ id }) => id);
  };
  for (let tries = 1; tries <= 6; tries += 1) {
    expect(await take()).toEqual(await openJobs());
    await work();
    const { rows } = await api.db.pool.query(
      `select queued_until as until from jobs where kind = 'digest-mail' and state = 'queued'`,
    );
    if (rows.length === 0) break;
    waits.push((rows[0].until.getTime() - api.clock.now().getTime()) / 60_000);
    expect(await take()).toEqual([]);
    api.clock.set(rows[0].until);
  }
  expect(waits).toEqual([5, 30, 120, 360, 900]);
  const { items } = await api.ok('GET /jobs', { query: { kind: 'digest-mail' } }, owner);
  expect(items).toMatchObject([
    { state: 'failed', attempts: 6, error: 'it failed 6 times; the log says why' },
  ]);
});

it('an email that waits for its retry can be cancelled, and is not sent any more', async () => {
  api.clock.set('2026-11-16T08:00:00Z');
  await emitDigests(api.services);
  post.recipientReply = '451 later';
  await work();
  const [job] = (await api.ok('GET /jobs', { query: { kind: 'digest-mail' } }, owner)).items;
  expect(job).toMatchObject({ state: 'queued', attempts: 1 });
  const params = { jobId: job!.id };
  const cancelled = await api.ok('POST /jobs/{jobId}/cancel', { params }, owner);
  expect(cancelled.state).toBe('cancelled');
  expect(await openJobs()).toEqual([]);
});

it('owners get one email about a job that failed for good, none if it runs again', async () => {
  const first = await acceptWordsImport(api, owner);
  await failCrashedJob(api.services, first);
  await work();
  await post.waitFor(1);
  expect(post.mails.map(({ to }) => to)).toEqual([[owner.email]]);
  expect(post.mails[0]!.subject).toContain('an import failed on Toprung');
  const text = decode(post.mails[0]!.raw);
  expect(text).toContain('2026-11-08T12:00:00.000Z: its worker crashed three times');
  expect(text).toContain('https://aso.example.org/runs?tab=jobs&state=failed');

  await api.ok('POST /jobs/{jobId}/retry', { params: { jobId: first } }, owner);
  await failCrashedJob(api.services, first);
  expect(await openJobs()).toEqual([]);

  await api.ok('POST /jobs/{jobId}/retry', { params: { jobId: first } }, owner);
  await api.db.pool.query(`update jobs set state = 'cancelled' where id = $1`, [first]);
  const second = await acceptWordsImport(api, owner);
  await failCrashedJob(api.services, second);
  await api.ok('POST /jobs/{jobId}/retry', { params: { jobId: second } }, owner);
  await work();
  expect(post.mails).toHaveLength(1);
  await api.db.pool.query(`update jobs set state = 'cancelled' where id = $1`, [second]);
});
