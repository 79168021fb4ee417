import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { demoEmail } from '#cli/demo-plan.ts';
import type { Simulator } from '#simulator/server.ts';
import { listDeviceIds } from '#stores/profiles.ts';
import { newPage, type WatchedPage } from '../harness/browser.ts';
import { buildDashboard } from '../harness/build-dashboard.ts';
import {
  createDemoDatabase,
  demoPassword,
  startDemoStores,
  type DemoDatabase,
} from '../harness/demo-database.ts';
import { startToprung, type Child } from '../harness/process.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { startRole, startWeb, type RunningRole } from '../harness/start-role.ts';

export interface DemoTestApp {
  webUrl: string;
  apiUrl: string;
  pool: DemoDatabase['pool'];
  simulator: Simulator;
  /** Changes roles and states as another process does: the API sees it within a second. */
  change(text: string, values?: unknown[]): Promise<void>;
  apps: { ios: number; android: number };
  workspaceId: number;
  /** Any keyword of the iOS app that has a position. */
  keywordId: number;
  /** One on the second device of the store. */
  tabletKeywordId: number;
  /** Stops a `killable` API without notice, and starts it again at the same address. */
  killApi(): Promise<void>;
  startApi(): Promise<void>;
  /** From now on the day continues by itself, and jobs run as soon as they are due. */
  startWorker(): void;
  /** One more session of the owner. */
  signIn(): Promise<{ name: string; value: string }>;
  /** A page of its own, signed in as the owner. */
  open(
    browser: Browser,
    path: string,
    options?: Parameters<typeof newPage>[1],
  ): Promise<WatchedPage>;
  stop(): Promise<void>;
}

/**
 * The API and the dashboard over the demo's workspace: two apps, 66 keywords, competitors, reviews,
 * charts, actions, all collected by the product itself. With `worker` the day continues and jobs
 * run. A `killable` API is a process of its own.
 */
export async function startDemoTestApp(
  options: {
    worker?: boolean;
    killable?: boolean;
    changesProvider?: boolean;
    environment?: Record<string, string>;
  } = {},
): Promise<DemoTestApp> {
  const [simulator, db, dataDir] = await Promise.all([
    startDemoStores(),
    createDemoDatabase(options),
    createDataDir(),
    buildDashboard(),
  ]);
  const children: Child[] = [];
  const roles: RunningRole[] = [];
  const environmentOf = (more: Record<string, string>) => ({
    ...productEnvironment(dataDir, simulator),
    DATABASE_URL: db.url,
    // The run of the day is open whatever the hour is.
    DAILY_RUN_AT: '00:00',
    ...more,
    ...options.environment,
  });
  const keep = (running: RunningRole) => {
    roles.unshift(running);
    return running.url;
  };
  const startApiProcess = async (port: string) => {
    const child = startToprung(['start', '--role', 'api'], environmentOf({ API_PORT: port }));
    children.push(child);
    await child.waitFor(/ API: +http\S+/, 180_000);
    return / API: +(http\S+)/.exec(child.output())![1]!;
  };
  const stop = async () => {
    for (const role of roles) await role.stop();
    await Promise.all(children.map((child) => child.kill('SIGTERM')));
    await simulator.close();
    await db.drop();
    await removeDataDir(dataDir);
  };
  try {
    const apiUrl = options.killable
      ? await startApiProcess('0')
      : keep(await startRole('api', environmentOf({})));
    const [api] = children;
    const webUrl = keep(await startWeb(environmentOf({ API_URL: apiUrl })));
    // The start is not awaited; what needs it waits.
    const startWorker = () =>
      void children.push(startToprung(['start', '--role', 'worker'], environmentOf({})));
    if (options.worker) startWorker();
    const cookie = await signIn(apiUrl);
    const { rows } = await db.pool.query(
      'select a.id, a.workspace_id, l.store from apps a join listings l on l.id = ' +
        'a.listing_id order by a.id',
    );
    const idOf = (store: string): number => rows.find((row) => row.store === store).id;
    const apps = { ios: idOf('ios'), android: idOf('android') };
    const [defaultDevice, tablet] = listDeviceIds('ios');
    const findKeyword = async (device: string | undefined): Promise<number> => {
      const found = await db.pool.query(
        'select id from keywords where app_id = $1 and latest_position is not null ' +
          'and device = $2 order by id limit 1',
        [apps.ios, device],
      );
      return found.rows[0].id;
    };
    const open: DemoTestApp['open'] = async (browser, path, pageOptions) => {
      const watched = await newPage(browser, pageOptions);
      await watched.context.addCookies([{ ...cookie, url: webUrl }]);
      await watched.page.goto(`${webUrl}${path}`);
      await watched.page.locator('h1').first().waitFor();
      return watched;
    };
    return {
      webUrl,
      apiUrl,
      pool: db.pool,
      simulator,
      change: async (text, values) => {
        await db.pool.query(text, values);
        await sleep(1_000);
      },
      apps,
      workspaceId: rows[0].workspace_id,
      keywordId: await findKeyword(defaultDevice),
      tabletKeywordId: await findKeyword(tablet),
      open,
      killApi: () => api!.kill('SIGKILL'),
      startApi: async () => void (await startApiProcess(new URL(apiUrl).port)),
      startWorker,
      signIn: () => signIn(apiUrl),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function signIn(apiUrl: string): Promise<{ name: string; value: string }> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const body = JSON.stringify({ email: demoEmail, password: demoPassword });
  const response = await fetch(`${apiUrl}/auth/sign-in`, { method: 'POST', headers, body });
  if (!response.ok)
    throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
  const [name = '', value = ''] = response.headers.getSetCookie()[0]!.split(';')[0]!.split('=');
  return { name, value };
}
