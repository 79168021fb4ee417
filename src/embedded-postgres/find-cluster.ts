import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterName, readPointer } from './server-location.ts';
import { socketUrl } from './running-server.ts';
import { listServerPids, readPostmasterFile } from './server-processes.ts';

export interface FoundCluster {
  /** The directory of its files, which differs from DATA_DIR below /root. */
  home: string;
  /** The major version of PostgreSQL that made it. */
  majorVersion: string;
  /** The address of a database of its server; null while it does not accept connections. */
  urlOf: ((database: string) => string) | null;
}

/**
 * The cluster of a data directory, without starting or changing anything; null without one. Throws
 * when the directory points to files that are gone.
 */
export async function findCluster(dataDir: string): Promise<FoundCluster | null> {
  if (!existsSync(dataDir)) return null;
  const real = await realpath(dataDir);
  const home = (await readPointer(real)) ?? real;
  const cluster = join(home, clusterName);
  if (!existsSync(cluster)) return null;
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8');
  const file = readPostmasterFile(cluster);
  const isUp = file?.isReady === true && listServerPids(cluster).includes(file.pid);
  return {
    home,
    majorVersion: version.trim(),
    urlOf: isUp ? (database) => socketUrl(file.socketDir, database, file.port) : null,
  };
}
