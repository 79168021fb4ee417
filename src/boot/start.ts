import { setImmediate } from 'node:timers/promises';
import type { Config } from '#config/env.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { createLogger, type Logger } from '#lib/logger.ts';
import type { McpHandler } from '#lib/mcp-handler.ts';
import type { HealthProbe } from './health/serve-health.ts';
import { openTelemetry } from './open-telemetry.ts';

export type Role = 'all' | 'api' | 'worker' | 'web';

export interface Running {
  webUrl: string | null;
  apiUrl: string | null;
  /** Present while no account exists. */
  setupToken: string | null;
}

export interface StartOptions {
  config: Config;
  role: Role;
  /** Lines for the user at the terminal. */
  say: (line: string) => void;
  /** Handles /mcp on the web origin. The CLI passes it in, because boot does not import mcp. */
  mcp?: McpHandler;
  /** False leaves out the dashboard's files, which vite serves during development. */
  servesDashboard?: boolean;
  /** Collects every opened resource at once, so that a start can be stopped halfway. */
  shutdownStack: ShutdownStack;
}

/** Starts one role, or all of them in this process. */
export async function start(options: StartOptions): Promise<Running> {
  const { serveHealth } = await import('./health/serve-health.ts');
  const health = await serveHealth(options.config.HEALTH_SOCKET, options.role);
  options.shutdownStack.add(health.close);
  const { probe, ...running } =
    options.role === 'web' ? await startWebAlone(options) : await startWithDatabase(options);
  health.setReady(probe);
  return running;
}

interface Started extends Running {
  probe: HealthProbe;
}

/** The web origin loads no database and no queue. */
async function startWebAlone({ config, say, mcp, shutdownStack }: StartOptions): Promise<Started> {
  const { startWeb } = await import('./start-web.ts');
  const { probeApi } = await import('./health/probe-api.ts');
  const log = createLogger(config.LOG_LEVEL);
  const telemetry = await openTelemetry(config, 'web', log);
  if (telemetry) shutdownStack.add(telemetry.close);
  const apiUrl = config.API_URL ?? `http://127.0.0.1:${config.API_PORT}`;
  const web = await startWeb({ config, apiUrl, log, say, mcp, isAlone: true });
  shutdownStack.add(web.close);
  return { webUrl: web.url, apiUrl: null, setupToken: null, probe: probeApi(apiUrl) };
}

async function startWithDatabase({
  config,
  role,
  say,
  mcp,
  servesDashboard,
  shutdownStack,
}: StartOptions): Promise<Started> {
  const log = createLogger(config.LOG_LEVEL);
  const telemetry = await openTelemetry(config, role, log);
  if (telemetry) shutdownStack.add(telemetry.close);
  const { opening, isStarting } = await beginDatabase({ config, log, say, shutdownStack });
  await isStarting;
  await loadModules(role);
  const { createRuntime } = await import('./services.ts');
  const { probeRuntime } = await import('./health/probe-runtime.ts');
  const { checkEncryptionKey } = await import('./check-encryption-key.ts');
  const { checkRegistry } = await import('#jobs/check-registry.ts');
  const { registry } = await import('#jobs/registry.ts');
  checkRegistry(registry);
  const database = await opening;
  const runtime = await createRuntime({
    config,
    database,
    log,
    // Only the owner of the data directory reaches the embedded database.
    isAlone: database.embedded !== null,
    queueTiming: {
      stalledIntervalMs: config.QUEUE_STALL_SECONDS * 1_000,
      lockDurationMs: config.QUEUE_STALL_SECONDS * 2_000,
    },
  });
  shutdownStack.add(runtime.close);
  const probe = probeRuntime(runtime, role);
  await checkEncryptionKey(config, runtime.services);
  if (role !== 'api') {
    const { beginSeries } = await import('#domain/tracking/rankings/begin-series.ts');
    const { startWorker } = await import('./start-worker.ts');
    await beginSeries(runtime.services);
    const work = startWorker(runtime, registry);
    shutdownStack.add(work.close);
    if (telemetry) {
      const { exportMetrics } = await import('./export-metrics.ts');
      shutdownStack.add(exportMetrics(telemetry, runtime, work.isLeader));
    }
  }
  if (role === 'worker') return { webUrl: null, apiUrl: null, setupToken: null, probe };
  const { startApi } = await import('./start-api.ts');
  const api = await startApi({ config, runtime, log, isAlone: role === 'api' });
  shutdownStack.add(api.close);
  const { setupToken } = api;
  if (role === 'api') return { webUrl: null, apiUrl: api.url, setupToken, probe };
  const { startWeb } = await import('./start-web.ts');
  const web = await startWeb({ config, apiUrl: api.url, log, say, mcp, servesDashboard });
  shutdownStack.add(web.close);
  return { webUrl: web.url, apiUrl: api.url, setupToken, probe };
}

/** While the database opens: its responses are read between the modules. */
async function loadModules(role: Role): Promise<void> {
  const modules = [
    () => import('./services.ts'),
    () => import('#jobs/registry.ts'),
    ...(role === 'worker' ? [] : [() => import('./start-api.ts')]),
    ...(role === 'api' ? [] : [() => import('./start-worker.ts')]),
    ...(role === 'all' ? [() => import('./start-web.ts')] : []),
  ];
  for (const load of modules) {
    await load();
    await setImmediate();
  }
}

/**
 * Opens the database. `isStarting` resolves when there is nothing left but to wait for the server,
 * and rejects like `opening`.
 */
async function beginDatabase({
  config,
  log,
  say,
  shutdownStack,
}: Pick<StartOptions, 'config' | 'say' | 'shutdownStack'> & { log: Logger }) {
  const { openDatabaseServer } = await import('./database.ts');
  const spawned = Promise.withResolvers<void>();
  const opening = openDatabaseServer(config, log, shutdownStack, {
    say,
    onSpawned: spawned.resolve,
  });
  return { opening, isStarting: Promise.race([spawned.promise, opening.then(() => undefined)]) };
}
