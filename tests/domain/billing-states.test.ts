import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lockListings } from '#db/queries/rankings/markets.ts';
import { reconcileWorkspaces } from '#domain/accounts/billing/reconcile-workspaces.ts';
import {
  graceEndsAt,
  next,
  stateOf,
  transitions,
  type LifecycleEvent,
  type WorkspaceLifecycle,
  type WorkspaceStatus,
} from '#domain/accounts/billing/workspace-status.ts';
import { reconcileWorkspace } from '#domain/accounts/billing/reconcile-workspace.ts';
import { inSystem } from '#domain/base/context.ts';
import { plans } from '#domain/base/plans/plans.ts';
import { markDeleted } from '#domain/accounts/workspaces/delete-workspace.ts';
import { trackMarkets } from '../api/admin.fixtures.ts';
import type { Account, TestApi } from '../harness/api.ts';
import { startAdminApi } from '../harness/admin-api.ts';

const page = readFileSync(new URL('../../docs/workspace-states.md', import.meta.url), 'utf8');
const rowsOf = (pattern: RegExp) => [...page.matchAll(pattern)].map(([, ...cells]) => cells);
/** From, event, to. */
const documented = rowsOf(/^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|$/gm) as [
  WorkspaceStatus,
  LifecycleEvent,
  WorkspaceStatus,
][];
const allowed = new Map(
  rowsOf(/^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\w+) \|$/gm).map(
    ([state, reading, writing, revoking, token, run]) => [
      state,
      {
        reading: Number(reading),
        writing: Number(writing),
        revoking: Number(revoking),
        token: Number(token),
        isVisited: run === 'visits',
      },
    ],
  ),
);

const occurrences: readonly LifecycleEvent[] = [
  'trial_ended',
  'plan_started',
  'plan_ended',
  'suspended',
  'unsuspended',
  'deleted',
  'restored',
];
let api: TestApi;
let operator: Account;

beforeAll(async () => {
  ({ api, operator } = await startAdminApi());
});
afterAll(() => api.close());

/** The document's words for the effect of an event. */
function follow(before: WorkspaceLifecycle, occurrence: LifecycleEvent): WorkspaceLifecycle {
  if (occurrence === 'suspended' || occurrence === 'unsuspended')
    return { ...before, suspended: occurrence === 'suspended' };
  if (occurrence === 'deleted' || occurrence === 'restored')
    return { ...before, deleted: occurrence === 'deleted' };
  return {
    ...before,
    status:
      documented.find(([from, what]) => from === before.status && what === occurrence)?.[2] ??
      before.status,
  };
}

describe('docs/workspace-states.md', () => {
  it('has each transition of the code, and no other', () => {
    const coded = Object.entries(transitions).flatMap(([from, by]) =>
      Object.entries(by).map(([what, to]) => [from, what, to]),
    );
    expect(documented).toEqual(coded);
    expect([...allowed.keys()]).toEqual(['trial', 'live', 'lapsed', 'suspended']);
  });

  it('describes every situation as the code does', () => {
    for (const status of Object.keys(transitions) as WorkspaceStatus[])
      for (const suspended of [false, true])
        for (const deleted of [false, true])
          for (const occurrence of occurrences)
            expect(next({ status, suspended, deleted }, occurrence)).toEqual(
              follow({ status, suspended, deleted }, occurrence),
            );
  });
});

interface Subject extends Account {
  token: { headers: Record<string, string> };
  appId: number;
  marketIds: number[];
}

async function startTrial(): Promise<Subject> {
  // The plan `operator` allows this many requests a minute.
  api.clock.advance(60_000);
  const account = await api.signUp();
  return {
    ...account,
    token: await api.token(account),
    ...(await trackMarkets(api, account, ['one', `of ${account.workspaceId}`])),
  };
}

/** Causes the event as the product does. */
async function happen(subject: Subject, occurrence: LifecycleEvent): Promise<void> {
  const { workspaceId } = subject;
  const params = { id: workspaceId };
  if (occurrence === 'restored') return restore(subject);
  if (occurrence === 'deleted') return erase(subject);
  if (occurrence === 'suspended')
    await api.ok(
      'POST /admin/workspaces/{id}/suspend',
      { params, body: { reason: 'a test' } },
      operator,
    );
  else if (occurrence === 'unsuspended')
    await api.ok('POST /admin/workspaces/{id}/unsuspend', { params }, operator);
  else if (occurrence === 'trial_ended') await endTrial(workspaceId);
  else
    await api.ok(
      'PUT /admin/workspaces/{id}/plan',
      { params, body: { plan: occurrence === 'plan_started' ? 'indie' : null } },
      operator,
    );
}

/** A suspended workspace that nobody deleted has nothing to restore. */
async function restore(subject: Subject): Promise<void> {
  const { suspension, deleteAt } = await api.ok('GET /workspace', null, subject);
  const response = await api.call('POST /workspace/restore', null, subject);
  expect(response.status).toBe(suspension !== null && deleteAt === null ? 403 : 200);
}

/** If it is suspended already, deleting the account of its only member deletes it. */
async function erase(subject: Subject): Promise<void> {
  const { name, state } = await api.ok('GET /workspace', null, subject);
  const response = await api.call('DELETE /workspace', { body: { confirmName: name } }, subject);
  expect([state, response.status]).toEqual([state, state === 'suspended' ? 403 : 200]);
  if (response.status === 403)
    await inSystem(api.services, (tx) =>
      markDeleted(tx, subject.ctx, graceEndsAt(api.clock.now())),
    );
}

async function endTrial(workspaceId: number): Promise<void> {
  const end = new Date(api.clock.now().getTime() + 1_000);
  await api.db.pool.query(
    'update workspaces set trial_ends_at = least(trial_ends_at, $2) where id = $1',
    [workspaceId, end],
  );
  api.clock.advance(1_000);
}

/** Requests of people and tokens. */
async function meet(subject: Subject) {
  const { state, planStatus: status } = await api.ok('GET /billing', null, subject);
  const rename = (as: { headers: Record<string, string> }) =>
    api.call('PATCH /workspace', { body: { name: 'Northlight' } }, as);
  const exported = await api.raw(`/apps/${subject.appId}/exports/keywords`, {}, subject);
  const token = (await api.call('GET /apps', null, subject.token)).status;
  const leaked = await api.token(subject);
  return {
    state,
    status,
    reading: [(await api.call('GET /apps', null, subject)).status, exported.status],
    writing: [
      (await rename(subject)).status,
      token === 401 ? 'unknown' : (await rename(subject.token)).status,
    ],
    revoking: (await api.call('DELETE /tokens/{id}', { params: { id: leaked.id } }, subject))
      .status,
    token,
  };
}

/** The markets that would be searched, among those that no other workspace tracks. */
async function isSearched({ marketIds }: Subject): Promise<boolean> {
  const { rows } = await api.db.pool.query(
    'select depth from market_schedule where market_id = $1',
    [marketIds[1]],
  );
  return rows[0].depth > 0;
}

describe('a workspace in any sequence of events', () => {
  it('has the state, permissions and cost that the page describes', async () => {
    const history = fc.array(fc.constantFrom(...occurrences), { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(history, async (happened) => {
        const subject = await startTrial();
        let situation: WorkspaceLifecycle = { status: 'trial', suspended: false, deleted: false };
        for (const occurrence of happened) {
          await happen(subject, occurrence);
          situation = follow(situation, occurrence);
          const { status, suspended, deleted } = situation;
          const state = suspended || deleted ? 'suspended' : status;
          const { reading, writing, revoking, token, isVisited } = allowed.get(state)!;
          const written = [writing, token === 401 ? 'unknown' : writing];
          expect(await meet(subject)).toEqual({
            state,
            status,
            reading: [reading, reading],
            writing: written,
            revoking,
            token,
          });
          // A plan that ended by time is recorded by the tick.
          await reconcileWorkspaces(api.services);
          expect([occurrence, await isSearched(subject)]).toEqual([occurrence, isVisited]);
          const { rows } = await api.db.pool.query(
            'select status, in_daily_run from workspaces where id = $1',
            [subject.workspaceId],
          );
          expect(rows[0]).toEqual({ status, in_daily_run: isVisited });
        }
        expect(await reconcileWorkspaces(api.services)).toBe(0);
      }),
      { numRuns: process.env.TORTURE ? 100 : 8, seed: Number(process.env.TORTURE_SEED ?? 41) },
    );
  });

  it('ends its trial to the millisecond, whichever process records it', () => {
    const trialEndsAt = new Date('2026-12-05T12:00:00.000Z');
    const at = (ms: number) =>
      stateOf(
        { state: 'trial', trialEndsAt, plan: null },
        new Date(trialEndsAt.getTime() + ms),
        true,
      );
    expect([at(-1), at(0), at(1)]).toEqual(['trial', 'lapsed', 'lapsed']);
  });

  it('continues a trial that a clock which was ahead has ended, without another plan', async () => {
    const [subject, former] = [await startTrial(), await startTrial()];
    for (const plan of ['indie', null] as const)
      await api.ok(
        'PUT /admin/workspaces/{id}/plan',
        { params: { id: former.workspaceId }, body: { plan } },
        operator,
      );
    const now = api.clock.now();
    api.clock.advance(20 * 86_400_000);
    // The second time it is recorded that nothing is due.
    for (let round = 0; round < 2; round += 1) await reconcileWorkspaces(api.services);
    expect(await isSearched(subject)).toBe(false);
    api.clock.set(now.toISOString());
    expect((await meet(subject)).state).toBe('trial');
    const list = { query: { state: 'trial' as const } };
    const { items } = await api.ok('GET /admin/workspaces', list, operator);
    expect(items.map(({ id }) => id)).toContain(subject.workspaceId);
    await reconcileWorkspaces(api.services);
    expect([await isSearched(subject), await isSearched(former)]).toEqual([true, false]);
    expect((await meet(former)).state).toBe('lapsed');
  });
});

it('continues a grace period that a clock which was ahead has ended', async () => {
  const usual = plans.indie.keywordMarkets;
  onTestFinished(() => void (plans.indie.keywordMarkets = usual));
  const subject = await startTrial();
  plans.indie.keywordMarkets = 1;
  await api.ok(
    'PUT /admin/workspaces/{id}/plan',
    { params: { id: subject.workspaceId }, body: { plan: 'indie' } },
    operator,
  );
  // The second time it is recorded when, or that nothing is due.
  const reconcile = async () => [
    await reconcileWorkspaces(api.services),
    await reconcileWorkspaces(api.services),
  ];
  await reconcile();
  const now = api.clock.now();
  // Sessions end after a week without use.
  onTestFinished(() => api.clock.set(now));
  api.clock.advance(8 * 86_400_000);
  await reconcile();
  expect(await isSearched(subject)).toBe(false);
  api.clock.set(now);
  await reconcile();
  expect(await isSearched(subject)).toBe(true);
  api.clock.advance(7 * 86_400_000);
  await reconcile();
  expect(await isSearched(subject)).toBe(false);
});

it('ends in one state if two processes update it while keywords are added', async () => {
  const subject = await startTrial();
  const params = { id: subject.workspaceId };
  const acts = Array.from({ length: 12 }, (_, index) => {
    if (index % 4 === 0)
      return api.call(
        'POST /admin/workspaces/{id}/suspend',
        { params, body: { reason: `number ${index}` } },
        operator,
      );
    if (index % 4 === 1)
      return api.call('POST /admin/workspaces/{id}/unsuspend', { params }, operator);
    if (index % 4 === 2)
      return api.call(
        'POST /apps/{id}/keywords',
        {
          params: { id: subject.appId },
          body: { phrases: [`more ${index}`], countries: ['us', 'de'] },
        },
        subject,
      );
    return api.call(
      'PUT /admin/workspaces/{id}/plan',
      { params, body: { plan: 'ultimate' } },
      operator,
    );
  });
  const statuses = (await Promise.all(acts)).map((response) => response.status);
  expect(statuses.filter((status) => ![200, 201, 202, 403].includes(status))).toEqual([]);
  await api.ok('POST /admin/workspaces/{id}/unsuspend', { params }, operator);
  await reconcileWorkspaces(api.services);
  const { rows } = await api.db.pool.query(
    `select count(*) filter (where k.held)::int as held,
       count(*) filter (where s.depth = 0)::int as idle, count(*)::int as keywords
     from keywords k join market_schedule s on s.market_id = k.market_id where k.workspace_id = $1`,
    [subject.workspaceId],
  );
  expect(rows[0]).toMatchObject({ held: 0, idle: 0 });
});

it('ends without waiting for the competitors of another workspace with the same app', async () => {
  const subject = await startTrial();
  const other = await api.signUp();
  const { rows } = await api.db.pool.query(
    `with competitor as (
       insert into listings (store, store_app_id) values ('ios', '470011') returning id
     ), app as (
       insert into apps (workspace_id, listing_id, primary_country, created_at)
       select $2, listing_id, 'us', created_at from apps where id = $1 returning id, created_at
     )
     insert into competitors (workspace_id, app_id, listing_id, tracking_periods, followed_at,
       created_at)
     select $2, app.id, competitor.id, '[]', app.created_at, app.created_at from app, competitor
     returning listing_id`,
    [subject.appId, other.workspaceId],
  );
  await endTrial(subject.workspaceId);
  await inSystem(api.services, async (otherTx) => {
    await lockListings(otherTx, [rows[0].listing_id]);
    await inSystem(api.services, async (tx) => {
      await sql`set local lock_timeout = '2s'`.execute(tx);
      await reconcileWorkspace(tx, api.services, subject.workspaceId);
    });
  });
  expect(await isSearched(subject)).toBe(false);
});

it('is reconciled although another one fails, which is retried', async () => {
  const [failing, subject] = [await startTrial(), await startTrial()];
  await reconcileWorkspaces(api.services);
  await api.db.pool.query(
    `alter table workspaces add constraint failing
       check (id <> ${failing.workspaceId} or status <> 'lapsed') not valid`,
  );
  const repair = () =>
    api.db.pool.query('alter table workspaces drop constraint if exists failing');
  onTestFinished(async () => void (await repair()));
  for (const { workspaceId } of [failing, subject]) await endTrial(workspaceId);
  expect(await reconcileWorkspaces(api.services)).toBe(1);
  const searched = () => Promise.all([failing, subject].map(isSearched));
  expect(await searched()).toEqual([true, false]);
  await repair();
  expect(await reconcileWorkspaces(api.services)).toBe(1);
  expect(await searched()).toEqual([false, false]);
});
