import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { eventSamples } from '#contract/events.ts';
import { emitEvents } from '#domain/alerting/events/emit-events.ts';
import { inSystem } from '#domain/base/context.ts';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';
import { runAcceptedJobs } from './exports.fixtures.ts';
import { describeTables } from './keywords.fixtures.ts';

let api: TestApi;
let receiver: Receiver;
let me: Account;
const webhooks = { webhooks: createWebhookSender({ allowedSubnets: ['127.0.0.0/8'] }) };
beforeAll(async () => {
  receiver = await startReceiver();
  api = await startApi({ services: webhooks });
});
beforeEach(async () => {
  me = await api.signUp();
  receiver.requests.length = 0;
  receiver.respond = (response) => response.writeHead(200).end('ok');
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

const register = (body: object = {}, account = me) =>
  api.ok(
    'POST /webhooks',
    { body: { url: `${receiver.url}/hook`, events: ['rank.dropped'], ...body } as never },
    account,
  );
const refusal = async (body: object, account = me) => {
  const response = await api.call('POST /webhooks', { body: body as never }, account);
  return [response.status, response.body.code];
};

describe('creating a webhook', () => {
  it('returns 201 with the record and, once, a generated secret of 32 bytes', async () => {
    const made = await api.call(
      'POST /webhooks',
      { body: { url: 'https://example.com/hook', events: ['rank.dropped', 'digest.weekly'] } },
      me,
    );
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(Number),
      url: 'https://example.com/hook',
      format: 'standard',
      events: ['rank.dropped', 'digest.weekly'],
      description: null,
      hasSecret: true,
      secretStrength: 'strong',
      oldSecretsUntil: null,
      enabled: true,
      state: 'healthy',
      disabledBy: null,
      failingSince: null,
      lastDelivery: null,
      createdAt: '2026-11-21T12:00:00.000Z',
      etag: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret: _secret, ...record } = made.body;
    expect(await api.ok('GET /webhooks/{id}', { params: { id: made.body.id } }, me)).toEqual(
      record,
    );
    expect(await api.ok('GET /webhooks', null, me)).toEqual({
      items: [record],
      nextCursor: null,
      total: 1,
    });
  });

  it.each([
    ['eight-ch', 'weak'],
    ['a text of twenty-four ch.', 'strong'],
    [`whsec_${Buffer.alloc(24, 1).toString('base64')}`, 'strong'],
  ])('never returns a secret that was supplied, %s', async (secret, strength) => {
    const made = await api.call(
      'POST /webhooks',
      { body: { url: receiver.url, events: ['rank.dropped'], secret } },
      me,
    );
    expect([made.status, made.body.secretStrength, 'secret' in made.body]).toEqual([
      201,
      strength,
      false,
    ]);
    const list = await api.call('GET /webhooks', null, me);
    expect(made.text + list.text).not.toContain(secret);
    const { rows } = await api.db.pool.query('select secret from webhooks where id = $1', [
      made.body.id,
    ]);
    const encrypted = rows[0].secret as Buffer;
    expect(encrypted.includes(Buffer.from(secret))).toBe(false);
    expect(encrypted.includes(Buffer.from(secret.replace('whsec_', ''), 'base64'))).toBe(false);
  });

  it('writes nothing when it is refused', async () => {
    const before = await describeTables(api);
    const url = 'https://example.com/hook';
    const events = ['rank.dropped'];
    const refused: [object, string][] = [
      [{ url, events: [] }, 'invalid_request'],
      [{ url }, 'invalid_request'],
      [{ events }, 'invalid_request'],
      [{ url, events: ['rank.sunk'] }, 'unknown_event'],
      [{ url, events: ['rank.dropped', 'RANK.DROPPED'] }, 'unknown_event'],
      [{ url, events: [null] }, 'unknown_event'],
      [{ url, events, secret: 'seven-c' }, 'invalid_request'],
      [{ url, events, secret: `whsec_${btoa('too short')}` }, 'invalid_request'],
      [{ url, events, secret: 'x'.repeat(257) }, 'invalid_request'],
      [{ url, events, secret: null }, 'invalid_request'],
      [{ url, events, format: 'fax' }, 'invalid_request'],
      [{ url, events, color: 'red' }, 'invalid_request'],
      [{ url, events, description: 'x'.repeat(201) }, 'invalid_request'],
      [{ url: 'ftp://example.com/', events }, 'invalid_request'],
      [{ url: 'example.com', events }, 'invalid_request'],
      [{ url: 'javascript:alert(1)', events }, 'invalid_request'],
      [{ url: 'https://user:pass@example.com/', events }, 'invalid_request'],
      [{ url: `https://example.com/${'x'.repeat(2_000)}`, events }, 'invalid_request'],
      [{ url: 'http://10.0.0.1/', events }, 'invalid_request'],
      [{ url: 'http://127.0.0.1:5432/', events }, 'invalid_request'],
      [{ url: 'https://api.telegram.org/bot1:x/sendMessage', events }, 'invalid_request'],
      [{ url: 'https://ntfy.sh/', events, format: 'ntfy' }, 'invalid_request'],
    ];
    for (const [body, code] of refused)
      expect([body, ...(await refusal(body))]).toEqual([body, 400, code]);
    expect(await describeTables(api)).toEqual(before);
  });

  it.each([
    ['https://example.com/…', 'hidden_part'],
    ['http://10.0.0.1/', 'not_public'],
    ['https://api.telegram.org/bot1:x/sendMessage', 'no_chat_id'],
    ['https://ntfy.sh/%2F', 'no_topic'],
  ] as const)('names why the address %s is refused', async (url, fault) => {
    const body = { url, events: ['rank.dropped' as const] };
    const { body: error } = await api.call('POST /webhooks', { body }, me);
    expect(error.issues).toMatchObject([{ path: 'url', code: 'invalid', actual: fault }]);
  });

  it('is limited to 50 for a workspace', async () => {
    for (let index = 0; index < 50; index += 1) await register();
    const body = { url: receiver.url, events: ['rank.dropped' as const] };
    const { body: error } = await api.call('POST /webhooks', { body }, me);
    expect(error).toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'url', code: 'too_large', limit: 50, actual: 51 }],
    });
  });

  it.each([
    ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://api.telegram.org/bot1:x/sendMessage?chat_id=-100', 'telegram'],
    ['https://ntfy.sh/my-topic', 'ntfy'],
    ['https://hooks.slack.com.example.net/services/T0', 'standard'],
    ['https://example.com/?hooks.slack.com', 'standard'],
  ])('of %s uses the format of %s', async (url, format) => {
    expect((await register({ url })).format).toBe(format);
  });

  it('with the same Idempotency-Key creates one and shows the secret once', async () => {
    const send = () =>
      api.raw(
        '/webhooks',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
          body: JSON.stringify({ url: receiver.url, events: ['rank.dropped'] }),
        },
        me,
      );
    const [first, second] = [await send(), await send()];
    const { secret, ...record } = first.body;
    expect([typeof secret, second.body]).toEqual(['string', record]);
    expect((await api.ok('GET /webhooks', null, me)).total).toBe(1);
  });
});

describe('updating a webhook', () => {
  it('changes the given fields only', async () => {
    const { id } = await register({ description: 'mine' });
    const change = (body: object) => api.ok('PATCH /webhooks/{id}', { params: { id }, body }, me);
    expect(await change({ events: ['action.opened', 'action.opened'] })).toMatchObject({
      events: ['action.opened'],
      description: 'mine',
    });
    expect(await change({ description: null, url: `${receiver.url}/other#part` })).toMatchObject({
      description: null,
      url: `${receiver.url}/other`,
    });
    expect(await change({ enabled: false })).toMatchObject({
      enabled: false,
      state: 'disabled',
      disabledBy: 'user',
    });
    expect(await change({ enabled: true })).toMatchObject({
      enabled: true,
      state: 'healthy',
      disabledBy: null,
    });
  });

  it('when enabled, abandons what was written while it was being disabled', async () => {
    const { id } = await register();
    const change = (enabled: boolean) =>
      api.ok('PATCH /webhooks/{id}', { params: { id }, body: { enabled } }, me);
    const emit = (key: string, before = async () => {}) =>
      inSystem(api.services, async (tx) => {
        await emitEvents(tx, api.services, [
          {
            workspaceId: me.workspaceId,
            type: 'rank.dropped',
            key,
            appId: null,
            occurredAt: api.clock.now(),
            data: eventSamples['rank.dropped'],
          },
        ]);
        await before();
      });
    await emit('first', async () => void (await change(false)));
    const log = async () =>
      (await api.ok('GET /webhooks/{id}/deliveries', { params: { id } }, me)).items.map(
        ({ state, nextAttemptAt, finishedAt }) => [state, nextAttemptAt, finishedAt],
      );
    await change(true);
    const now = api.clock.now().toISOString();
    expect(await log()).toEqual([['abandoned', null, now]]);
    // Enabling an enabled one leaves what is due.
    await emit('second');
    await change(true);
    expect(await log()).toEqual([
      ['pending', now, null],
      ['abandoned', null, now],
    ]);
  });

  it('refuses private addresses, unknown events and another format, changing nothing', async () => {
    const { id } = await register();
    const before = await describeTables(api);
    for (const [body, code] of [
      [{ url: 'http://169.254.169.254/latest' }, 'invalid_request'],
      [{ url: 'https://hooks.slack.com/services/x' }, 'invalid_request'],
      [{ events: ['nothing'] }, 'unknown_event'],
      [{ events: [] }, 'invalid_request'],
      [{ secret: 'not here at all' }, 'invalid_request'],
    ] as const) {
      const response = await api.call(
        'PATCH /webhooks/{id}',
        { params: { id }, body: body as never },
        me,
      );
      expect([body, response.status, response.body.code]).toEqual([body, 400, code]);
    }
    expect(await describeTables(api)).toEqual(before);
  });

  it('deleting removes its log; a second time is 404', async () => {
    const { id } = await register();
    const { deliveryId } = await api.ok(
      'POST /webhooks/{id}/test',
      { params: { id }, body: {} },
      me,
    );
    expect(await api.ok('DELETE /webhooks/{id}', { params: { id } }, me)).toEqual({
      id,
      deleted: true,
    });
    expect((await api.call('DELETE /webhooks/{id}', { params: { id } }, me)).status).toBe(404);
    expect(
      (await api.call('GET /webhooks/deliveries/{deliveryId}', { params: { deliveryId } }, me))
        .status,
    ).toBe(404);
  });
});

describe('the secret part of an address', () => {
  const chat = () => ({
    url: `${receiver.url}/bot77:marker-key/sendMessage?chat_id=5`,
    format: 'telegram',
  });
  const shown = () => `${receiver.url}/…?chat_id=5`;

  it('is shown to nobody, and used by deliveries', async () => {
    const made = await api.call(
      'POST /webhooks',
      { body: { ...chat(), events: ['rank.dropped'] } as never },
      me,
    );
    const { id } = made.body;
    const { deliveryId } = await api.ok(
      'POST /webhooks/{id}/test',
      { params: { id }, body: {} },
      me,
    );
    expect(receiver.requests.at(-1)!.path).toBe('/bot77:marker-key/sendMessage?chat_id=5');
    const { job, poll } = await api.ok('POST /workspace/exports', { body: {} }, me);
    expect(job.kind).toBe('export');
    await runAcceptedJobs(api);
    const reader = await api.token(me, { readOnly: true });
    const responses = await Promise.all(
      [
        '/webhooks',
        `/webhooks/${id}`,
        `/webhooks/deliveries/${deliveryId}`,
        '/workspace/audit',
        `${poll}/file`,
      ].map((path) => api.raw(path, {}, reader)),
    );
    for (const { status, text } of [made, ...responses])
      expect([status < 300, text.includes('marker-key')]).toEqual([true, false]);
    expect(responses.map(({ text }) => text.includes(shown()))).toEqual([
      true,
      true,
      true,
      false,
      true,
    ]);
  });

  it('is kept when the address is sent back as it is shown', async () => {
    const { id, url } = await register(chat());
    expect(url).toBe(shown());
    const change = (body: object) => api.call('PATCH /webhooks/{id}', { params: { id }, body }, me);
    expect((await change({ url, description: 'chat' })).body).toMatchObject({
      url,
      description: 'chat',
    });
    await api.ok('POST /webhooks/{id}/test', { params: { id }, body: {} }, me);
    expect(receiver.requests.at(-1)!.path).toContain('/bot77:marker-key/');
    for (const other of [`${receiver.url}/…?chat_id=6`, `${receiver.url}/…`]) {
      const refused = await change({ url: other });
      expect([refused.status, refused.body.issues[0].path]).toEqual([400, 'url']);
      expect(await refusal({ url: other, events: ['rank.dropped'] })).toEqual([
        400,
        'invalid_request',
      ]);
    }
  });

  it('is entered again after an import, and nothing is sent before', async () => {
    await register(chat());
    await register();
    const { poll } = await api.ok('POST /workspace/exports', { body: {} }, me);
    await runAcceptedJobs(api);
    const { text } = await api.raw(`${poll}/file`, {}, me);
    const other = await api.signUp();
    await api.ok(
      'PUT /workspace/imports/parts/{part}',
      { params: { part: 1 }, body: { text } },
      other,
    );
    await api.ok('POST /workspace/imports', { body: { format: 'ndjson', parts: 1 } }, other);
    await runAcceptedJobs(api);
    const { items } = await api.ok('GET /webhooks', null, other);
    expect(items.map(({ url, enabled }) => [url, enabled])).toEqual([
      [`${receiver.url}/hook`, true],
      [shown(), false],
    ]);
    const params = { id: items[1]!.id };
    const enable = (body: object) =>
      api.call('PATCH /webhooks/{id}', { params, body: { ...body, enabled: true } }, other);
    expect((await enable({})).status).toBe(400);
    expect((await enable({ url: chat().url })).body).toMatchObject({ url: shown(), enabled: true });
    await api.ok('POST /webhooks/{id}/test', { params, body: {} }, other);
    expect(receiver.requests.map(({ path }) => path)).toEqual([
      '/bot77:marker-key/sendMessage?chat_id=5',
    ]);
  });
});

describe('testing a webhook', () => {
  it('sends a signed sample at once and returns the response', async () => {
    const { id, secret } = await register({ events: ['review.negative', 'rank.dropped'] });
    receiver.respond = (response) => response.writeHead(202, { 'x-ours': 'yes' }).end('taken');
    const outcome = await api.ok(
      'POST /webhooks/{id}/test',
      { params: { id }, body: { type: 'rank.dropped' } },
      me,
    );
    expect(outcome).toEqual({
      deliveryId: expect.any(Number),
      state: 'succeeded',
      httpStatus: 202,
      latencyMs: expect.any(Number),
      responseSnippet: 'taken',
      error: null,
    });
    const [request] = receiver.requests;
    expect(request!.headers['content-type']).toBe('application/json; charset=utf-8');
    // A session would have ended between the two clocks.
    const token = await api.token(me);
    api.clock.set(new Date());
    await api.ok('POST /webhooks/{id}/test', { params: { id } } as never, token);
    const [, now] = receiver.requests;
    const read = new Webhook(secret!).verify(now!.body, now!.headers as Record<string, string>);
    expect(read).toMatchObject({
      type: 'review.negative',
      test: true,
      sequence: 0,
      id: now!.headers['webhook-id'],
      workspaceId: me.workspaceId,
    });
    const detail = await api.ok(
      'GET /webhooks/deliveries/{deliveryId}',
      { params: { deliveryId: outcome.deliveryId } },
      token,
    );
    expect(detail).toMatchObject({
      state: 'succeeded',
      attempts: 1,
      sequence: null,
      request: { url: `${receiver.url}/hook`, body: request!.body },
    });
    expect(detail.log).toMatchObject([
      { number: 1, httpStatus: 202, responseHead: 'taken', responseHeaders: { 'x-ours': 'yes' } },
    ]);
    expect(detail.request.headers).toMatchObject({ 'webhook-id': request!.headers['webhook-id'] });
    api.clock.set('2026-11-21T12:00:00Z');
  });

  it('reports a failure without counting it against the webhook', async () => {
    const { id } = await register();
    receiver.respond = (response) => response.writeHead(500).end('broken');
    const outcome = await api.ok('POST /webhooks/{id}/test', { params: { id }, body: {} }, me);
    expect(outcome).toMatchObject({
      state: 'failed',
      httpStatus: 500,
      responseSnippet: 'broken',
      error: null,
    });
    receiver.respond = (response) => response.socket!.destroy();
    expect(
      await api.ok('POST /webhooks/{id}/test', { params: { id }, body: {} }, me),
    ).toMatchObject({
      state: 'failed',
      httpStatus: null,
      error: 'reset',
      responseSnippet: null,
    });
    expect(await api.ok('GET /webhooks/{id}', { params: { id } }, me)).toMatchObject({
      state: 'healthy',
      lastDelivery: { state: 'failed', httpStatus: null },
    });
    expect(
      (
        await api.ok(
          'GET /webhooks/{id}/deliveries',
          { params: { id }, query: { state: 'failed' } },
          me,
        )
      ).total,
    ).toBe(2);
  });

  it('is refused for a disabled one, and nothing is sent', async () => {
    const { id } = await register({ enabled: false });
    const response = await api.call('POST /webhooks/{id}/test', { params: { id }, body: {} }, me);
    const { code, issues } = response.body;
    expect([response.status, code, issues?.[0].message, receiver.requests.length]).toEqual([
      400,
      'invalid_request',
      'the webhook is disabled; enable it first',
      0,
    ]);
    expect(
      (
        await api.call(
          'POST /webhooks/{id}/test',
          { params: { id }, body: { type: 'x' } as never },
          me,
        )
      ).body.code,
    ).toBe('unknown_event');
  });
});

describe('rotating a webhook’s secret', () => {
  it('signs with both for 24 hours exactly, with at most ten old secrets', async () => {
    const { id, secret: first } = await register();
    const rotate = (body: object) =>
      api.ok('POST /webhooks/{id}/secret', { params: { id }, body }, me);
    const { secret: second, oldSecretsUntil } = await rotate({});
    expect([second === first, oldSecretsUntil]).toEqual([false, '2026-11-22T12:00:00.000Z']);
    expect('secret' in (await rotate({ secret: 'brought by hand' }))).toBe(false);
    const signatures = async () => {
      await api.ok('POST /webhooks/{id}/test', { params: { id }, body: {} }, me);
      return String(receiver.requests.at(-1)!.headers['webhook-signature']).split(' ').length;
    };
    expect(await signatures()).toBe(3);
    api.clock.advance(24 * 3_600_000 - 1_000);
    expect(await signatures()).toBe(3);
    api.clock.advance(1_000);
    expect(await signatures()).toBe(1);
    for (let index = 0; index < 13; index += 1) await rotate({});
    expect(await signatures()).toBe(11);
    api.clock.set('2026-11-21T12:00:00Z');
  });
});

describe('a webhook whose secret was encrypted with a lost key', () => {
  it('says what to do, and works again with a new secret', async () => {
    const { id } = await register();
    const changed = await startApi({
      db: api.db,
      clock: api.clock,
      deps: { authSecret: api.authSecret },
      services: { ...webhooks, encryptionKey: async () => Buffer.alloc(32, 9) },
    });
    const test = () => changed.call('POST /webhooks/{id}/test', { params: { id }, body: {} }, me);
    const { status, body } = await test();
    expect([status, body.code, body.issues]).toEqual([
      400,
      'invalid_request',
      [
        {
          path: 'secret',
          code: 'invalid',
          message: expect.stringContaining('POST /webhooks/{id}/secret'),
          limit: null,
          actual: null,
        },
      ],
    ]);
    expect(receiver.requests).toEqual([]);
    const { secret } = await changed.ok(
      'POST /webhooks/{id}/secret',
      { params: { id }, body: {} },
      me,
    );
    // The library compares with its own clock, and a session would have ended by that.
    const token = await api.token(me);
    api.clock.set(new Date());
    const sent = await changed.call(
      'POST /webhooks/{id}/test',
      { params: { id }, body: {} },
      token,
    );
    expect([sent.status, sent.body.state]).toEqual([200, 'succeeded']);
    const [{ headers, body: text }] = receiver.requests as [(typeof receiver.requests)[0]];
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(1);
    new Webhook(secret!).verify(text, headers as Record<string, string>);
    api.clock.set('2026-11-21T12:00:00Z');
    await changed.close();
  });
});

describe('access to webhooks', () => {
  const calls = (id: number, deliveryId: number) =>
    [
      ['GET /webhooks/{id}', { params: { id } }, 200],
      ['GET /webhooks/{id}/deliveries', { params: { id } }, 200],
      ['GET /webhooks/deliveries/{deliveryId}', { params: { deliveryId } }, 200],
      ['PATCH /webhooks/{id}', { params: { id }, body: { description: 'x' } }, 403],
      ['POST /webhooks/{id}/secret', { params: { id }, body: {} }, 403],
      ['POST /webhooks/{id}/test', { params: { id }, body: {} }, 403],
      ['POST /webhooks/deliveries/{deliveryId}/redeliver', { params: { deliveryId } }, 403],
      [
        'POST /webhooks/{id}/redeliver',
        { params: { id }, body: { from: '2026-11-01T00:00:00Z' } },
        403,
      ],
      ['DELETE /webhooks/{id}', { params: { id } }, 403],
    ] as const;

  it('returns 404 to others, and lets a read-only token read without writing', async () => {
    const { id } = await register();
    const { deliveryId } = await api.ok(
      'POST /webhooks/{id}/test',
      { params: { id }, body: {} },
      me,
    );
    const [other, reader] = [await api.signUp(), await api.token(me, { readOnly: true })];
    const before = await describeTables(api);
    const sent = receiver.requests.length;
    for (const [key, input, status] of calls(id, deliveryId)) {
      expect([key, (await api.call(key, input as never, other)).body.code]).toEqual([
        key,
        'not_found',
      ]);
      expect([key, (await api.call(key, input as never, reader)).status]).toEqual([key, status]);
    }
    expect((await api.ok('GET /webhooks', null, other)).total).toBe(0);
    expect(receiver.requests.length).toBe(sent);
    const after = (await describeTables(api)) as Record<string, unknown>;
    expect({ ...after, tokens: null }).toEqual({
      ...(before as Record<string, unknown>),
      tokens: null,
    });
  });
});
