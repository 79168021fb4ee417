import { hash } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptInvite, getOpenInvite } from '#domain/accounts/auth/accept-invite.ts';
import { changePassword } from '#domain/accounts/auth/change-password.ts';
import { deleteAccount } from '#domain/accounts/auth/delete-account.ts';
import { createRecovery } from '#domain/accounts/auth/password-recovery.ts';
import { resetPassword } from '#domain/accounts/auth/reset-password.ts';
import { signIn } from '#domain/accounts/auth/sign-in.ts';
import { createInvite } from '#domain/accounts/members/invites.ts';
import { createReport } from '#domain/accounts/reports/reports.ts';
import { createToken } from '#domain/accounts/tokens/tokens.ts';
import { registerWebhook } from '#domain/alerting/webhooks/register-webhook.ts';
import { updateWebhook } from '#domain/alerting/webhooks/update-webhook.ts';
import { startApi, testPassword, type Account, type TestApi } from '../harness/api.ts';
import { holdTransactions } from './held-transactions.ts';
import { insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const next = 'lantern-quilt-harbour-7';
const refused = { code: 'unauthenticated' };
const visitor = () => ({
  authSecret: api.authSecret,
  address: '127.0.0.1',
  userAgent: null,
  presentedHash: null,
});
const hashOf = async ({ userId }: Account) =>
  (await api.db.pool.query('select password_hash as hash from users where id = $1', [userId]))
    .rows[0].hash as string;
const sessionsOf = async ({ userId }: Account) =>
  (await api.db.pool.query('select from sessions where user_id = $1', [userId])).rowCount;
async function reset({ email }: Account): Promise<void> {
  await resetPassword(api.services, {
    token: (await createRecovery(api.services, email))!,
    password: next,
  });
}
/** The old password was verified; before the request continues, a link sets a new one. */
async function overtake<T>(ann: Account, act: (held: typeof ann.ctx) => Promise<T>): Promise<T> {
  const { services, reached, release } = holdTransactions(ann.ctx);
  const acting = act(services);
  await Promise.race([reached, acting]);
  await reset(ann);
  release();
  return acting;
}

describe('resetting a password while the old one is in use', () => {
  test('refuses the old one and leaves no session', async () => {
    const ann = await api.signUp();
    await expect(
      overtake(ann, (held) =>
        signIn(held, { email: ann.email, password: testPassword }, visitor()),
      ),
    ).rejects.toMatchObject(refused);
    expect(await sessionsOf(ann)).toBe(0);
    expect(
      await signIn(api.services, { email: ann.email, password: next }, visitor()),
    ).toMatchObject({ user: { id: ann.userId } });
  });

  test('is not overwritten by an upgraded hash of the old one', async () => {
    const ann = await api.signUp();
    const weak = await hash(Buffer.from(testPassword), { memoryCost: 8_192, timeCost: 1 });
    await api.db.pool.query('update users set password_hash = $1 where id = $2', [
      weak,
      ann.userId,
    ]);
    await expect(
      overtake(ann, (held) =>
        signIn(held, { email: ann.email, password: testPassword }, visitor()),
      ),
    ).rejects.toMatchObject(refused);
    expect([
      await sessionsOf(ann),
      (await hashOf(ann)).startsWith('$argon2id$v=19$m=19456'),
    ]).toEqual([0, true]);
    await expect(
      signIn(api.services, { email: ann.email, password: testPassword }, visitor()),
    ).rejects.toMatchObject(refused);
  });

  test('refuses to join with the old one', async () => {
    const [ann, owner] = [await api.signUp(), await api.signUp()];
    const { acceptUrl } = await api.ok(
      'POST /workspace/invites',
      { body: { email: ann.email } },
      owner,
    );
    const invite = await getOpenInvite(api.services, acceptUrl!.split('#')[1]!);
    await expect(
      overtake(ann, (held) => acceptInvite(held, invite, { password: testPassword }, visitor())),
    ).rejects.toMatchObject(refused);
    expect([
      await sessionsOf(ann),
      (await api.ok('GET /workspace/members', null, owner)).total,
    ]).toEqual([0, 1]);
  });

  test('refuses to change it with the old one', async () => {
    const ann = await api.signUp();
    const other = 'another-lantern-quilt-8';
    await expect(
      overtake(ann, (held) => changePassword(held, { current: testPassword, next: other })),
    ).rejects.toMatchObject(refused);
    await expect(
      signIn(api.services, { email: ann.email, password: other }, visitor()),
    ).rejects.toMatchObject(refused);
  });

  test('refuses to delete account and workspace with the old one', async () => {
    const ann = await api.signUp();
    await expect(overtake(ann, (held) => deleteAccount(held, testPassword))).rejects.toMatchObject(
      refused,
    );
    const back = await signIn(api.services, { email: ann.email, password: next }, visitor());
    expect(back).toMatchObject({ accountRestored: false, workspace: { state: 'live' } });
  });

  test('lets the ended session create no token, invitation, report or webhook', async () => {
    const ann = await api.signUp();
    await expect(
      overtake(ann, (held) => createToken(held, { name: 'kept', readOnly: false })),
    ).rejects.toMatchObject(refused);
    const bob = await api.signUp();
    const invited = { email: 'guest@example.org', role: 'member' } as const;
    await expect(
      overtake(bob, (held) => createInvite(held, invited, 'http://x')),
    ).rejects.toMatchObject(refused);
    const eve = await api.signUp();
    const { id: appId } = await insertApp(api, eve);
    await expect(
      overtake(eve, (held) => createReport(held, { appId, name: 'kept', days: 30 }, 'http://x')),
    ).rejects.toMatchObject(refused);
    const [max, tom] = [await api.signUp(), await api.signUp()];
    const hook = { url: 'https://example.org/hook', events: ['rank.dropped' as const] };
    await expect(
      overtake(max, (held) => registerWebhook(held, { ...hook, enabled: true })),
    ).rejects.toMatchObject(refused);
    const { id } = await api.ok('POST /webhooks', { body: { ...hook, enabled: false } }, tom);
    await expect(
      overtake(tom, (held) => updateWebhook(held, id, { enabled: true })),
    ).rejects.toMatchObject(refused);
    const { rows } = await api.db.pool.query(
      `select (select count(*)::int from tokens where user_id = $1) as tokens,
         (select count(*)::int from invites where workspace_id = $2) as invites,
         (select count(*)::int from reports where workspace_id = $3) as reports,
         (select count(*)::int from webhooks where workspace_id = $4) as webhooks,
         (select count(*)::int from webhooks where enabled and workspace_id = $5) as enabled`,
      [ann.userId, ...[bob, eve, max, tom].map(({ workspaceId }) => workspaceId)],
    );
    expect(rows).toEqual([{ tokens: 0, invites: 0, reports: 0, webhooks: 0, enabled: 0 }]);
  });

  test('lets one of two concurrent changes win and reports the other', async () => {
    const ann = await api.signUp();
    const tries = ['first', 'second'].map((word) =>
      changePassword(ann.ctx, { current: testPassword, next: `${word}-lantern-quilt-8` }),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const won = outcomes[0]!.status === 'fulfilled' ? 'first' : 'second';
    expect(
      await signIn(
        api.services,
        { email: ann.email, password: `${won}-lantern-quilt-8` },
        visitor(),
      ),
    ).toMatchObject({
      user: { id: ann.userId },
    });
  });
});
