import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '#client/http.ts';
import { eventTypes } from '#contract/choices.ts';
import { eventData, eventSamples } from '#contract/events.ts';
import { inSystem, inTenant } from '#domain/base/context.ts';
import { emitEvents, type NewEvent } from '#domain/alerting/events/emit-events.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { insertApp } from './keywords.fixtures.ts';

keepOrder('later tests advance the clock');

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ settings: { publicUrl: 'https://aso.example.org' } });
});
afterAll(() => api.close());

const fell = (account: Account, key: string, given: Partial<NewEvent> = {}): NewEvent =>
  ({
    workspaceId: account.workspaceId,
    type: 'rank.dropped',
    key,
    appId: null,
    occurredAt: api.clock.now(),
    data: eventSamples['rank.dropped'],
    ...given,
  }) as NewEvent;

const emit = (events: NewEvent[]) =>
  inSystem(api.services, (tx) => emitEvents(tx, api.services, events));
const sequencesOf = async (account: Account, query = {}) =>
  (await api.ok('GET /events', { query }, account)).items.map((event) => event.sequence);

it('an event is listed exactly as webhooks deliver it, with app and links', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me, { storeAppId: '7001' });
  const [written] = await emit([
    fell(me, 'a', { appId: app.id, links: { rankings: '/keywords/481/rankings' } }),
  ]);
  const { items, total, nextCursor } = await api.ok('GET /events', null, me);
  expect([items, total, nextCursor]).toEqual([[written], 1, null]);
  expect(items[0]).toEqual({
    type: 'rank.dropped',
    timestamp: '2026-11-21T12:00:00.000Z',
    data: eventSamples['rank.dropped'],
    id: expect.stringMatching(/^evt_[A-Za-z0-9_-]{22}$/),
    sequence: 1,
    workspaceId: me.workspaceId,
    app: { id: app.id, store: 'ios', storeAppId: '7001', name: 'App' },
    links: {
      app: `https://aso.example.org/api/backend/apps/${app.id}`,
      rankings: 'https://aso.example.org/api/backend/keywords/481/rankings',
    },
  });
});

it('an event with the same key is stored once and takes no second number', async () => {
  const me = await api.signUp();
  expect(
    (await emit([fell(me, 'a'), fell(me, 'a'), fell(me, 'b')])).map((event) => event.sequence),
  ).toEqual([1, 2]);
  expect(await emit([fell(me, 'b'), fell(me, 'a')])).toEqual([]);
  expect((await emit([fell(me, 'a'), fell(me, 'c')])).map((event) => event.sequence)).toEqual([3]);
  expect(await sequencesOf(me)).toEqual([1, 2, 3]);
});

it('an event of a rolled back transaction leaves no gap in the numbers', async () => {
  const me = await api.signUp();
  const broken = inTenant(me.ctx, async (tx) => {
    await emitEvents(tx, me.ctx, [fell(me, 'a')]);
    throw new Error('the change did not hold');
  });
  await expect(broken).rejects.toThrow('did not hold');
  await inTenant(me.ctx, (tx) => emitEvents(tx, me.ctx, [fell(me, 'b')]));
  expect(await sequencesOf(me)).toEqual([1]);
});

it('forty concurrent writers with colliding keys and rollbacks number without gaps', async () => {
  const people = await Promise.all([api.signUp(), api.signUp(), api.signUp()]);
  const reads: number[][] = [];
  let writing = true;
  const reading = (async () => {
    while (writing) {
      // On a busy machine a read may be refused, too: it waits for a connection.
      const read = await sequencesOf(people[0], { limit: '500' }).catch((error: ApiError) => error);
      if (read instanceof ApiError) expect(read.status).toBe(503);
      else reads.push(read);
    }
  })();
  const write = async (number: number): Promise<void> => {
    const events = people.flatMap((person) => [
      fell(person, `k${number % 25}`),
      fell(person, `own ${number}`),
    ]);
    const order = number % 2 ? events : events.toReversed();
    await inSystem(api.services, async (tx) => {
      await emitEvents(tx, api.services, order);
      if (number % 5 === 0) throw new Error('planned');
    }).catch((error: Error) => {
      // On a busy machine a writer waits for a connection for longer than the pool allows.
      if (error.message.startsWith('timeout exceeded')) return write(number);
      return expect(error.message).toBe('planned');
    });
  };
  await Promise.all(Array.from({ length: 40 }, (_, number) => write(number)));
  writing = false;
  await reading;
  expect(reads.length).toBeGreaterThan(0);
  for (const sequences of reads) expect(sequences).toEqual(sequences.map((_, index) => index + 1));
  // 32 events of its own each, and 20 of the 25 shared keys: those of multiples of five were rolled
  // back.
  for (const person of people)
    expect(await sequencesOf(person, { limit: '500' })).toEqual(
      Array.from({ length: 52 }, (_, index) => index + 1),
    );
});

it('invalid text is cleaned and big integers stay exact, without an error', async () => {
  const me = await api.signUp();
  const changes = [
    { field: 'installs', before: 9_007_199_254_740_993n, after: 9_223_372_036_854_775_807n },
    { field: 'name', before: 'a\0b', after: 'half \ud83d' },
  ];
  await emit([
    fell(me, 'a', {
      type: 'metadata.changed',
      data: { ...eventSamples['metadata.changed'], changes },
    }),
  ]);
  const { text } = await api.call('GET /events', null, me);
  expect(text).toContain('"before":9007199254740993,"after":9223372036854775807');
  expect(text).toContain('"before":"ab","after":"half �"');
});

it('events filter by number, instant, type and app, in pages in both directions', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await emit(
    Array.from({ length: 5 }, (_, index) =>
      fell(me, `d${index}`, { appId: index === 2 ? app.id : null }),
    ),
  );
  api.clock.advance(60_000);
  await emit([
    fell(me, 'up', {
      type: 'rank.improved',
      data: eventSamples['rank.improved'],
      occurredAt: api.clock.now(),
    }),
  ]);
  const first = await api.ok('GET /events', { query: { limit: '4' } }, me);
  expect([first.items.map((event) => event.sequence), first.total]).toEqual([[1, 2, 3, 4], 6]);
  expect(await sequencesOf(me, { limit: '4', cursor: first.nextCursor! })).toEqual([5, 6]);
  const newest = await api.ok('GET /events', { query: { limit: '4', order: 'desc' } }, me);
  expect(newest.items.map((event) => event.sequence)).toEqual([6, 5, 4, 3]);
  expect(await sequencesOf(me, { limit: '4', order: 'desc', cursor: newest.nextCursor! })).toEqual([
    2, 1,
  ]);
  expect(await sequencesOf(me, { since: '4' })).toEqual([5, 6]);
  expect(await sequencesOf(me, { since: api.clock.now().toISOString() })).toEqual([6]);
  expect(await sequencesOf(me, { type: 'rank.improved,serp.entrant' })).toEqual([6]);
  expect(await sequencesOf(me, { appId: String(app.id) })).toEqual([3]);
  expect(
    (await api.call('GET /events', { query: { cursor: newest.nextCursor! } }, me)).body.code,
  ).toBe('invalid_cursor');
});

it.each([
  ['type=rank.sunk', 'unknown_event'],
  ['since=yesterday', 'invalid_request'],
  ['since=-1', 'invalid_request'],
  ['since=2026-02-30T00:00:00Z', 'invalid_request'],
  ['appId=0', 'invalid_request'],
  ['order=up', 'invalid_request'],
  ['cursor=x', 'invalid_cursor'],
  ['color=red', 'invalid_request'],
])('?%s is refused as %s', async (query, code) => {
  const response = await api.raw(`/events?${query}`, {}, await api.signUp());
  expect([response.status, response.body.code]).toEqual([400, code]);
});

it('another workspace’s events are never returned, by any filter or credential', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const app = await insertApp(api, you);
  await emit([fell(you, 'theirs', { appId: app.id })]);
  for (const credential of [me, await api.token(me, { readOnly: true })])
    for (const query of [{}, { appId: String(app.id) }, { since: '0' }]) {
      expect(await api.ok('GET /events', { query }, credential)).toEqual({
        items: [],
        nextCursor: null,
        total: 0,
      });
    }
  // An event with a wrong app is returned without it.
  await emit([fell(me, 'mine', { appId: app.id })]);
  expect((await api.ok('GET /events', null, me)).items[0]).toMatchObject({ app: null, links: {} });
});

it('GET /events/types lists every type with a sample that its schema accepts', async () => {
  const me = await api.signUp();
  const { items } = await api.ok(
    'GET /events/types',
    null,
    await api.token(me, { readOnly: true }),
  );
  expect(items.map((item) => item.type)).toEqual(eventTypes);
  for (const { type, schema, sample } of items) {
    expect(eventData[type].parse(sample.data)).toEqual(sample.data);
    expect(sample).toMatchObject({ type, sequence: 0, test: true, workspaceId: me.workspaceId });
    expect(schema).toMatchObject({
      $ref: expect.stringContaining('#/$defs/'),
      $defs: expect.any(Object),
    });
  }
});

it('no event schema accepts a position of 0 or one without its depth', () => {
  const pair = { date: '2026-11-20', position: 8, depth: 200 };
  fc.assert(
    fc.property(
      fc.constantFrom('rank.dropped' as const, 'rank.improved' as const),
      fc.boolean(),
      (type, first) => {
        const bad = [
          { ...pair, position: 0 },
          { date: pair.date, position: null },
          { ...pair, depth: 0 },
          { ...pair, position: 201 },
        ];
        for (const side of bad) {
          const data = { ...eventSamples[type], [first ? 'from' : 'to']: side };
          expect(eventData[type].safeParse(data).success).toBe(false);
        }
      },
    ),
  );
  expect(eventTypes.every((type) => eventData[type].safeParse(eventSamples[type]).success)).toBe(
    true,
  );
});

it('a person has read events of their own, only forwards, and none that do not exist', async () => {
  const me = await api.signUp();
  await emit([fell(me, 'a'), fell(me, 'b'), fell(me, 'c')]);
  const read = (sequence: number) => api.ok('POST /events/read', { body: { sequence } }, me);
  const none = { readSequence: 0, newestSequence: 3, unread: 3 };
  expect(await api.ok('GET /events/unread', null, me)).toEqual(none);
  expect(await read(2)).toEqual({ readSequence: 2, newestSequence: 3, unread: 1 });
  expect(await read(1)).toEqual({ readSequence: 2, newestSequence: 3, unread: 1 });
  expect(await read(Number.MAX_SAFE_INTEGER)).toEqual({ ...none, readSequence: 3, unread: 0 });
  await emit([fell(me, 'd')]);
  expect((await api.ok('GET /events/unread', null, me)).unread).toBe(1);
  const other = await api.signUp();
  expect((await api.ok('GET /events/unread', null, other)).newestSequence).toBe(0);
});
