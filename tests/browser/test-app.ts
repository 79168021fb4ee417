import type { Browser } from 'playwright-core';
import { utcDayOf } from '#lib/dates.ts';
import { startSimulator } from '#simulator/server.ts';
import { newPage, type WatchedPage } from '../harness/browser.ts';
import { buildDashboard } from '../harness/build-dashboard.ts';
import { createTestDatabase } from '../harness/database.ts';
import { seedHistory, type History } from '../harness/history.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { startRole, startWeb, type RunningRole } from '../harness/start-role.ts';

export interface TestApp {
  webUrl: string;
  appId: number;
  history: History;
  /** A page of its own, signed in. */
  open(
    browser: Browser,
    path: string,
    options?: Parameters<typeof newPage>[1],
  ): Promise<WatchedPage>;
  stop(): Promise<void>;
}

const account = { email: 'owner@example.org', password: 'grape-tunnel-oxide-41' };

/**
 * The API and the dashboard over a workspace with history; without a worker, so that it stays as
 * written.
 */
export async function startTestApp(plan: {
  markets: number;
  days: number;
  gapShare?: number;
}): Promise<TestApp> {
  const [simulator, db, dataDir] = await Promise.all([
    startSimulator({ compress: false }),
    createTestDatabase(),
    createDataDir(),
    buildDashboard(),
  ]);
  const roles: RunningRole[] = [];
  const environment = { ...productEnvironment(dataDir, simulator), DATABASE_URL: db.url };
  const keep = (running: RunningRole) => {
    roles.unshift(running);
    return running.url;
  };
  const stop = async () => {
    for (const role of roles) await role.stop();
    await simulator.close();
    await db.drop();
    await removeDataDir(dataDir);
  };
  try {
    const apiUrl = keep(await startRole('api', environment));
    const webUrl = keep(await startWeb({ ...environment, API_URL: apiUrl }));
    const { cookie, workspaceId } = await signUp(apiUrl);
    const history = await seedHistory(db.pool, {
      workspaceId,
      apps: 1,
      markets: plan.markets,
      days: plan.days,
      lastDay: utcDayOf(new Date()),
      gapShare: plan.gapShare ?? 0.15,
      serpDays: 2,
    });
    const open: TestApp['open'] = async (browser, path, options) => {
      const watched = await newPage(browser, options);
      await watched.context.addCookies([{ ...cookie, url: webUrl }]);
      await watched.page.goto(`${webUrl}${path}`);
      await watched.page.locator('h1').first().waitFor();
      return watched;
    };
    return { webUrl, appId: history.appIds[0]!, history, open, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function signUp(apiUrl: string) {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const response = await fetch(`${apiUrl}/auth/sign-up`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...account, name: 'Mara Lind', workspaceName: 'Northlight' }),
  });
  if (!response.ok)
    throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const [name = '', value = ''] = response.headers.getSetCookie()[0]!.split(';')[0]!.split('=');
  const { workspace } = (await response.json()) as { workspace: { id: number } };
  return { cookie: { name, value }, workspaceId: workspace.id };
}
