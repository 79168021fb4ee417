import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventSamples } from '#contract/events.ts';
import { inSystem } from '#domain/base/context.ts';
import { emitEvents, type NewEvent } from '#domain/alerting/events/emit-events.ts';
import { escapeXml } from '#domain/alerting/feeds/write-feed.ts';
import { readXml, type XmlElement } from '#stores/ios/xml.ts';
import { startApi, type Account, type TestApi } from '../harness/api.ts';
import { insertApp } from './keywords.fixtures.ts';
import { anyCharacter } from '../harness/any-character.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ settings: { publicUrl: 'https://aso.example.org' } });
});
afterAll(() => api.close());

const emit = (
  account: Account,
  appId: number,
  events: { key: string; type?: NewEvent['type']; data?: unknown }[],
) =>
  inSystem(api.services, (tx) =>
    emitEvents(
      tx,
      api.services,
      events.map(({ key, type = 'rank.dropped', data = eventSamples['rank.dropped'] }) => {
        const event = {
          workspaceId: account.workspaceId,
          type,
          key,
          appId,
          occurredAt: api.clock.now(),
          data,
        };
        return { ...event, links: { keyword: '/keywords/481' } } as NewEvent;
      }),
    ),
  );
const all = (element: XmlElement, name: string) =>
  element.children.filter((child) => child.name === name);
const textOf = (element: XmlElement, name: string) => all(element, name)[0]?.text;
const basic = (secret: string, name = 'me') => ({
  headers: { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}` },
});

it('the feed is valid Atom with the newest events first', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  await emit(me, app.id, [{ key: 'a' }]);
  api.clock.advance(60_000);
  await emit(me, app.id, [
    { key: 'b', type: 'rank.improved', data: eventSamples['rank.improved'] },
  ]);
  const response = await api.raw(`/apps/${app.id}/feed`, {}, me);
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ]);
  expect(response.text).toMatch(
    /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom">/,
  );
  const feed = readXml(response.text);
  expect([
    textOf(feed, 'title'),
    textOf(feed, 'updated'),
    all(all(feed, 'author')[0]!, 'name')[0]!.text,
  ]).toEqual(['App – Toprung', api.clock.now().toISOString(), 'Toprung']);
  expect(all(feed, 'link').map((link) => link.attributes)).toEqual([
    { rel: 'self', href: `https://aso.example.org/api/backend/apps/${app.id}/feed` },
    { rel: 'alternate', href: `https://aso.example.org/apps/${app.id}` },
  ]);
  const entries = all(feed, 'entry');
  expect(entries.map((entry) => textOf(entry, 'title'))).toEqual([
    '▲ habit tracker (us) >200 → 47',
    '▼ habit tracker (us) 8 → 21',
  ]);
  const { items } = await api.ok('GET /events', { query: { order: 'desc' } }, me);
  expect(entries.map((entry) => textOf(entry, 'id'))).toEqual(
    items.map((event) => `tag:toprung,2026:event/${event.id}`),
  );
  for (const entry of entries) {
    expect(Date.parse(textOf(entry, 'updated')!)).not.toBeNaN();
    expect(all(entry, 'category')[0]!.attributes.term).toMatch(/^rank\./);
    expect(all(entry, 'content')[0]!.attributes).toEqual({ type: 'text' });
    expect(all(entry, 'link')[0]!.attributes.href).toMatch(/^https:\/\/aso\.example\.org\//);
  }
  expect((await api.raw(`/apps/${app.id}/feed`, {}, me)).text).toBe(response.text);
});

it('the feed is valid when empty, and ends at a hundred entries', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const empty = readXml((await api.raw(`/apps/${app.id}/feed`, {}, me)).text);
  expect([all(empty, 'entry').length, textOf(empty, 'updated')]).toEqual([
    0,
    api.clock.now().toISOString(),
  ]);
  await emit(
    me,
    app.id,
    Array.from({ length: 130 }, (_, index) => ({ key: `e${index}` })),
  );
  expect(all(readXml((await api.raw(`/apps/${app.id}/feed`, {}, me)).text), 'entry')).toHaveLength(
    100,
  );
});

it('store texts cannot close an element, name an entity or break XML', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const title = `</title><script>alert(1)</script>]]>&lol;&#x41; "quoted" \u0001\ud800\uffff`;
  const data = { ...eventSamples['review.negative'], title, text: 'a < b && c > d' };
  await emit(me, app.id, [{ key: 'x', type: 'review.negative', data }]);
  const { text } = await api.raw(`/apps/${app.id}/feed`, {}, me);
  expect([...text].filter((character) => character < ' ' && character !== '\n')).toEqual([]);
  expect(text).not.toContain('\uffff');
  expect(textOf(all(readXml(text), 'entry')[0]!, 'title')).toBe(
    `★ (us) </title><script>alert(1)</script>]]>&lol;&#x41; "quoted" �: a < b && c > d`,
  );
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (any) => {
      const element = readXml(`<a t="${escapeXml(any)}">${escapeXml(any)}</a>`);
      expect(element.text).toBe(element.attributes.t);
      expect(element.text).toBe(
        any
          .toWellFormed()
          .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''),
      );
      expect(element.children).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it('the feed accepts a token as the password of HTTP Basic, no other route does', async () => {
  const me = await api.signUp();
  const app = await insertApp(api, me);
  const [token, reader] = [await api.token(me), await api.token(me, { readOnly: true })];
  for (const { secret } of [token, reader]) {
    expect((await api.raw(`/apps/${app.id}/feed`, {}, basic(secret))).status).toBe(200);
    expect((await api.raw(`/apps/${app.id}/feed`, {}, basic(secret, ''))).status).toBe(200);
    expect((await api.raw(`/apps/${app.id}`, {}, basic(secret))).status).toBe(401);
    expect((await api.raw('/events', {}, basic(secret))).headers.get('www-authenticate')).toBe(
      'Bearer realm="toprung"',
    );
  }
  expect(
    (
      await api.raw(
        `/apps/${app.id}/feed`,
        {},
        { headers: { authorization: `Bearer ${token.secret}` } },
      )
    ).status,
  ).toBe(200);
  for (const bad of [
    basic('toprung_wrong'),
    basic(''),
    { headers: { authorization: 'Basic' } },
    { headers: { authorization: 'Basic %%%' } },
    null,
  ]) {
    const response = await api.raw(`/apps/${app.id}/feed`, {}, bad);
    expect([response.status, response.body.code, response.headers.get('www-authenticate')]).toEqual(
      [401, 'unauthenticated', 'Basic realm="toprung", charset="UTF-8"'],
    );
  }
});

it('the feed is read with a session behind a proxy that has its own password', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const app = await insertApp(api, me);
  const read = async (authorization: string) => {
    const headers = { cookie: me.headers.cookie!, authorization };
    return (await api.raw(`/apps/${app.id}/feed`, {}, { headers })).status;
  };
  expect(await read(basic('lab', 'home').headers.authorization)).toBe(200);
  // A token takes precedence.
  expect(await read(basic((await api.token(you)).secret).headers.authorization)).toBe(404);
});

it('another workspace’s feed is not found, and its events are not in mine', async () => {
  const [me, you] = [await api.signUp(), await api.signUp()];
  const [mine, yours] = [
    await insertApp(api, me, { storeAppId: '5001' }),
    await insertApp(api, you, { storeAppId: '5001' }),
  ];
  await emit(you, yours.id, [{ key: 'theirs' }]);
  const response = await api.raw(`/apps/${yours.id}/feed`, {}, me);
  expect([response.status, response.body.code]).toEqual([404, 'not_found']);
  expect((await api.raw(`/apps/${mine.id}/feed`, {}, me)).text).not.toContain('<entry>');
  expect((await api.raw(`/apps/${mine.id}/feed?limit=5`, {}, me)).status).toBe(400);
});
