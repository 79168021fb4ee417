import { popularityPartBytes } from '#contract/body-limits.ts';
import { setStoreTaskDays } from '#db/queries/demo/demo.ts';
import { findRun } from '#db/queries/runs/runs.ts';
import { inSystem, type Ctx } from '#domain/base/context.ts';
import { hashPassword } from '#domain/accounts/auth/password-hashing.ts';
import { createAccount } from '#domain/accounts/auth/sign-up.ts';
import { addApp } from '#domain/tracking/apps/add-app.ts';
import {
  startImageFetches,
  waitForImageFetches,
} from '#domain/tracking/images/start-image-fetches.ts';
import { addKeywords } from '#domain/tracking/keywords/add-keywords.ts';
import { mapStores, type StoreName } from '#domain/base/ports.ts';
import type { BackgroundWork, RowQueue, StoreWork } from '#domain/scheduling/runs/store-work.ts';
import { tick } from '#domain/scheduling/runs/tick.ts';
import { scoreStaleMarkets } from '#domain/insights/scores/score-markets.ts';
import { beginSeries } from '#domain/tracking/rankings/begin-series.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { updateTag } from '#domain/tracking/tags/update-tag.ts';
import {
  requestPopularityImport,
  storePopularityPart,
} from '#domain/transfer/popularity/imports.ts';
import {
  getPopularitySync,
  savePopularityCredentials,
} from '#domain/transfer/popularity/sync/credentials.ts';
import { startDueSync, waitForSync } from '#domain/transfer/popularity/sync/start-due-sync.ts';
import { registry } from '#jobs/registry.ts';
import { runBackgroundWork } from '#jobs/run-background-work.ts';
import { runStoreWork } from '#jobs/run-store-work.ts';
import { scheduleOf } from '#jobs/schedule.ts';
import type { TestClock } from '#lib/clock.ts';
import { addDays, type UtcDay } from '#lib/dates.ts';
import { runDemoAction, type DemoAction } from './demo-actions.ts';
import type { Runtime } from './services.ts';

export interface DemoApp {
  store: StoreName;
  storeAppId: string;
  keywords: { phrase: string; country: string; device?: string; tags: string[] }[];
  /** The actions of users after the day's run. */
  acts: DemoAction[];
}

export interface DemoPlan {
  email: string;
  password: string;
  apps: DemoApp[];
  tagColors: Record<string, string>;
  firstDay: UtcDay;
  lastDay: UtcDay;
  /**
   * From this day on everything runs daily. Before it, feeds, pages, charts and hints are read less
   * often.
   */
  dailyFrom: UtcDay;
  /** Days on which the machine was off. */
  offDays: readonly UtcDay[];
  /** Before this day, if there is any, the search providers were asked in the opposite order. */
  providersFrom: UtcDay;
  beforeDay(day: UtcDay): Promise<void>;
  afterDay(day: UtcDay): void;
  /** A file of published popularity, which is imported at the end. */
  popularity: { fileName: string; text: string };
  /** With these, the newest weeks of popularity are synced at the end. */
  adsCredentials: Parameters<typeof savePopularityCredentials>[1] | null;
}

/** Scheduler ticks of a day. A day with a store outage needs them for retries. */
const maxTicks = 60;
const hands = 16;
const schedule = scheduleOf(registry);
const usualDays = { hints: 7, others: 1 };
const sparseDays = { hints: 14, others: 7 };
const afterRunMs = 5 * 60_000;

/**
 * Fills a workspace through the product's own verbs, scheduler and jobs on a simulated clock: the
 * account, apps and keywords on the first day, and then one daily run after another. Returns the
 * workspace.
 */
export async function seedDemo(
  runtime: Runtime,
  clock: TestClock,
  plan: DemoPlan,
): Promise<{ workspaceId: number }> {
  clock.set(`${plan.firstDay}T01:00:00Z`);
  await plan.beforeDay(plan.firstDay);
  const earlier = withOppositeProviders(runtime.services);
  if (plan.firstDay < plan.providersFrom) await beginSeries(earlier);
  const ctx = await openWorkspace(runtime, plan);
  const appIds = await addApps(ctx, plan);
  for (let day = plan.firstDay; day <= plan.lastDay; day = addDays(day, 1)) {
    if (plan.offDays.includes(day)) continue;
    await plan.beforeDay(day);
    const isFull = day >= plan.dailyFrom;
    await setStoreTaskDays(runtime.services.systemDb, isFull ? usualDays : sparseDays);
    const services = day < plan.providersFrom ? earlier : runtime.services;
    await runDay(services, clock, day, isFull);
    // As a start with another setting does.
    if (addDays(day, 1) === plan.providersFrom) await beginSeries(runtime.services);
    for (const [index, app] of plan.apps.entries()) {
      for (const act of app.acts)
        if (act.day === day) await runDemoAction(ctx, appIds[index]!, act);
    }
    plan.afterDay(day);
  }
  // The owner of the only workspace manages the instance, whatever its settings are.
  const operator = { ...ctx, actor: { ...ctx.actor, operator: true } };
  await importPopularity(operator, plan.popularity);
  if (plan.adsCredentials) await syncPopularity(operator, plan.adsCredentials);
  while ((await scoreStaleMarkets(ctx)) > 0);
  await startImageFetches(runtime.services);
  await waitForImageFetches(runtime.services);
  return { workspaceId: ctx.workspaceId };
}

function withOppositeProviders(services: CheckServices): CheckServices {
  const { searchProviders } = services.settings;
  const opposite = mapStores(({ id }) => searchProviders[id].toReversed());
  return { ...services, settings: { ...services.settings, searchProviders: opposite } };
}

async function importPopularity(
  operator: Ctx & CheckServices,
  { fileName, text }: DemoPlan['popularity'],
): Promise<void> {
  const file = Buffer.from(text);
  const parts = Math.ceil(file.length / popularityPartBytes);
  for (let part = 1; part <= parts; part += 1) {
    const piece = file.subarray((part - 1) * popularityPartBytes, part * popularityPartBytes);
    await storePopularityPart(operator, part, piece.toString('base64'));
  }
  const { job } = await requestPopularityImport(operator, { parts, fileName });
  const work = { kind: 'job', jobId: job.id } as const;
  await runBackgroundWork(registry, operator, work, AbortSignal.timeout(60_000));
}

/** Saves a key as an operator does, and runs the sync that follows. */
async function syncPopularity(
  operator: Ctx & CheckServices,
  credentials: NonNullable<DemoPlan['adsCredentials']>,
): Promise<void> {
  await savePopularityCredentials(operator, credentials);
  await startDueSync(operator);
  await waitForSync(operator);
  const { failure } = await getPopularitySync(operator);
  if (failure) throw new Error(`the demo has no weekly popularity: ${failure.message}`);
}

async function openWorkspace({ services }: Runtime, plan: DemoPlan): Promise<Ctx & CheckServices> {
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
  for (const [name, color] of Object.entries(plan.tagColors)) await updateTag(ctx, name, { color });
  return ids;
}

/**
 * Runs one day at its hour. On full days another tick does the work that follows a completed run,
 * such as actions; alerts come with the next tick, which may be the next day's. The jobs are the
 * same as in production but bypass the queues.
 */
async function runDay(
  services: CheckServices,
  clock: TestClock,
  day: UtcDay,
  isFull: boolean,
): Promise<void> {
  clock.set(`${day}T02:00:00Z`);
  const waiting: StoreWork[] = [];
  const background: BackgroundWork[] = [];
  const dispatcher = {
    send: async (_store: StoreName, work: StoreWork[]) => void waiting.push(...work),
    sendBackground: async (_queue: RowQueue, work: BackgroundWork[]) =>
      void background.push(...work),
  };
  const runTick = async () => {
    await tick(services, dispatcher, schedule);
    const isIdle = waiting.length + background.length === 0;
    await runTogether(waiting.splice(0), (work) =>
      runStoreWork(registry, services, work, AbortSignal.timeout(30_000)),
    );
    await runTogether(background.splice(0), (work) =>
      runBackgroundWork(registry, services, work, AbortSignal.timeout(30_000)),
    );
    return isIdle;
  };
  for (let ticks = 0; ticks < maxTicks; ticks++) {
    const isIdle = await runTick();
    if ((await findRun(services.systemDb, day))?.finishedAt) break;
    if (isIdle) clock.advance(10 * 60_000);
  }
  if (!isFull) return;
  clock.advance(afterRunMs);
  await runTick();
}

async function runTogether<T>(items: T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: hands }, async () => {
      for (const item of queue) await run(item);
    }),
  );
}
