import type { Browser, BrowserContext, Page } from 'playwright-core';
import { utcDayOf } from '#lib/dates.ts';
import { seedHistory, type History } from '#tests/harness/history.ts';
import { startApi, type BenchApi } from './product.ts';

/** Opens a browser of a signed-in user, with an empty cache. */
export type Visit = () => Promise<{ context: BrowserContext; page: Page; appUrl: string }>;

interface Past {
  days: number;
  /** Newest days with stored results. */
  serpDays: number;
  /** Seeds more facts of the app. */
  addFacts?: (history: History, pool: BenchApi['database']['pool']) => Promise<void>;
}

/** A signed-in user opens an app with this many keywords; 90 days by default. */
export async function onDashboard<Seen>(
  browser: Browser,
  markets: number,
  look: (visit: Visit, history: History, api: BenchApi) => Promise<Seen>,
  { days, serpDays, addFacts }: Past = { days: 90, serpDays: 2 },
): Promise<Seen> {
  const api = await startApi({ LOG_LEVEL: 'warn' });
  const { pool } = api.database;
  try {
    const webUrl = await api.start('web', { API_URL: api.url }, /Toprung is up: +(http\S+)/);
    const past = await seedHistory(pool, {
      workspaceId: api.workspaceId,
      apps: 1,
      markets,
      days,
      lastDay: utcDayOf(new Date()),
      gapShare: 0.02,
      serpDays,
    });
    await addFacts?.(past, pool);
    await pool.query('vacuum analyze');
    return await look(
      async () => {
        // Not `newPage` of the tests: it intercepts every request, which disables the browser's
        // cache.
        const context = await browser.newContext({
          viewport: { width: 1280, height: 800 },
          timezoneId: 'UTC',
          locale: 'en-US',
          reducedMotion: 'reduce',
        });
        await context.addCookies([{ ...api.cookie, url: webUrl }]);
        // A sign-in leaves it; without, the dashboard asks whether anybody has signed up.
        await context.addInitScript(`localStorage.setItem('toprung.signed-in', '1')`);
        return {
          context,
          page: await context.newPage(),
          appUrl: `${webUrl}/apps/${past.appIds[0]}`,
        };
      },
      past,
      api,
    );
  } finally {
    await api.close();
  }
}
