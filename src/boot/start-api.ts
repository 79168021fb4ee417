import { buildApi } from '#api/server.ts';
import { describeSettings, listSecretValues } from '#config/describe-settings.ts';
import type { Config } from '#config/env.ts';
import { storeSetupToken } from '#domain/accounts/auth/sign-up.ts';
import { apiVersion } from '#contract/index.ts';
import { closeServer, drainServer, listenOnFreePort, localUrlOf } from '#lib/listen.ts';
import { faultDescriptions } from '#db/replica/describe-fault.ts';
import type { ReplicaProbe } from '#db/replica/probe-replica.ts';
import type { Logger } from '#lib/logger.ts';
import { storeNames } from '#domain/base/ports.ts';
import { createBoard } from '#queue/board.ts';
import { probeQueue } from './probe-queue.ts';
import { examineInstance } from './doctor/examine-instance.ts';
import { startHeavyReadThreads } from './heavy-reads/start-threads.ts';
import { gatewayKeyOf, readAuthSecret, setupTokenOf } from './secrets.ts';
import type { Runtime } from './services.ts';

export interface ApiRole {
  url: string;
  setupToken: string | null;
  close(): Promise<void>;
}

/** Starts the HTTP API, on loopback unless API_HOST is set. */
export async function startApi({
  config,
  runtime,
  log,
  isAlone = false,
}: {
  config: Config;
  runtime: Runtime;
  log: Logger;
  /** Others keep connections to this process, and may go on while it stops. */
  isAlone?: boolean;
}): Promise<ApiRole> {
  // The queue board shows open queues only.
  for (const store of storeNames) runtime.queues.queue(store);
  const authSecret = await readAuthSecret(config);
  const { attempts, requests } = await runtime.counters();
  const { endpoints: _, egress: __, ...settings } = runtime.services.settings;
  const heavyReads = startHeavyReadThreads({
    databaseUrl: runtime.databaseUrl,
    replicaUrl: config.DATABASE_READ_URL,
    logLevel: config.LOG_LEVEL,
    settings,
  });
  const { replica } = runtime;
  if (replica !== null) await reportReplica(replica, log);
  const app = await buildApi({
    services: runtime.services,
    config: {
      publicUrl: config.PUBLIC_URL,
      apiDocs: config.API_DOCS,
      signUp: config.SIGN_UP,
      trustProxy: config.TRUST_PROXY,
      insecureCookies: config.INSECURE_COOKIES,
      gatewayKey: gatewayKeyOf(authSecret),
    },
    authSecret,
    queue: probeQueue(runtime.queues),
    ...(replica && {
      replica: async () => ({ ...(await replica.read()), reads: heavyReads.counts() }),
    }),
    diagnostics: {
      examine: () => examineInstance(() => config, { egress: runtime.services.settings.egress() }),
      settings: describeSettings,
      secrets: listSecretValues,
    },
    board: () => createBoard(runtime.queues),
    version: apiVersion,
    usageFlushMs: 5_000,
    heavyReads,
    attempts,
    ...(requests && { counters: requests }),
  });
  const port = await listenOnFreePort(app, config.API_HOST, config.API_PORT);
  if (config.API_PORT !== 0 && port !== config.API_PORT)
    log.warn({ requested: config.API_PORT, port }, 'API_PORT is taken; a free port was chosen');
  return {
    url: localUrlOf(config.API_HOST, port),
    setupToken: await storeSetupToken(runtime.services, {
      given: config.SETUP_TOKEN,
      derived: setupTokenOf(authSecret),
    }),
    close: async () => {
      if (isAlone) await drainServer(app);
      await closeServer(app);
      await heavyReads.close();
    },
  };
}

/** A replica that cannot be used stops no start: a failover may have exchanged the addresses. */
async function reportReplica(replica: ReplicaProbe, log: Logger): Promise<void> {
  const health = await replica.read().catch(() => null);
  if (health === null || health.fault === null) return;
  const { message, remedy, isMistake } = faultDescriptions[health.fault];
  log[isMistake ? 'error' : 'warn']({ fault: health.fault, remedy }, message);
}
