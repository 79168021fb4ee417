import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, utcDayOf } from '#lib/dates.ts';
import type { Credential } from '../harness/api.ts';
import { until } from '../harness/load-recorder.ts';
import { endsCredential, examplesOf } from '../harness/openapi-examples.ts';
import {
  nearValidRequests,
  validRequests,
  type GeneratedRequest,
} from '../harness/openapi-requests.ts';
import { createSender, type Sender } from '../harness/openapi-sender.ts';
import { startWorld, type FilledAccount, type World } from '../harness/openapi-world.ts';
import type { Described } from '../harness/openapi.ts';
import { reportFigures, trackProgress } from '../harness/progress.ts';

/** Requests for each operation in a round. */
const each = process.env.TORTURE ? 4 : 1;
const least = process.env.TORTURE ? 20_000 : 150;
/** TORTURE_SEED repeats a run. */
const seed = Number(
  process.env.TORTURE_SEED ?? (process.env.TORTURE ? Date.now() % 1_000_000_000 : 41),
);
let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

interface Attempt {
  operation: Described;
  request: GeneratedRequest;
  who: 'session' | 'token' | 'reader' | 'nobody';
}

/** Half of them are valid by the document, half have one error. */
function attemptsOf(operation: Described, account: FilledAccount): fc.Arbitrary<Attempt> {
  const { description } = world;
  const hints = examplesOf(world, account);
  const who = fc.constantFrom<Attempt['who']>(
    ...Array.from({ length: 6 }, () => ['session', 'token'] as const).flat(),
    'reader',
    'nobody',
  );
  const request = fc.oneof(
    validRequests(description, operation, hints),
    nearValidRequests(description, operation, hints),
  );
  return fc.record({ operation: fc.constant(operation), request, who });
}

/** Destructive operations come last. */
const removesAccess = ({ operation }: Attempt): boolean =>
  operation.method === 'DELETE' || operation.path.startsWith('/workspace/members/');

async function credentialOf(
  { operation, who }: Attempt,
  account: FilledAccount,
): Promise<Credential | null> {
  if (who === 'nobody' || operation.rateClass === 'auth') return null;
  if (endsCredential.has(operation.key)) return world.api.signUp();
  return who === 'session' ? account : account[who];
}

async function playRound(round: number, sender: Sender): Promise<Record<string, number>> {
  const account = await world.createFilledAccount();
  const sampled = world.description.operations.flatMap((operation, index) =>
    fc.sample(attemptsOf(operation, account), {
      seed: seed + 1_000 * round + index,
      numRuns: each,
    }),
  );
  const responses: Record<string, number> = {};
  for (const attempt of sampled.toSorted(
    (a, b) => Number(removesAccess(a)) - Number(removesAccess(b)),
  )) {
    const { status } = await sender.send(
      attempt.operation,
      attempt.request,
      await credentialOf(attempt, account),
    );
    responses[status] = (responses[status] ?? 0) + 1;
  }
  return responses;
}

test(`${least} or more generated requests cause no 500 and no undocumented response`, async () => {
  const sender = createSender(world);
  const tally = new Map<string, number>();
  const total = () => [...tally.values()].reduce((sum, count) => sum + count, 0);
  const part = { name: 'generated requests', total: least, limitMs: 1_200_000 };
  await trackProgress(part, async ({ add }) => {
    for (let round = 0; total() < least; round += 1) {
      const responses = await playRound(round, sender);
      for (const [status, count] of Object.entries(responses))
        tally.set(status, (tally.get(status) ?? 0) + count);
      add(Object.values(responses).reduce((sum, count) => sum + count, 0));
    }
  });
  reportFigures(4, {
    seed,
    requests: total(),
    ...Object.fromEntries([...tally].map(([status, count]) => [`status ${status}:`, count])),
  });
  expect(sender.faults.slice(0, 20)).toEqual([]);
  // The test would find nothing if all were refused, or all accepted.
  const share = (from: number) =>
    [...tally]
      .filter(([status]) => Math.floor(Number(status) / 100) === from)
      .reduce((sum, [, count]) => sum + count, 0) / total();
  expect([share(2) > 0.2, share(4) > 0.2]).toEqual([true, true]);
  const met = new Set([...sender.seen].map((text) => text.slice(0, text.lastIndexOf(' '))));
  expect(
    world.description.operations.filter(({ key }) => !met.has(key)).map(({ key }) => key),
  ).toEqual([]);
}, 1_260_000);

test('a score job ends although its keyword is paused and resumed while it waits', async () => {
  const { api, pipeline } = world;
  const account = await api.signUp();
  const { app } = await api.ok(
    'POST /apps',
    { body: { store: 'android', storeAppId: 'app.lumen.habits' } },
    account,
  );
  const body = { phrases: ['a phrase of nobody else'], countries: ['us'] };
  const { added } = await api.ok(
    'POST /apps/{id}/keywords',
    { params: { id: app.id }, body },
    account,
  );
  const params = { keywordId: added[0]!.id };
  const nextDay = () => pipeline.runDay(addDays(utcDayOf(pipeline.clock.now()), 1));
  const score = async () =>
    (await api.ok('POST /keywords/{keywordId}/score', { params }, account)).job.id;
  const untilDone = (jobId: number) =>
    until(
      async () => {
        await pipeline.tick();
        return (
          (await api.ok('GET /jobs/{jobId}', { params: { jobId } }, account)).state === 'succeeded'
        );
      },
      60_000,
      'the job to end',
    );
  await nextDay();
  await untilDone(await score());
  // Hints are fetched once in seven days: there are none on one of the next two days.
  await nextDay();
  await nextDay();
  const again = await score();
  for (const paused of [true, false])
    await api.ok('PATCH /keywords/{keywordId}', { params, body: { paused } }, account);
  await untilDone(again);
});
