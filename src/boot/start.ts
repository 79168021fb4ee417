import type { Config } from '../config/env.ts';
import type { Closers } from '../lib/closers.ts';
import { createLogger } from '../lib/logger.ts';
import type { AnswerMcp } from '../lib/mcp-call.ts';

export type Role = 'all' | 'api' | 'worker' | 'web';

export interface Running {
  webUrl: string | null;
  apiUrl: string | null;
  /** While no account exists. */
  setupToken: string | null;
}

export interface StartOptions {
  config: Config;
  role: Role;
  /** Lines for the person at the terminal. */
  say: (line: string) => void;
  /** What answers /mcp on the web origin. The command brings it: this room does not know that one. */
  mcp?: AnswerMcp;
  /** Gets all that is opened, as soon as it is: a start may be stopped before it is through. */
  closers: Closers;
}

/** Brings up a role, or all of them in this process. */
export async function start({ config, role, say, mcp, closers }: StartOptions): Promise<Running> {
  // Each role loads only what it needs: the web origin no database and no queue.
  const log = createLogger(config.LOG_LEVEL);
  if (role === 'web') {
    const { startWeb } = await import('./role-web.ts');
    const web = await startWeb({
      config,
      apiUrl: config.API_URL ?? `http://127.0.0.1:${config.API_PORT}`,
      log,
      say,
      mcp,
    });
    closers.add(web.close);
    return { webUrl: web.url, apiUrl: null, setupToken: null };
  }
  const { openDatabaseServer } = await import('./database.ts');
  const { createRuntime } = await import('./services.ts');
  const { checkSealKey } = await import('./check-seal-key.ts');
  const { checkJobs } = await import('../jobs/index.ts');
  checkJobs();
  const database = await openDatabaseServer(config, log, closers);
  const runtime = await createRuntime({
    config,
    database,
    log,
    queueTiming: {
      stalledIntervalMs: config.QUEUE_STALL_SECONDS * 1_000,
      lockDurationMs: config.QUEUE_STALL_SECONDS * 2_000,
    },
  });
  closers.add(runtime.close);
  await checkSealKey(config, runtime.services);
  if (role !== 'api') {
    const { startWork } = await import('./role-worker.ts');
    const work = startWork(runtime);
    closers.add(work.close);
  }
  if (role === 'worker') return { webUrl: null, apiUrl: null, setupToken: null };
  const { startApi } = await import('./role-api.ts');
  const api = await startApi({ config, runtime, log });
  closers.add(api.close);
  if (role === 'api') return { webUrl: null, apiUrl: api.url, setupToken: api.setupToken };
  const { startWeb } = await import('./role-web.ts');
  const web = await startWeb({ config, apiUrl: api.url, log, say, mcp });
  closers.add(web.close);
  return { webUrl: web.url, apiUrl: api.url, setupToken: api.setupToken };
}
