import { hashPassword } from '../domain/accounts/limited-hashing.ts';
import { createAccount } from '../domain/accounts/sign-up.ts';
import { findRun } from '../db/queries/runs.ts';
import { addApp } from '../domain/apps/add-app.ts';
import { inSystem, type Ctx } from '../domain/context.ts';
import { addKeywords } from '../domain/keywords/add-keywords.ts';
import type { StoreName } from '../domain/ports.ts';
import type { StoreWork } from '../domain/runs/dispatch.ts';
import { tick } from '../domain/runs/tick.ts';
import { findJob } from '../jobs/index.ts';
import type { TestClock } from '../lib/clock.ts';
import { addDays, type UtcDay } from '../lib/dates.ts';
import type { Runtime } from './services.ts';

export interface DemoApp {
  store: StoreName;
  storeAppId: string;
  /** Phrases by country. */
  keywords: { phrase: string; country: string }[];
}

export interface DemoPlan {
  email: string;
  password: string;
  apps: DemoApp[];
  firstDay: UtcDay;
  lastDay: UtcDay;
  /** Days on which the machine was off, and days on which a store refused everything. */
  offDays: readonly UtcDay[];
  beforeDay(day: UtcDay): Promise<void>;
  afterDay(day: UtcDay): void;
}

/**
 * Fills a workspace through the product's own verbs, scheduler and jobs, on a clock that runs ahead of nothing:
 * the account, the apps and their keywords on the first day, then one daily run after another.
 */
export async function seedDemo(runtime: Runtime, clock: TestClock, plan: DemoPlan): Promise<void> {
  const { services } = runtime;
  clock.set(`${plan.firstDay}T01:00:00Z`);
  await plan.beforeDay(plan.firstDay);
  const passwordHash = await hashPassword(plan.password);
  const account = await inSystem(services, (tx) =>
    createAccount(tx, services, { email: plan.email, passwordHash, name: 'Demo', workspaceName: 'Demo' }),
  );
  const ctx: Ctx = {
    ...services,
    workspaceId: account.workspace.id,
    workspaceState: 'live',
    actor: { kind: 'session', userId: account.user.id, sessionId: 0, role: 'owner', email: plan.email },
  };
  for (const demo of plan.apps) {
    const { app } = await addApp(ctx, { store: demo.store, storeAppId: demo.storeAppId }, AbortSignal.timeout(30_000));
    await addKeywords(ctx, app.id, { keywords: demo.keywords });
  }
  for (let day = plan.firstDay; day <= plan.lastDay; day = addDays(day, 1)) {
    if (plan.offDays.includes(day)) continue;
    await plan.beforeDay(day);
    await runDay(runtime, clock, day);
    plan.afterDay(day);
  }
}

/** One day's run at its hour; the queue is passed by, the jobs are the same. */
async function runDay(runtime: Runtime, clock: TestClock, day: UtcDay): Promise<void> {
  clock.set(`${day}T02:00:00Z`);
  const waiting: StoreWork[] = [];
  const dispatcher = { send: async (_store: StoreName, work: StoreWork[]) => void waiting.push(...work), sendHouse: async () => undefined };
  for (let beats = 0; beats < 40; beats++) {
    await tick(runtime.services, dispatcher);
    if ((await findRun(runtime.services.systemDb, day))?.finishedAt) return;
    if (waiting.length === 0) clock.advance(10 * 60_000);
    await runTogether(waiting.splice(0), 16, (work) => findJob(work.kind).run(runtime.services, work, AbortSignal.timeout(30_000)));
  }
}

async function runTogether<T>(items: T[], hands: number, run: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: hands }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}
