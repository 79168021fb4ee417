import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import {
  startApi,
  testPassword,
  type Account,
  type Credential,
  type TestApi,
} from '../harness/api.ts';
import { describeTables, insertApp } from './keywords.fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({
    services: { webhooks: createWebhookSender({ allowedSubnets: ['127.0.0.0/8'] }) },
  });
});
afterAll(() => api.close());

const actionsOf = async (account: Credential, query = {}) =>
  (await api.ok('GET /workspace/audit', { query }, account)).items.map((item) => item.action);

/** One change of every kind that needs no store, and the secrets involved. */
async function updateEverything(ann: Account): Promise<string[]> {
  const made = await api.ok('POST /tokens', { body: { name: 'robot' } }, ann);
  await api.ok('PATCH /tokens/{id}', { params: { id: made.id }, body: { name: 'machine' } }, ann);
  // A second request changes nothing.
  for (let times = 0; times < 2; times += 1)
    await api.ok('DELETE /tokens/{id}', { params: { id: made.id } }, ann);
  const invited = await api.ok(
    'POST /workspace/invites',
    { body: { email: 'guest@example.org' } },
    ann,
  );
  await api.ok('DELETE /workspace/invites/{id}', { params: { id: invited.id } }, ann);
  const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
  await api.ok(
    'PATCH /workspace/members/{id}',
    { params: { id: member.userId }, body: { role: 'owner' } },
    ann,
  );
  await api.ok('DELETE /workspace/members/{id}', { params: { id: member.userId } }, ann);
  const url = 'http://127.0.0.1:9/services/chat-secret';
  const hook = await api.ok(
    'POST /webhooks',
    { body: { url, events: ['rank.dropped'], secret: 'webhook-secret-1' } },
    ann,
  );
  await api.ok(
    'PATCH /webhooks/{id}',
    { params: { id: hook.id }, body: { url: `${url}/2`, enabled: false } },
    ann,
  );
  await api.ok(
    'POST /webhooks/{id}/secret',
    { params: { id: hook.id }, body: { secret: 'webhook-secret-2' } },
    ann,
  );
  await api.ok('DELETE /webhooks/{id}', { params: { id: hook.id } }, ann);
  await api.ok(
    'PATCH /settings',
    { body: { digestHour: 5, thresholds: { movePositions: 7 } } },
    ann,
  );
  await api.ok('PUT /alerts/rules', { body: { rules: [] } }, ann);
  await api.ok('PATCH /workspace', { body: { name: 'Renamed' } }, ann);
  const { id } = await insertApp(api, ann);
  const body = { phrases: ['one', 'two', 'three'], countries: ['us'] };
  const { added } = await api.ok('POST /apps/{id}/keywords', { params: { id }, body }, ann);
  await api.ok(
    'POST /apps/{id}/keywords/update',
    { params: { id }, body: { ids: [added[0]!.id], set: { paused: true } } },
    ann,
  );
  await api.ok(
    'POST /apps/{id}/keywords/delete',
    { params: { id }, body: { ids: [added[0]!.id, added[1]!.id] } },
    ann,
  );
  await api.ok('DELETE /keywords/{keywordId}', { params: { keywordId: added[2]!.id } }, ann);
  await api.ok('PUT /apps/{id}/keyword-field', { params: { id }, body: { text: 'a,b' } }, ann);
  await api.ok('PATCH /apps/{id}', { params: { id }, body: { note: 'private words' } }, ann);
  await api.ok('DELETE /apps/{id}', { params: { id } }, ann);
  await api.ok('POST /apps/{id}/restore', { params: { id } }, ann);
  await api.ok('DELETE /apps/{id}', { params: { id }, query: { purge: true } }, ann);
  await api.ok(
    'POST /auth/password',
    { body: { current: testPassword, next: 'lantern-quilt-harbour-7' } },
    ann,
  );
  const secretOfLink = invited.acceptUrl!.split('#')[1]!;
  return [
    made.token!,
    secretOfLink,
    'webhook-secret',
    'chat-secret',
    testPassword,
    'lantern-quilt-harbour-7',
    'private words',
  ];
}

describe('the audit log', () => {
  test('has an entry for every change of configuration, newest first, no secrets', async () => {
    const ann = await api.signUp();
    const secrets = await updateEverything(ann);
    const response = await api.call('GET /workspace/audit', null, ann);
    const items = response.body.items as {
      action: string;
      subject: string | null;
      detail: object;
      actor: string;
      credential: object;
    }[];
    expect(items.map((item) => item.action).toReversed()).toEqual([
      'token.created',
      'token.renamed',
      'token.revoked',
      'invite.created',
      'invite.revoked',
      'member.role_changed',
      'member.removed',
      'webhook.created',
      'webhook.changed',
      'webhook.secret_changed',
      'webhook.deleted',
      'settings.changed',
      'alerts.changed',
      'workspace.renamed',
      'keywords.added',
      'keywords.changed',
      'keywords.deleted',
      'keywords.deleted',
      'keyword_field.changed',
      'app.changed',
      'app.archived',
      'app.restored',
      'app.deleted',
      'password.changed',
    ]);
    expect(items.find((item) => item.action === 'keywords.added')).toMatchObject({
      detail: { count: 3 },
      actor: ann.email,
      credential: { kind: 'session' },
    });
    expect(items.find((item) => item.action === 'settings.changed')!.detail).toEqual({
      digestHour: 5,
      'thresholds.movePositions': 7,
    });
    expect(secrets.filter((secret) => response.text.includes(secret))).toEqual([]);
    const { rows } = await api.db.pool.query(
      "select coalesce(string_agg(a::text, ' '), '') as text from audit a",
    );
    expect(secrets.filter((secret) => (rows[0].text as string).includes(secret))).toEqual([]);
  });

  test('records which sessions were ended, in every workspace of the person', async () => {
    const [ann, bob] = [await api.signUp(), await api.signUp()];
    await api.db.pool.query(
      "insert into memberships (workspace_id, user_id, role) values ($1, $2, 'member')",
      [bob.workspaceId, ann.userId],
    );
    const signIn = async () =>
      expect(
        (
          await api.call('POST /auth/sign-in', {
            body: { email: ann.email, password: testPassword },
          })
        ).status,
      ).toBe(200);
    for (let times = 0; times < 3; times += 1) await signIn();
    const { items } = await api.ok('GET /auth/sessions', null, ann);
    const { id } = items.find((row) => !row.current)!;
    await api.ok('DELETE /auth/sessions/{id}', { params: { id } }, ann);
    expect((await api.call('DELETE /auth/sessions/{id}', { params: { id } }, ann)).status).toBe(
      404,
    );
    for (const revoked of [2, 0])
      expect(await api.ok('DELETE /auth/sessions', null, ann)).toEqual({ revoked });
    const endedIn = async (who: Credential) =>
      (
        await api.ok('GET /workspace/audit', { query: { action: 'sessions.ended' } }, who)
      ).items.map(({ subject, detail }) => [subject, detail]);
    const lines = [
      [ann.email, { count: 2 }],
      [`session ${id}`, {}],
    ];
    expect([await endedIn(ann), await endedIn(bob)]).toEqual([lines, lines]);
  });

  test('names the token that acted', async () => {
    const ann = await api.signUp();
    const token = await api.token(ann);
    await api.ok('PATCH /settings', { body: { digestHour: 5 } }, token);
    const { items } = await api.ok(
      'GET /workspace/audit',
      { query: { action: 'settings.changed' } },
      ann,
    );
    expect(items).toMatchObject([
      {
        actor: ann.email,
        credential: { kind: 'token', tokenId: token.id },
        at: '2026-11-21T12:00:00.000Z',
      },
    ]);
  });

  test('rolls back a change whose entry cannot be written', async () => {
    const own = await startApi();
    const ann = await own.signUp();
    await own.db.pool.query(
      `create function refuse() returns trigger language plpgsql
         as $$ begin raise exception 'full'; end $$;
       create trigger refuse before insert on audit for each row execute function refuse()`,
    );
    const before = await describeTables(own);
    expect((await own.call('PATCH /settings', { body: { digestHour: 5 } }, ann)).status).toBe(500);
    expect((await own.call('POST /tokens', { body: { name: 'x' } }, ann)).status).toBe(500);
    expect(
      (await own.call('POST /workspace/invites', { body: { email: 'a@example.org' } }, ann)).status,
    ).toBe(500);
    expect(await describeTables(own)).toEqual(before);
    await own.close();
  });

  test('filters by actor, action and day, and returns each entry once over all pages', async () => {
    const ann = await api.signUp();
    const member = await api.signUp({ workspaceId: ann.workspaceId, role: 'member' });
    const started = api.clock.now();
    for (let hour = 0; hour < 5; hour += 1)
      await api.ok('PATCH /settings', { body: { digestHour: hour } }, ann);
    api.clock.advance(86_400_000);
    await api.ok('PATCH /settings', { body: { digestHour: 9 } }, member);
    await api.ok('POST /tokens', { body: { name: 'x' } }, member);
    expect(await actionsOf(ann, { actor: member.email.toUpperCase() })).toEqual([
      'token.created',
      'settings.changed',
    ]);
    expect(await actionsOf(ann, { action: 'token.created' })).toEqual(['token.created']);
    expect(await actionsOf(ann, { to: '2026-11-21' })).toEqual(Array(5).fill('settings.changed'));
    expect(await actionsOf(ann, { from: '2026-11-22' })).toEqual([
      'token.created',
      'settings.changed',
    ]);
    const seen: number[] = [];
    for (
      let cursor: string | undefined, pages = 0;
      pages === 0 || (cursor && pages < 9);
      pages += 1
    ) {
      const page = await api.ok(
        'GET /workspace/audit',
        { query: { limit: 2, ...(cursor && { cursor }) } },
        ann,
      );
      seen.push(...page.items.map((item) => item.id));
      cursor = page.nextCursor ?? undefined;
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => b - a));
    api.clock.set(started);
  });

  test('belongs to the workspace, allows read-only tokens, and validates parameters', async () => {
    const ann = await api.signUp();
    await api.ok('PATCH /settings', { body: { digestHour: 5 } }, ann);
    const reader = await api.token(ann, { readOnly: true });
    expect(await actionsOf(reader, { action: 'settings.changed' })).toHaveLength(1);
    expect(await actionsOf(await api.signUp())).toEqual([]);
    for (const query of [
      'action=nothing',
      'cursor=AAAA',
      'from=2020-01-01&to=2026-01-01',
      'limit=501',
      'who=x',
      `actor=${'x'.repeat(400)}`,
    ]) {
      expect([query, (await api.raw(`/workspace/audit?${query}`, {}, ann)).status]).toEqual([
        query,
        400,
      ]);
    }
  });
});
