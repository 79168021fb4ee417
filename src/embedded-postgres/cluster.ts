import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresUnsupportedError, syncPath } from './binaries.ts';
import { clusterName, type ServerUser } from './server-location.ts';

/** The address of a Unix socket holds 107 bytes, of which `/.s.PGSQL.5432` takes 14. */
const maxSocketDirBytes = 90;
export const socketPort = 5432;

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
  autovacuum_naptime: '30s',
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

/**
 * Creates the cluster once. The rename completes it, so a crash before it leads to a new attempt.
 */
export async function ensureCluster(options: {
  home: string;
  bin: string;
  user: ServerUser | null;
  majorVersion: string;
  isDurable: boolean;
}): Promise<string> {
  const { home, user } = options;
  const cluster = join(home, clusterName);
  if (existsSync(cluster)) {
    checkCluster(cluster, options.majorVersion, user);
    return cluster;
  }
  await removeDrafts(home);
  const draft = await mkdtemp(`${cluster}.new-`);
  if (user !== null) await chown(draft, user.uid, user.gid);
  await runInitdb(draft, options);
  await rename(draft, cluster);
  await syncPath(home);
  return cluster;
}

async function runInitdb(
  directory: string,
  options: { bin: string; user: ServerUser | null; isDurable: boolean },
) {
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
 * A killed first start leaves drafts, and perhaps an initdb that still writes into one. That draft
 * is removed at the next start.
 */
async function removeDrafts(home: string): Promise<void> {
  const drafts = (await readdir(home)).filter((name) => name.startsWith(`${clusterName}.new-`));
  await Promise.all(
    drafts.map((name) =>
      rm(join(home, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined),
    ),
  );
}

function checkCluster(cluster: string, majorVersion: string, user: ServerUser | null): void {
  const { uid } = statSync(cluster);
  const runner = user?.uid ?? process.getuid?.();
  if (runner !== undefined && uid !== runner) {
    throw new Error(
      `The database in ${cluster} belongs to user ${uid}; start as that user or as root.`,
    );
  }
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found !== majorVersion) {
    throw new Error(
      `The database in ${cluster} is of PostgreSQL ${found}; this release carries ` +
        `${majorVersion}. Back up with the release that made it and restore here.`,
    );
  }
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
