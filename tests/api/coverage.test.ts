import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#contract/index.ts';
import type { Operation } from '#contract/operation.ts';
import { bodyBytesMax } from '#contract/body-limits.ts';
import { startApi, type Account, type Credential, type TestApi } from '../harness/api.ts';
import { keepOrder } from '../harness/keep-order.ts';
import { draw, isLong } from '../harness/short-form.ts';
import { endsCredential, examplesOf } from '../harness/openapi-examples.ts';
import {
  nearValidRequests,
  validRequests,
  type GeneratedRequest,
} from '../harness/openapi-requests.ts';
import { createSender, show, type Sender } from '../harness/openapi-sender.ts';
import { startWorld, type FilledAccount, type World } from '../harness/openapi-world.ts';
import type { Described, Schema } from '../harness/openapi.ts';
import { describeTables } from './keywords.fixtures.ts';

keepOrder(
  'requests that destroy come last, and the last test looks at the responses to all of them',
);

const seed = Number(process.env.TORTURE_SEED ?? 41);
/** The short form draws operations for each refusal that is no matter of access. */
const drawnShare = 0.3;
const maxTries = 60;
/** Bad requests for each operation that writes. */
const refusedEach = isLong ? 12 : 2;
let world: World;
let ann: FilledAccount;
let sender: Sender;
let all: Described[];

beforeAll(async () => {
  world = await startWorld();
  all = world.description.operations;
  ann = await world.createFilledAccount();
  sender = createSender(world);
});
afterAll(() => world.close());

const policyOf = ({ key }: Described): Operation => (operations as Record<string, Operation>)[key]!;
const isOpen = ({ rateClass }: Described) => rateClass === 'auth';
const isHidden = (operation: Described) => policyOf(operation).hidden === true;
const sample = (operation: Described, offset = 0, account = ann): GeneratedRequest =>
  fc.sample(validRequests(world.description, operation, examplesOf(world, account)), {
    seed: seed + offset,
    numRuns: 1,
  })[0]!;

interface Refusal {
  as?: Credential | null;
  on?: TestApi;
  how?: (request: GeneratedRequest, operation: Described) => GeneratedRequest;
  /** Rate limits apply after authentication, so keys are generated until one is valid. */
  isLate?: boolean;
  /** Asked of every operation in the short form, too. */
  isAccess?: boolean;
}

let refusals = 0;

/** Calls every operation and returns those whose response is not the expected one. */
async function refuse(
  which: Described[],
  status: number,
  { as = ann, on, how = (request) => request, isLate, isAccess }: Refusal,
): Promise<string[]> {
  const strange: string[] = [];
  refusals += 1;
  const asked = isAccess
    ? which
    : draw(`refusal ${refusals}`, Math.ceil(which.length * drawnShare), which);
  for (const operation of asked) {
    const isUnauthenticated = as === null || on !== undefined;
    const expected =
      isHidden(operation) && isUnauthenticated && status > 400 && status < 500 ? 404 : status;
    let problem = '';
    for (let tries = 0; tries < (isLate ? maxTries : 1); tries += 1) {
      const request = how(sample(operation, tries), operation);
      const response = await sender.send(operation, request, as, on);
      problem =
        response.status === expected
          ? ''
          : `${show(request).slice(0, 200)} → ${response.status} ${response.text.slice(0, 160)}`;
      if (problem === '') break;
    }
    if (problem !== '') strange.push(problem);
  }
  return strange;
}
const changes = ({ method }: Described) => method !== 'GET';
const sharing = () => ({
  db: world.api.db,
  clock: world.api.clock,
  deps: { authSecret: world.api.authSecret },
});
const inBody =
  (body: string, mediaType = 'application/json') =>
  (request: GeneratedRequest) => ({ ...request, body, mediaType });
/** The board is a page of another package behind our access checks. */
const isBoard = ({ path }: Described) => path === '/admin/queues';

describe('every operation refuses', () => {
  test('requests without credentials with 401, or 404 for hidden paths', async () => {
    expect(
      await refuse(
        all.filter((one) => !isOpen(one)),
        401,
        { as: null, isAccess: true },
      ),
    ).toEqual([]);
  });

  test('unknown members in the query and in the body with 400', async () => {
    const inQuery = (request: GeneratedRequest): GeneratedRequest => ({
      ...request,
      query: [...request.query, ['surely_unknown', '1']],
    });
    expect(
      await refuse(
        all.filter((one) => !isBoard(one)),
        400,
        { how: inQuery },
      ),
    ).toEqual([]);
    // Others read JSON.
    const isJson = (one: Described) => !policyOf(one).streams;
    const unknown = inBody('{"surely_unknown":1}');
    expect(
      await refuse(
        all.filter((one) => changes(one) && isJson(one)),
        400,
        { how: unknown },
      ),
    ).toEqual([]);
  });

  test('a body of another type with 415, and one that is too large with 413', async () => {
    expect(await refuse(all.filter(changes), 415, { how: inBody('x', 'text/plain') })).toEqual([]);
    const tooLarge = (request: GeneratedRequest, operation: Described) =>
      inBody(`"${'x'.repeat(policyOf(operation).bodyBytesMax ?? bodyBytesMax)}"`)(request);
    expect(await refuse(all.filter(changes), 413, { how: tooLarge })).toEqual([]);
  });

  test('unknown ids with 404, each id of its path by itself', async () => {
    for (const at of [0, 1]) {
      const idOf = ({ parameters }: Described) =>
        parameters.filter(({ in: location, schema }) => location === 'path' && !isListed(schema))[
          at
        ];
      const elsewhere = (request: GeneratedRequest, operation: Described): GeneratedRequest => {
        const { name, schema } = idOf(operation)!;
        return { ...request, path: { ...request.path, [name]: nobodys(name, schema.type) } };
      };
      const named = all.filter((one) => idOf(one) !== undefined);
      expect(await refuse(named, 404, { how: elsewhere, isLate: true })).toEqual([]);
    }
  });

  test('read-only tokens on writes, tokens on session routes, and foreign origins', async () => {
    const closed = all.filter(
      (one) => !isOpen(one) && (!one.readOnlyToken || policyOf(one).sessionOnly),
    );
    expect(await refuse(closed, 403, { as: ann.reader, isAccess: true })).toEqual([]);
    expect(
      await refuse(
        all.filter((one) => policyOf(one).sessionOnly),
        403,
        { as: ann.token, isAccess: true },
      ),
    ).toEqual([]);
    const elsewhere = { headers: { ...ann.headers, 'sec-fetch-site': 'cross-site' } };
    expect(
      await refuse(
        all.filter((one) => changes(one) && !isOpen(one)),
        403,
        { as: elsewhere, isAccess: true },
      ),
    ).toEqual([]);
  });
});

const nobodys = (name: string, type: unknown): string =>
  type === 'integer' ? '2147483000' : name === 'date' ? '2031-01-01' : 'nobody';
/** One of a few names, or the number of a part: not an id. */
const isListed = ({ $ref, enum: names, maximum }: Schema): boolean =>
  names !== undefined ||
  Number(maximum) < 100_000 ||
  world.description.schemas[$ref?.split('/').at(-1) ?? '']?.enum !== undefined;

describe('every operation reports', () => {
  test('the end of the plan (402), except for reading, revoking access and paying', async () => {
    const billed = await startApi({ ...sharing(), settings: { billingEnabled: true } });
    const lapsed = await billed.signUp({ state: 'lapsed' });
    const goesOn = ({ sessionOnly, grantsAccess, revokesAccess, metered }: Operation) =>
      (sessionOnly && !grantsAccess) || revokesAccess || metered;
    const paid = all.filter(
      (one) => !isOpen(one) && one.rateClass !== 'read' && !goesOn(policyOf(one)),
    );
    expect(await refuse(paid, 402, { on: billed, as: lapsed })).toEqual([]);
    await billed.close();
  });

  test('a suspension (403), except for reading, paying and the own account', async () => {
    const suspended = await world.api.signUp({ state: 'suspended' });
    const goesOn = ({ allowedInAnyState, metered }: Operation) => allowedInAnyState || metered;
    const refused = all.filter(
      (one) => !isOpen(one) && !isHidden(one) && one.rateClass !== 'read' && !goesOn(policyOf(one)),
    );
    expect(refused.filter(({ rateClass }) => rateClass === 'store').length).toBeGreaterThan(8);
    expect(await refuse(refused, 403, { as: suspended })).toEqual([]);
    const restored = await world.api.call('POST /workspace/restore', null, suspended);
    expect([restored.status, restored.body.code]).toEqual([403, 'workspace_suspended']);
  });

  test('too many rejected credentials (429)', async () => {
    const throttled = await startApi({ ...sharing(), settings: { billingEnabled: true } });
    const from = { 'x-forwarded-for': '127.240.0.1' };
    for (let times = 0; times < 120; times += 1)
      await throttled.raw(
        '/errors',
        { headers: from },
        { headers: { authorization: 'Bearer toprung_dead' } },
      );
    const known = all.filter((one) => !isOpen(one) && !isHidden(one));
    expect(
      await refuse(known, 429, { on: throttled, as: { headers: { ...ann.headers, ...from } } }),
    ).toEqual([]);
    await throttled.close();
  });

  test('a full queue (500), if it enqueues', async () => {
    const services = {
      ...world.pipeline.runtime.services,
      queueCapacity: { usedBytes: () => Promise.resolve(100), capBytes: 100 },
    };
    const full = await startApi({ ...sharing(), services });
    expect(
      await refuse(
        all.filter((one) => policyOf(one).enqueues),
        500,
        { on: full, isLate: true },
      ),
    ).toEqual([]);
    await full.close();
  });
});

test('refused requests write nothing', async () => {
  const accepted: string[] = [];
  const before = await describeTables(world.api);
  for (const operation of all.filter((one) => changes(one) && !isOpen(one))) {
    const bad = fc.sample(nearValidRequests(world.description, operation, examplesOf(world, ann)), {
      seed,
      numRuns: 4 * refusedEach,
    });
    for (const request of bad.filter(({ invalid }) => invalid !== null).slice(0, refusedEach)) {
      const { status } = await sender.send(operation, request, ann);
      if (status < 400) accepted.push(show(request));
    }
  }
  expect(accepted).toEqual([]);
  expect(await describeTables(world.api)).toEqual(before);
});

describe('each operation', () => {
  test('returns every documented response to requests from its own description', async () => {
    const removing = all.filter(({ key }) => key.startsWith('DELETE') || endsCredential.has(key));
    const others = all
      .filter((one) => !removing.includes(one))
      .toSorted((a, b) => Number(changes(a)) - Number(changes(b)));
    // Some operations depend on another: a resolved action can be snoozed once it is open again.
    const missing = await reach((await reach(others)).map(({ operation }) => operation));
    const unreached = [...missing, ...(await reach(removing))];
    expect(unreached.map(({ operation, last }) => `${operation.key}\n  ${last}`)).toEqual([]);
  });

  async function reach(which: Described[]): Promise<{ operation: Described; last: string }[]> {
    const missing: { operation: Described; last: string }[] = [];
    for (const operation of which) {
      const expected = Object.keys(policyOf(operation).responses).filter(
        (status) => Number(status) < 300,
      );
      const isDone = () =>
        expected.every((status) => sender.seen.has(`${operation.key} ${status}`));
      let last = '';
      for (let tries = 0; tries < maxTries && !isDone(); tries += 1) {
        const who = await callersFor(operation);
        const request = sample(operation, tries, { ...ann, ...who });
        const response = await sender.send(operation, request, who);
        last = `${show(request).slice(0, 300)} → ${response.status} ${response.text.slice(0, 200)}`;
      }
      if (!isDone()) missing.push({ operation, last });
    }
    return missing;
  }

  /** Operations that end a session or a workspace run as a user who is not needed later. */
  async function callersFor(operation: Described): Promise<Account | null> {
    if (endsCredential.has(operation.key)) return world.api.signUp();
    return isOpen(operation) ? null : ann;
  }
});

test('all of these responses matched the document', () => {
  expect(sender.seen.size).toBeGreaterThan(all.length * (isLong ? 5 : 2));
  expect(sender.faults).toEqual([]);
});
