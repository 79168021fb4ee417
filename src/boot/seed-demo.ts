import { setChoreDays } from '../db/queries/demo.ts';
import { findRun } from '../db/queries/runs.ts';
import { inSystem, type Ctx } from '../domain/context.ts';
import { hashPassword } from '../domain/accounts/limited-hashing.ts';
import { createAccount } from '../domain/accounts/sign-up.ts';
import { addApp } from '../domain/apps/add-app.ts';
import { addKeywords } from '../domain/keywords/add-keywords.ts';
import type { StoreName } from '../domain/ports.ts';
import type { HouseWork, StoreWork } from '../domain/runs/dispatch.ts';
import { tick } from '../domain/runs/tick.ts';
import { changeTag } from '../domain/tags/change-tag.ts';
import { runHouseWork } from '../jobs/house.ts';
import { findJob } from '../jobs/index.ts';
import type { TestClock } from '../lib/clock.ts';
import { addDays, type UtcDay } from '../lib/dates.ts';
import { actOn, type DemoAct } from './demo-acts.ts';
import type { Runtime } from './services.ts';

export interface DemoApp {
  store: StoreName;
  storeAppId: string;
  keywords: { phrase: string; country: string; tags: string[] }[];
  /** What its people do once the day's run is through. */
  acts: DemoAct[];
}

export interface DemoPlan {
  email: string;
  password: string;
  apps: DemoApp[];
  tagColors: Record<string, string>;
  firstDay: UtcDay;
  lastDay: UtcDay;
  /** From here on a day does all that the product's days do; before it feeds, pages, charts and hints are read less often. */
  dailyFrom: UtcDay;
  /** Days on which the machine was off. */
  offDays: readonly UtcDay[];
  beforeDay(day: UtcDay): Promise<void>;
  afterDay(day: UtcDay): void;
}

/** Beats of a day's scheduler: a day on which a store is out of order takes its retries. */
const maxBeats = 60;
const hands = 16;
const usualDays = { hints: 7, others: 1 };
const sparseDays = { hints: 14, others: 7 };
const afterRunMs = 5 * 60_000;

/**
 * Fills a workspace through the product's own verbs, scheduler and jobs, on a clock that runs ahead of nothing:
 * the account, the apps and their keywords on the first day, then one daily run after another. Returns the workspace.
 */
export async function seedDemo(
  runtime: Runtime,
  clock: TestClock,
  plan: DemoPlan,
): Promise<{ workspaceId: number }> {
  clock.set(`${plan.firstDay}T01:00:00Z`);
  await plan.beforeDay(plan.firstDay);
  const ctx = await openWorkspace(runtime, plan);
  const appIds = await addApps(ctx, plan);
  for (let day = plan.firstDay; day <= plan.lastDay; day = addDays(day, 1)) {
    if (plan.offDays.includes(day)) continue;
    await plan.beforeDay(day);
    const isFull = day >= plan.dailyFrom;
    await setChoreDays(runtime.services.systemDb, isFull ? usualDays : sparseDays);
    await runDay(runtime, clock, day, isFull);
    for (const [index, app] of plan.apps.entries()) {
      for (const act of app.acts) if (act.day === day) await actOn(ctx, appIds[index]!, act);
    }
    plan.afterDay(day);
  }
  return { workspaceId: ctx.workspaceId };
}

async function openWorkspace({ services }: Runtime, plan: DemoPlan): Promise<Ctx> {
  const passwordHash = await hashPassword(plan.password);
  const account = await inSystem(services, (tx) =>
    createAccount(tx, services, {
      email: plan.email,
      passwordHash,
      name: 'Demo',
      workspaceName: 'Demo',
      isConfirmed: true,
    }),
  );
  return {
    ...services,
    workspaceId: account.workspace.id,
    workspaceState: 'live',
    actor: {
      kind: 'session',
      userId: account.user.id,
      sessionId: 0,
      role: 'owner',
      email: plan.email,
      operator: false,
    },
  };
}

async function addApps(ctx: Ctx, plan: DemoPlan): Promise<number[]> {
  const ids: number[] = [];
  for (const { store, storeAppId, keywords } of plan.apps) {
    const { app } = await addApp(ctx, { store, storeAppId }, AbortSignal.timeout(30_000));
    await addKeywords(ctx, app.id, { keywords });
    ids.push(app.id);
  }
  for (const [name, color] of Object.entries(plan.tagColors)) await changeTag(ctx, name, { color });
  return ids;
}

/**
 * One day's run at its hour. What follows from its end, such as actions, comes with a beat after it on full days; alerts come
 * with the next beat, be it the next day's. The queues are passed by, the jobs are the same.
 */
async function runDay(
  { services }: Runtime,
  clock: TestClock,
  day: UtcDay,
  isFull: boolean,
): Promise<void> {
  clock.set(`${day}T02:00:00Z`);
  const waiting: StoreWork[] = [];
  const atHome: HouseWork[] = [];
  const dispatcher = {
    send: async (_store: StoreName, work: StoreWork[]) => void waiting.push(...work),
    sendHouse: async (work: HouseWork[]) => void atHome.push(...work),
  };
  const beat = async () => {
    await tick(services, dispatcher);
    const isIdle = waiting.length + atHome.length === 0;
    await runTogether(waiting.splice(0), (work) =>
      findJob(work.kind).run(services, work, AbortSignal.timeout(30_000)),
    );
    await runTogether(atHome.splice(0), (work) =>
      runHouseWork(services, work, AbortSignal.timeout(30_000)),
    );
    return isIdle;
  };
  for (let beats = 0; beats < maxBeats; beats++) {
    const isIdle = await beat();
    if ((await findRun(services.systemDb, day))?.finishedAt) break;
    if (isIdle) clock.advance(10 * 60_000);
  }
  if (!isFull) return;
  clock.advance(afterRunMs);
  await beat();
}

async function runTogether<T>(items: T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: hands }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}
