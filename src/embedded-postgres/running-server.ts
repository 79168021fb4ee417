import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { socketPort } from './cluster.ts';
import { clusterName, findServerLocation } from './server-location.ts';
import { listMovedClusters } from './upgrade-files.ts';
import { listServerPids, readPostmasterFile, waitUntil } from './server-processes.ts';

const startTimeoutMs = 30_000;

/**
 * The address of a database of the server whose socket is in that directory, as superuser. The
 * name of the socket contains the port.
 */
export function socketUrl(socketDir: string, database: string, port: number = socketPort): string {
  const host = encodeURIComponent(socketDir);
  return `postgres://postgres@localhost:${port}/${encodeURIComponent(database)}?host=${host}`;
}

/** Whether the data directory has a cluster, running or not, or one that an upgrade completed. */
export async function hasCluster(dataDir: string): Promise<boolean> {
  if (!existsSync(dataDir)) return false;
  const { home } = await findServerLocation(dataDir);
  return existsSync(join(home, clusterName)) || (await listMovedClusters(home)).length > 0;
}

/**
 * The address of the server that another process runs in this data directory, once it accepts
 * connections. Throws when it does not in time.
 */
export async function findRunningServer(dataDir: string): Promise<(database: string) => string> {
  const cluster = join((await findServerLocation(dataDir)).home, clusterName);
  const isReady = () => {
    const file = readPostmasterFile(cluster);
    return file?.isReady === true && listServerPids(cluster).includes(file.pid);
  };
  if (!(await waitUntil(isReady, startTimeoutMs)))
    throw new Error(`The database in ${dataDir} is in use and does not accept connections.`);
  const { socketDir, port } = readPostmasterFile(cluster)!;
  return (database) => socketUrl(socketDir, database, port);
}
