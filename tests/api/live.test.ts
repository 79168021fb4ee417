import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { until as untilWithin } from '../harness/load-recorder.ts';
import { insertApp } from './keywords.fixtures.ts';

const until = (condition: () => boolean | Promise<boolean>) =>
  untilWithin(condition, 60_000, 'an event');

let api: TestApi;
/** Another API process over the same database. */
let other: TestApi;
beforeAll(async () => {
  api = await startApi();
  other = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

interface Stream {
  response: Response;
  /** Everything that was read until now. */
  text(): string;
  isOver(): boolean;
  close(): void;
}

async function open(at: TestApi, who: Credential, last?: string, query = ''): Promise<Stream> {
  const abort = new AbortController();
  const response = await fetch(`${at.url}/live${query}`, {
    headers: {
      ...who.headers,
      accept: 'text/event-stream',
      ...(last !== undefined && { 'last-event-id': last }),
    },
    signal: abort.signal,
  });
  let text = '';
  let isOver = false;
  void (async () => {
    for await (const bytes of response.body!) text += Buffer.from(bytes).toString();
  })()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  return { response, text: () => text, isOver: () => isOver, close: () => abort.abort() };
}

const topicsOf = (text: string): string[][] =>
  [...text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json!).topics);
const lastIdOf = (text: string): string => [...text.matchAll(/^id: (.+)$/gm)].at(-1)![1]!;

const insertJob = (account: Account) =>
  api.db.pool.query(
    `insert into jobs (workspace_id, kind, payload, queued_at) values ($1, 'scores', '{}', $2)`,
    [account.workspaceId, api.clock.now()],
  );

test('a change is sent to the streams of its workspace, at every process', async () => {
  const [ann, bob] = [await api.signUp(), await api.signUp()];
  const streams = [await open(api, ann), await open(other, ann), await open(api, bob)];
  const [here, there, foreign] = streams as [Stream, Stream, Stream];
  expect(here.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await until(() => streams.every(({ text }) => topicsOf(text()).length === 1));
  expect(topicsOf(here.text())).toEqual([[]]);

  await insertJob(ann);
  await until(() => [here, there].every(({ text }) => topicsOf(text()).length === 2));
  expect([here, there].map(({ text }) => topicsOf(text())[1])).toEqual([['jobs'], ['jobs']]);

  const { id: appId } = await insertApp(api, bob);
  await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: appId }, body: { keywords: [{ phrase: 'habit', country: 'us' }] } },
    bob,
  );
  await until(() => topicsOf(foreign.text()).length > 1);
  expect(topicsOf(foreign.text()).flat()).toEqual(expect.arrayContaining(['jobs', 'positions']));
  expect(topicsOf(here.text())).toHaveLength(2);
  for (const stream of streams) stream.close();
});

test('a client that reconnects learns what it missed, at any process', async () => {
  const ann = await api.signUp();
  const first = await open(api, ann);
  await until(() => first.text().includes('\n\n'));
  first.close();
  await insertJob(ann);
  const again = await open(other, ann, lastIdOf(first.text()));
  await until(() => again.text().includes('\n\n'));
  expect(topicsOf(again.text())).toEqual([['jobs']]);
  again.close();
  // A browser repeats the address, and its header has the newer id.
  const [before, now] = [first, again].map(({ text }) => lastIdOf(text()));
  const repeated = await open(other, ann, now, `?since=${before}`);
  await until(() => repeated.text().includes('\n\n'));
  expect(topicsOf(repeated.text())).toEqual([[]]);
  repeated.close();
  const unknown = await open(other, ann, 'of-another-version');
  await until(() => unknown.text().includes('\n\n'));
  expect(topicsOf(unknown.text())).toEqual([['runs', 'jobs', 'positions', 'events']]);
  unknown.close();
});

test('a stream ends once its session has ended', async () => {
  const ann = await api.signUp();
  const stream = await open(api, ann);
  await until(() => stream.text().includes('\n\n'));
  await api.db.pool.query('delete from sessions where user_id = $1', [ann.ctx.actor.userId]);
  await insertJob(ann);
  await until(() => stream.isOver());
  expect(topicsOf(stream.text())).toEqual([[]]);
  expect((await api.raw('/live', {}, ann)).status).toBe(401);
});

test('without the Accept header of a stream the response ends after the first event', async () => {
  const ann = await api.signUp();
  const { status, text } = await api.raw('/live', {}, ann);
  expect([status, topicsOf(text)]).toEqual([200, [[]]]);
  await insertJob(ann);
  const since = await api.raw(`/live?since=${lastIdOf(text)}`, {}, ann);
  expect(topicsOf(since.text)).toEqual([['jobs']]);
});

test('an account has ten streams at most, and a closed one counts no longer', async () => {
  const ann = await api.signUp();
  const streams = await Promise.all(Array.from({ length: 10 }, () => open(api, ann)));
  expect(streams.map(({ response }) => response.status)).toEqual(Array(10).fill(200));
  await until(() => streams.every(({ text }) => text().includes('\n\n')));
  expect(streams[0]!.text()).toMatch(/^retry: 5000\n/);
  await insertJob(ann);
  // An eleventh learns what has changed, and its browser asks again later.
  const last = lastIdOf(streams[0]!.text());
  const eleventh = await open(api, ann, last);
  await until(() => eleventh.isOver());
  expect(eleventh.response.status).toBe(200);
  expect(eleventh.text()).toMatch(/^retry: 30000\n/);
  expect(topicsOf(eleventh.text())).toEqual([['jobs']]);
  streams[0]!.close();
  await until(async () => {
    const stream = await open(api, ann);
    streams.push(stream);
    await until(() => stream.text().includes('\n\n'));
    return stream.text().startsWith('retry: 5000');
  });
  for (const { close } of streams) close();
});

test('of thirty streams that one account opens at once ten are opened', async () => {
  const ann = await api.signUp();
  const streams = await Promise.all(Array.from({ length: 30 }, () => open(api, ann)));
  await until(() => streams.every(({ text }) => text().includes('\n\n')));
  await until(() => streams.filter(({ isOver }) => isOver()).length >= 20);
  expect(streams.filter(({ isOver }) => !isOver())).toHaveLength(10);
  for (const { close } of streams) close();
});

test('a stream that cannot be opened does not count', async () => {
  const ann = await api.signUp();
  let isDown = true;
  const failing = await startApi({
    db: api.db,
    deps: { authSecret: api.authSecret },
    services: {
      systemDb: api.services.systemDb.withPlugin({
        transformQuery: ({ node }) => {
          if (isDown && JSON.stringify(node).includes('list-live-states')) throw new Error('down');
          return node;
        },
        transformResult: async ({ result }) => result,
      }),
    },
  });
  const open10 = () => Promise.all(Array.from({ length: 10 }, () => open(failing, ann)));
  expect((await open10()).map(({ response }) => response.status)).toEqual(Array(10).fill(500));
  isDown = false;
  const streams = await open10();
  expect(streams.map(({ response }) => response.status)).toEqual(Array(10).fill(200));
  for (const { close } of streams) close();
  failing.app.server.closeAllConnections();
  await failing.close();
});

test('streams do not delay the end of a process', async () => {
  const ending = await startApi({ db: api.db, deps: { authSecret: api.authSecret } });
  const stream = await open(ending, await api.signUp());
  await until(() => stream.text().includes('\n\n'));
  await ending.close();
  await until(() => stream.isOver());
});
