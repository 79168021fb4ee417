import type { z } from 'zod';
import type { action } from '#contract/actions.ts';
import type { EventObject } from '#contract/events.ts';
import type { Overrides, WorldOptions, FaultRule } from '#simulator/server.ts';
import { startApi, type Account, type TestApi } from './api.ts';
import { startPipeline, type Pipeline } from './pipeline.ts';
import { startReceiver, type Received, type Receiver } from './receiver.ts';

export type Action = z.output<typeof action>;
type StoreName = 'ios' | 'android';

/** The deliveries of a webhook, with their virtual instants. */
export interface Sent extends Received {
  at: Date;
  status: number;
}

export interface Endpoint {
  id: number;
  url: string;
  secret: string;
  events: EventObject['type'][];
}

export interface Month {
  pipeline: Pipeline;
  api: TestApi;
  /** The paths of the receiver that respond with 503 now. */
  down: Set<string>;
  sent(path: string): Sent[];
  /** A person with a new workspace and a token: a session would expire meanwhile. */
  join(): Promise<Account>;
  /** A webhook of the account to a path of the receiver, with the secret that was shown. */
  listen(
    account: Account,
    path: string,
    events: EventObject['type'][],
    format?: 'slack',
  ): Promise<Endpoint>;
  trackApp(
    account: Account,
    app: { store: StoreName; storeAppId: string },
    country: string,
    phrases: readonly string[],
  ): Promise<Tracked>;
  /**
   * The day's run, the minutes after it and noon; a day on which a store is down ends with its run.
   */
  simulateDay(day: string, faults: FaultRule[]): Promise<void>;
  events(account: Account): Promise<EventObject[]>;
  actions(account: Account): Promise<Action[]>;
  close(): Promise<void>;
}

export interface Tracked {
  id: number;
  keywordIds: Map<string, number>;
}

/** The real pipeline, the real API over it and a real receiver, on virtual days. */
export async function startMonth(options: {
  day: string;
  world: WorldOptions;
  overrides: Overrides;
}): Promise<Month> {
  const { day, world, overrides } = options;
  const pipeline = await startPipeline({
    day,
    simulator: { world },
    environment: { WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' },
  });
  const { simulator, clock, db } = pipeline;
  simulator.addOverrides(overrides);
  const api = await startApi({ db, clock, services: pipeline.runtime.services });
  const down = new Set<string>();
  const sent: Sent[] = [];
  const receiver = await startRecordingReceiver(sent, { down, now: () => clock.now() });
  return {
    pipeline,
    api,
    down,
    sent: (path) => sent.filter((one) => one.path === path),
    join: async () => {
      const account = await api.signUp();
      return { ...account, headers: (await api.token(account)).headers };
    },
    listen: async (account, path, events, format) => {
      const body = { url: `${receiver.url}${path}`, events, ...(format && { format }) };
      const { id, secret } = await api.ok('POST /webhooks', { body }, account);
      return { id, url: body.url, secret: secret!, events };
    },
    trackApp: (account, app, country, phrases) =>
      trackApp(pipeline, api, account, { ...app, country, phrases }),
    simulateDay: (date, faults) => simulateDay(pipeline, date, faults),
    events: (account) =>
      readAll((cursor) => api.ok('GET /events', { query: { limit: '500', ...cursor } }, account)),
    actions: (account) =>
      readAll((cursor) =>
        api.ok(
          'GET /actions',
          { query: { limit: '500', state: 'open,snoozed,resolved,dismissed', ...cursor } },
          account,
        ),
      ),
    close: async () => {
      await api.close();
      await receiver.close();
      await pipeline.close();
    },
  };
}

async function startRecordingReceiver(
  sent: Sent[],
  { down, now }: { down: ReadonlySet<string>; now: () => Date },
): Promise<Receiver> {
  const receiver = await startReceiver();
  receiver.respond = (response, request) => {
    const status = down.has(request.path) ? 503 : 200;
    sent.push({ ...request, at: now(), status });
    response.writeHead(status).end();
  };
  return receiver;
}

/** Adds an app by its id with its keywords; requests the first search and score of each at once. */
async function trackApp(
  pipeline: Pipeline,
  api: TestApi,
  account: Account,
  {
    store,
    storeAppId,
    country,
    phrases,
  }: { store: StoreName; storeAppId: string; country: string; phrases: readonly string[] },
): Promise<Tracked> {
  const { app } = await api.ok(
    'POST /apps',
    { body: { store, storeAppId, lookupCountry: country } },
    account,
  );
  const body = { phrases: [...phrases], countries: [country] };
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body },
    account,
  );
  for (const { id } of added)
    await api.ok('POST /keywords/{keywordId}/score', { params: { keywordId: id } }, account);
  await pipeline.runUntilIdle();
  return { id: app.id, keywordIds: new Map(added.map((keyword) => [keyword.phrase, keyword.id])) };
}

const minuteMs = 60_000;

/** With a failed search the run lasts hours, and with a store that is down all day. */
async function simulateDay(pipeline: Pipeline, date: string, faults: FaultRule[]): Promise<void> {
  const { simulator, clock } = pipeline;
  simulator.setFaults(faults);
  const isOut = faults.some((rule) => rule.kind === undefined);
  await pipeline.runDay(date, { stepMs: (isOut ? 30 : faults.length > 0 ? 15 : 1) * minuteMs });
  if (clock.now().toISOString().slice(0, 10) !== date) return;
  for (let minute = 0; minute < 4; minute += 1) {
    clock.advance(minuteMs);
    await pipeline.runUntilIdle();
  }
  clock.set(`${date}T12:00:00Z`);
  await pipeline.runUntilIdle();
  // Events of the noon tick are sent by the next one.
  clock.advance(minuteMs);
  await pipeline.runUntilIdle();
}

async function readAll<T>(
  read: (cursor: { cursor?: string }) => Promise<{ items: T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: { items: T[]; nextCursor: string | null } = await read(
      cursor === undefined ? {} : { cursor },
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  }
  return all;
}
