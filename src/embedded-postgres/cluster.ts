import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresUnsupportedError, syncedRename } from './binaries.ts';
import { clusterName, type ServerUser } from './server-location.ts';
import { stopOrphans } from './server-processes.ts';

/** The address of a Unix socket holds 107 bytes, of which `/.s.PGSQL.5432` takes 14. */
const maxSocketDirBytes = 90;
export const socketPort = 5432;
/** Directories that are not complete, or are being deleted. */
export const draftPrefix = `${clusterName}.new-`;

/**
 * Small when idle, safe on power loss, UTC everywhere. Parallel queries cost more than they gain on
 * small machines.
 */
export const defaultFlags: Record<string, string> = {
  shared_buffers: '64MB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_connections: '100',
  max_wal_size: '256MB',
  min_wal_size: '48MB',
  max_wal_senders: '0',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  io_method: 'sync',
  jit: 'off',
  random_page_cost: '1.1',
  autovacuum_naptime: '60s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

const runFile = promisify(execFile);

/**
 * The environment of PostgreSQL's programs. Our own variables are left out, because they may
 * contain secrets or PG* settings.
 */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface ClusterOptions {
  home: string;
  bin: string;
  user: ServerUser | null;
  majorVersion: string;
  isDurable: boolean;
}

/**
 * Creates the cluster once. The rename completes it, so a crash before it leads to a new attempt.
 */
export async function ensureCluster(options: ClusterOptions): Promise<string> {
  const { home, user } = options;
  const cluster = join(home, clusterName);
  if (existsSync(cluster)) {
    checkOwner(cluster, user);
    checkVersion(cluster, options.majorVersion);
    return cluster;
  }
  await removeDrafts(home);
  await syncedRename(await createDraft(options), cluster);
  return cluster;
}

/** An empty cluster under a name that the next start removes. */
export async function createDraft(options: ClusterOptions): Promise<string> {
  const draft = await mkdtemp(join(options.home, draftPrefix));
  if (options.user !== null) await chown(draft, options.user.uid, options.user.gid);
  await runInitdb(draft, options);
  return draft;
}

/** The major version of PostgreSQL that made the cluster; null without one. */
export function readMajorVersion(cluster: string): string | null {
  try {
    return readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

async function runInitdb(
  directory: string,
  options: Pick<ClusterOptions, 'bin' | 'user' | 'isDurable'>,
): Promise<void> {
  const settings = [
    '-k',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '-U',
    'postgres',
    '--auth',
    'trust',
    '--no-instructions',
  ];
  if (!options.isDurable) settings.push('--no-sync');
  try {
    await runFile(join(options.bin, 'initdb'), ['-D', directory, ...settings], {
      cwd: '/',
      env: serverEnvironment,
      timeout: 120_000,
      ...(options.user && { uid: options.user.uid, gid: options.user.gid }),
    });
  } catch (cause) {
    const { stderr, message } = cause as Error & { stderr?: string };
    if (/could not look up effective user ID/.test(stderr ?? '')) {
      throw new EmbeddedPostgresUnsupportedError(
        'PostgreSQL needs a user with an entry in /etc/passwd, and ours has none.',
        { cause },
      );
    }
    throw new Error(`PostgreSQL could not create its cluster: ${stderr?.trim() || message}`, {
      cause,
    });
  }
}

/**
 * A killed start leaves drafts, perhaps with a server that runs in one, or an initdb that still
 * writes into one. That draft is removed at the next start.
 */
export async function removeDrafts(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(draftPrefix));
  const drafts = names.map((name) => join(home, name));
  for (const draft of drafts) await stopOrphans(draft);
  await Promise.all(
    drafts.map((draft) =>
      rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined),
    ),
  );
}

export function checkOwner(cluster: string, user: ServerUser | null): void {
  const { uid } = statSync(cluster);
  const runner = user?.uid ?? process.getuid?.();
  if (runner !== undefined && uid !== runner)
    throw new Error(
      `The database in ${cluster} belongs to user ${uid}; start as that user or as root.`,
    );
}

function checkVersion(cluster: string, majorVersion: string): void {
  const found = readMajorVersion(cluster);
  if (found !== majorVersion)
    throw new Error(
      `The database in ${cluster} is of PostgreSQL ${found}; this release carries ` +
        `${majorVersion}.`,
    );
}

/**
 * The socket's directory is private to the server's user, because every client of the socket is a
 * superuser.
 */
export async function createSocketDir(home: string, user: ServerUser | null): Promise<string> {
  const own = join(home, 'run');
  const name = `toprung-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;
  const path = Buffer.byteLength(own) <= maxSocketDirBytes ? own : `/tmp/${name}`;
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const uid = user?.uid ?? process.getuid?.();
  const found = await lstat(path);
  if (!found.isDirectory() || (found.uid !== uid && found.uid !== process.getuid?.())) {
    throw new Error(
      `${path} belongs to user ${found.uid}; the database socket cannot be put there.`,
    );
  }
  if (user !== null) await chown(path, user.uid, user.gid);
  await chmod(path, 0o700);
  return path;
}
