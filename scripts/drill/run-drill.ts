import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabaseServer } from '#boot/database.ts';
import { silentLogger } from '#lib/logger.ts';
import { ShutdownStack } from '#lib/shutdown-stack.ts';
import { startSimulator } from '#simulator/server.ts';
import { createDataDir, removeDataDir } from '#tests/harness/product.ts';
import type { DrillOptions } from './drill.ts';
import { addedAfterRestore, loseDataDirectory } from './lose-data-directory.ts';
import { loseHost } from './lose-host.ts';
import { loseQueue } from './lose-queue.ts';

/** Runs all parts on an instance of its own. Throws for the first outcome that is not right. */
export async function runDrill(options: DrillOptions): Promise<void> {
  const begunMs = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'toprung-drill-'));
  const dataDir = await createDataDir();
  const simulator = await startSimulator({
    compress: false,
    world: { apps: 300, resultsPerSearch: 60 },
  });
  const database = new ShutdownStack();
  const drill = { ...options, simulator, folder };
  options.say(
    `A throw-away instance with ${options.markets} keyword markets and simulated stores.`,
  );
  try {
    const { token } = await loseDataDirectory(drill, dataDir);
    // The restored database now serves processes as a server of one's own does.
    const location = { DATABASE_URL: null, DATA_DIR: dataDir };
    const server = await openDatabaseServer(location, silentLogger, database);
    const target = { databaseUrl: server.urlOf('owner'), token };
    const tracked = await loseQueue(drill, {
      ...target,
      tracked: options.markets + addedAfterRestore,
    });
    await loseHost(drill, { ...target, tracked });
    const seconds = Math.round((performance.now() - begunMs) / 1_000);
    options.say(`Nothing was lost, and every position is true. The drill took ${seconds} s.`);
  } finally {
    await database.close();
    await simulator.close();
    await removeDataDir(dataDir).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }
}
