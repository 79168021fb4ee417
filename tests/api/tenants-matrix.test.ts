import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { utcDayOf } from '#lib/dates.ts';
import { exportKind } from '#contract/exports.ts';
import type { Account, Credential, RawResponse } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { examplesOf } from '../harness/openapi-examples.ts';
import { validRequests, type GeneratedRequest } from '../harness/openapi-requests.ts';
import { createSender, type Sender } from '../harness/openapi-sender.ts';
import type { Hints } from '../harness/openapi-values.ts';
import {
  prefixesOf,
  startWorld,
  type FilledAccount,
  type World,
} from '../harness/openapi-world.ts';
import type { Described } from '../harness/openapi.ts';
import { describeTables } from './keywords.fixtures.ts';

keepOrder('the newcomer moves the clock, so it comes last');

const absent = 2_147_483_000;
const maxTries = 60;
const isLong = process.env.TORTURE !== undefined;
/** Requests for each id in a query or a body. */
const triesForId = isLong ? 12 : 3;
let world: World;
let ann: FilledAccount;
let bob: FilledAccount;
let sender: Sender;

/** Two workspaces that track the same listings; their ids differ in size. */
beforeAll(async () => {
  world = await startWorld();
  ann = await world.createFilledAccount();
  await world.api.db.pool.query(
    "select setval(format('%I.%I', schemaname, sequencename), coalesce(last_value, min_value) + " +
      "1700000) from pg_sequences where schemaname = 'public'",
  );
  bob = await world.createFilledAccount();
  ann.ids = await world.findIds(ann);
  sender = createSender(world);
  // The first use of a token is written; later ones in that minute are not.
  for (const credential of [ann.token, ann.reader])
    await world.api.ok('GET /workspace', null, credential);
});
afterAll(() => world.close());

const policyOf = ({ key }: Described): Operation => (operations as Record<string, Operation>)[key]!;
/** Tokens only in the long form: tenants.test.ts compares every operation for each credential. */
const credentials = (): [string, Credential][] => {
  const tokens: [string, Credential][] = [
    ['token', ann.token],
    ['read-only token', ann.reader],
  ];
  return [['session', ann], ...(isLong ? tokens : [])];
};

/** Values that are equal for everybody or only for operators, and values that are no ids. */
const shared = new Set([
  '/admin/workspaces/{id}',
  '/runs/{date}',
  '/apps/{id}/exports/{kind}',
  '/workspace/imports/parts/{part}',
  '/popularity/imports/{importId}',
  '/popularity/imports/parts/{part}',
  '/history-imports/{importId}/parts/{part}',
  '/popularity/quarantine/{setId}',
  '/auth/invites/{token}',
]);
const closedOf = ({ path }: Described): string[] =>
  prefixesOf(path).filter((prefix) => !shared.has(prefix));

function foreignIdOf(prefix: string): string | number {
  const own = new Set(ann.ids.get(prefix));
  const theirs = (bob.ids.get(prefix) ?? []).find((id) => !own.has(id));
  if (theirs === undefined)
    throw new Error(`${prefix}: the other workspace has none of its own; let startWorld make one`);
  return theirs;
}

const sample = (operation: Described, seed: number, hints: Hints): GeneratedRequest =>
  fc.sample(validRequests(world.description, operation, hints), { seed, numRuns: 1 })[0]!;

/** A response without what differs between any two requests, and with the requested id replaced. */
function bare(response: RawResponse, id: string | number): object {
  const { path, timestamp, ...body } = (response.body ?? {}) as Record<string, unknown>;
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !['date', 'content-length', 'etag'].includes(name)),
  );
  const text = JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return {
    status: response.status,
    headers,
    text: text.replaceAll(String(id), String(absent)),
    types: [typeof path, typeof timestamp],
  };
}

describe('another workspace’s id', () => {
  test('in a path gets exactly the 404 of an unknown id, and nothing is written', async () => {
    const before = await describeTables(world.api);
    const open: string[] = [];
    for (const operation of world.description.operations)
      for (const prefix of closedOf(operation))
        for (const [name, who] of credentials())
          open.push(...(await compareInPath(operation, prefix, name, who)));
    expect(open).toEqual([]);
    expect(await describeTables(world.api)).toEqual(before);
  });

  async function compareInPath(
    operation: Described,
    prefix: string,
    name: string,
    who: Credential,
  ): Promise<string[]> {
    const member = prefix.slice(prefix.lastIndexOf('{') + 1, -1);
    const mayTry =
      (name !== 'read-only token' || operation.readOnlyToken) &&
      !(policyOf(operation).sessionOnly && name !== 'session');
    for (let tries = 0; tries < maxTries; tries += 1) {
      const request = sample(operation, 41 + tries, examplesOf(world, ann));
      const ask = (id: string | number) =>
        sender.send(
          operation,
          { ...request, path: { ...request.path, [member]: String(id) } },
          who,
        );
      const theirs = await ask(foreignIdOf(prefix));
      if (theirs.status === 400) continue;
      const nobodys = await ask(
        typeof foreignIdOf(prefix) === 'number' ? absent : 'nobody-has-this',
      );
      const same = JSON.stringify(bare(theirs, absent)) === JSON.stringify(bare(nobodys, absent));
      return same && theirs.status === (mayTry ? 404 : 403)
        ? []
        : [
            `${operation.key} ${prefix} ${name}: ${theirs.status} ${theirs.text} or ` +
              `${nobodys.text}`,
          ];
    }
    return [`${operation.key}: no request gets as far as looking for its id`];
  }

  /** Names of ids in queries and bodies, with the paths that have such an id. */
  const named: Record<string, string> = {
    appId: '/apps/{id}',
    appIds: '/apps/{id}',
    linkedAppId: '/apps/{id}',
    keywordId: '/keywords/{keywordId}',
    keywordIds: '/keywords/{keywordId}',
    competitorId: '/apps/{id}/competitors/{cid}',
    tokenId: '/tokens/{id}',
    workspaceId: '/admin/workspaces/{id}',
    ids: '/keywords/{keywordId}',
  };

  test('in a query or a body acts like an unknown id, and changes no foreign row', async () => {
    const before = await describeRowsOf(bob.workspaceId);
    const open: string[] = [];
    let compared = 0;
    for (const operation of world.description.operations) {
      const text = JSON.stringify([
        operation.parameters.filter((parameter) => parameter.in === 'query'),
        operation.body,
      ]);
      const names = Object.keys(named).filter(
        (name) => text.includes(`"${name}"`) || mentions(operation, name),
      );
      for (const name of names) {
        const prefix = operation.path === '/actions/bulk' ? '/actions/{id}' : named[name]!;
        const foreign = name === 'workspaceId' ? bob.workspaceId : foreignIdOf(prefix);
        const hintsWith = (id: string | number): Hints => {
          const own = examplesOf(world, ann);
          return (key, member) =>
            member === name ? [id] : member === '' ? undefined : own(key, member);
        };
        for (let tries = 0; tries < triesForId; tries += 1) {
          const [theirs, nobodys] = [foreign, absent].map((id) =>
            sample(operation, 41 + tries, hintsWith(id)),
          );
          if (!JSON.stringify(theirs).includes(String(foreign))) continue;
          const responses = [
            await sender.send(operation, theirs!, ann),
            await sender.send(operation, nobodys!, ann),
          ];
          compared += 1;
          const [one, other] = [bare(responses[0]!, foreign), bare(responses[1]!, absent)].map(
            (shape) => JSON.stringify(shape).replace(/"\w*[iI]d\\":\d+/g, ''),
          );
          if (one !== other) open.push(`${operation.key} ${name}\n  ${one}\n  ${other}`);
        }
      }
    }
    expect(open.slice(0, 10)).toEqual([]);
    expect(compared).toBeGreaterThan(isLong ? 80 : 20);
    expect(await describeRowsOf(bob.workspaceId)).toEqual(before);
  });

  /** Also through the document's named schemas. */
  function mentions(operation: Described, name: string): boolean {
    const refs = JSON.stringify(operation.body ?? {}).match(/schemas\/\w+/g) ?? [];
    return refs.some((ref) =>
      JSON.stringify(world.description.schemas[ref.slice(8)]).includes(`"${name}"`),
    );
  }

  async function describeRowsOf(workspaceId: number): Promise<Record<string, string>> {
    const { pool } = world.api.db;
    const { rows } = await pool.query(
      'select table_name as name from information_schema.columns where table_schema = ' +
        "'public' and column_name = 'workspace_id'",
    );
    const state = (name: string) =>
      `(select count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) from ` +
      `"${name}" t where workspace_id = $1)`;
    const text = rows
      .map(({ name }) => `select '${name}' as name, ${state(name)} as state`)
      .join(' union all ');
    const found = await pool.query({ name: 'rows-of-workspace', text, values: [workspaceId] });
    return Object.fromEntries(found.rows.map((row) => [row.name, row.state]));
  }
});

describe('a workspace that tracks what others track already', () => {
  /** Instants that stores publish, or that belong to the instance. */
  const published = [
    'releasedAt',
    'updatedAt',
    'reviewedAt',
    'knownFrom',
    'at',
    'startedAt',
    'finishedAt',
    'probedAt',
    'startsAt',
    'completesAt',
  ];

  test('is shown no instant from before it began, and nothing before its check', async () => {
    const { api, pipeline } = world;
    pipeline.clock.advance(3_600_000);
    const began = pipeline.clock.now();
    const late = await api.signUp();
    await track(late);
    const before = await crawl(late, /rankings|keywords|serp|overview|visibility/);
    const known = before.texts.filter(
      ({ path, text }) =>
        /^\/keywords\/\d+\/serp$/.test(path) || /"state":"(ranked|not_found)"/.test(text),
    );
    expect(known).toEqual([]);
    const date = utcDayOf(began);
    const run = () => api.ok('GET /runs/{date}', { params: { date } }, late);
    expect((await run()).done).toBe(0);
    pipeline.clock.advance(60_000);
    await pipeline.runUntilIdle();
    const after = await crawl(late, /./);
    const { planned, done } = await run();
    expect([planned > 0, done]).toEqual([true, planned]);
    const early = [...before.instants, ...after.instants].filter(
      ({ name, at }) => at < began.toISOString() && !published.includes(name),
    );
    expect(early).toEqual([]);
    expect(after.instants.length).toBeGreaterThan(100);
  });

  /** The apps, phrases and competitors of the others. */
  async function track(late: Account): Promise<void> {
    const { items } = await world.api.ok('GET /apps', null, ann);
    for (const { id, store, storeAppId } of items) {
      const { app } = await world.api.ok('POST /apps', { body: { store, storeAppId } }, late);
      const params = { id: app.id };
      const body = { phrases: [...world.phrases], countries: ['us', 'de'] };
      await world.api.ok('POST /apps/{id}/keywords', { params, body }, late);
      const competitors = await world.api.ok('GET /apps/{id}/competitors', { params: { id } }, ann);
      for (const { storeAppId } of competitors.items)
        await world.api.ok('POST /apps/{id}/competitors', { params, body: { storeAppId } }, late);
    }
  }

  /** Every GET of the API with each id, and the instants in the responses by their names. */
  async function crawl(late: Account, which: RegExp) {
    const ids = await world.findIds(late);
    const paths = world.description.operations
      .filter(({ key, rateClass }) => key.startsWith('GET ') && rateClass === 'read')
      .flatMap(({ path }) => expand(path, ids))
      .filter((path) => which.test(path));
    const responses = await Promise.all(
      paths.map(async (path) => ({ path, text: (await world.api.raw(path, {}, late)).text })),
    );
    const texts = responses.filter(({ text }) => !text.startsWith('{"statusCode"'));
    const instants = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/"(\w+)":"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g)].map(([, name, at]) => ({
        path,
        name: name!,
        at: at!,
      })),
    );
    return { texts, instants };
  }

  /** The addresses of a path with every id, with gaps where a list has them. */
  function expand(path: string, ids: FilledAccount['ids']): string[] {
    const [prefix] = prefixesOf(path);
    if (prefix === undefined) return [path];
    const values =
      path.includes('/exports/{kind}') && prefix !== '/apps/{id}' ? [] : ids.get(prefix);
    return (values ?? []).slice(0, 6).flatMap((id) => {
      const rest = path.replace(/\{\w+\}/, String(id));
      const nested = new Map(
        [...ids].map(([key, found]) => [key.replace(/\{\w+\}/, String(id)), found]),
      );
      const kinds = rest.endsWith('/exports/{kind}')
        ? exportKind.options.map((kind) => rest.replace('{kind}', kind))
        : expand(rest, nested);
      return kinds.flatMap((one) =>
        /\/(rankings|category-ranks)$/.test(one) ? [one, `${one}?fill=gaps`] : [one],
      );
    });
  }
});

test('none of these responses violated the contract', () => {
  expect(sender.faults).toEqual([]);
});
