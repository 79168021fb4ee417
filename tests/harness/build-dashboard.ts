import pg from 'pg';
import { inject } from 'vitest';
import { ensureDashboard } from '#boot/dashboard-build.ts';

const buildLockKey = 7_402_003;

/**
 * The first file of a run that shows the dashboard builds it, if its sources have changed; the
 * others wait: each start by itself would build it once more.
 */
export async function buildDashboard(): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('clusterUrl') });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock($1)', [buildLockKey]);
    await ensureDashboard(() => undefined);
  } finally {
    await admin.end();
  }
}
