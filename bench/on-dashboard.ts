import type { Browser, BrowserContext, Page } from 'playwright-core';
import { utcDayOf } from '#lib/dates.ts';
import { seedHistory } from '#tests/harness/history.ts';
import { startApi } from './product.ts';

/** Opens a browser of a signed-in user, with an empty cache. */
export type Visit = () => Promise<{ context: BrowserContext; page: Page; appUrl: string }>;

/** A signed-in user opens an app with this many keywords and 90 days. */
export async function onDashboard<Seen>(
  browser: Browser,
  markets: number,
  look: (visit: Visit) => Promise<Seen>,
): Promise<Seen> {
  const api = await startApi({ LOG_LEVEL: 'warn' });
  const { pool } = api.database;
  try {
    const webUrl = await api.start('web', { API_URL: api.url }, /Toprung is up: +(http\S+)/);
    const past = await seedHistory(pool, {
      workspaceId: api.workspaceId,
      apps: 1,
      markets,
      days: 90,
      lastDay: utcDayOf(new Date()),
      gapShare: 0.02,
      serpDays: 2,
    });
    await pool.query('vacuum analyze');
    return await look(async () => {
      // Not `newPage` of the tests: it intercepts every request, which disables the browser's
      // cache.
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        timezoneId: 'UTC',
        locale: 'en-US',
        reducedMotion: 'reduce',
      });
      await context.addCookies([{ ...api.cookie, url: webUrl }]);
      return { context, page: await context.newPage(), appUrl: `${webUrl}/apps/${past.appIds[0]}` };
    });
  } finally {
    await api.close();
  }
}
