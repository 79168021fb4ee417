import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '#lib/format-bytes.ts';
import { syncedRename } from './binaries.ts';
import { checkOwner, readMajorVersion, removeDrafts } from './cluster.ts';
import { measureFolder } from './disk-space.ts';
import { dumpOnce, loadOnce, type UpgradeOptions } from './move-rows.ts';
import { removeExpiredClusters, writeKeptUntil } from './replaced-clusters.ts';
import { clusterName } from './server-location.ts';
import { stopOrphans } from './server-processes.ts';
import {
  dumpPath,
  listMovedClusters,
  listReplacedClusters,
  movedPath,
  readState,
  removeLeftovers,
  replacedPath,
} from './upgrade-files.ts';
import {
  requireBinaries,
  requireFreePath,
  requireSpace,
  UpgradeRefusedError,
} from './upgrade-refusals.ts';

/**
 * Brings the cluster to the major version of the binaries: dumps it with the binaries that its
 * release left in the data directory, loads and compares the rows in a new cluster, and swaps the
 * two. The old one is kept for a week. Each step ends with a rename, by which the next start
 * continues after a kill; until the last one the old cluster is as it was.
 */
export async function upgradeCluster(options: UpgradeOptions): Promise<void> {
  const { home, majorVersion } = options;
  await removeDrafts(home);
  await completeSwap(options);
  const from = readMajorVersion(join(home, clusterName));
  if (from !== null && Number(from) < Number(majorVersion)) await upgradeFrom(options, from);
  await removeLeftovers(home, []);
  await removeExpiredClusters(home);
}

/** Continues after a kill between the two renames. */
async function completeSwap({ home, majorVersion }: UpgradeOptions): Promise<void> {
  const cluster = join(home, clusterName);
  if (existsSync(cluster)) return;
  const [moved] = await listMovedClusters(home);
  if (moved?.majorVersion === majorVersion) return syncedRename(moved.path, cluster);
  const [replaced] = await listReplacedClusters(home);
  if (moved || replaced)
    // An empty new cluster would look as if the product had lost all data.
    throw new UpgradeRefusedError(
      `${cluster} is missing, and there is ${moved?.path ?? replaced}. Start the newer release ` +
        'that upgraded the database, or rename the directory that you want to use.',
    );
}

async function upgradeFrom(options: UpgradeOptions, from: string): Promise<void> {
  const { home, majorVersion, mover } = options;
  const cluster = join(home, clusterName);
  const startedMs = performance.now();
  checkOwner(cluster, options.user);
  requireFreePath(replacedPath(home, from));
  await stopOrphans(cluster);
  const bin = await requireBinaries(home, from);
  mover.report(
    `The database is of PostgreSQL ${from}, and this version carries ${majorVersion}. All rows ` +
      'are moved now.',
  );
  await removeStale(options, from);
  await requireSpace(options, from);
  const dump = await dumpOnce(options, from, bin);
  const moved = await loadOnce(options, dump);
  await swapClusters(options, from, moved);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  mover.report(`The database is of PostgreSQL ${majorVersion} now, after ${seconds} s.`);
  await reportReplaced(options, from);
}

async function removeStale({ home, majorVersion }: UpgradeOptions, from: string): Promise<void> {
  const state = readState(join(home, clusterName));
  await removeLeftovers(home, [dumpPath(home, from, state), movedPath(home, majorVersion, state)]);
}

async function swapClusters(
  { home, mover }: UpgradeOptions,
  from: string,
  moved: string,
): Promise<void> {
  mover.report('3 of 3: the new database replaces the old one.');
  const cluster = join(home, clusterName);
  // An operator who went back once left the time of then.
  await rm(join(cluster, 'kept-until'), { force: true });
  await syncedRename(cluster, replacedPath(home, from));
  await syncedRename(moved, cluster);
}

async function reportReplaced({ home, mover }: UpgradeOptions, from: string): Promise<void> {
  const path = replacedPath(home, from);
  const until = (await writeKeptUntil(path)).toISOString().slice(0, 10);
  mover.report(
    `The old one is kept until ${until} in ${path} (${formatBytes(await measureFolder(path))}).`,
  );
}
