import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EmbeddedPostgresUnsupportedError, syncPath } from './binaries.ts';

export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

export interface ServerLocation {
  /**
   * The real location of the server's files: the data directory, unless its user cannot reach it.
   */
  home: string;
  /** Null when the server runs as the current user. */
  user: ServerUser | null;
}

export const clusterName = 'pgdata';
const pointerName = 'postgres-home';

/**
 * Chooses the server's user and the location of its files. PostgreSQL refuses to run as root, so
 * root uses the owner of an existing cluster, or else the first of these that can reach the
 * directory: the owner of the data directory, `postgres`, `nobody`.
 * When none can (below /root, 0700), the files go to /var/lib and the data directory keeps a
 * pointer to them.
 */
export async function findServerLocation(dataDir: string): Promise<ServerLocation> {
  await mkdir(dataDir, { recursive: true });
  const real = await realpath(dataDir);
  const pointed = await readPointer(real);
  const home = pointed ?? real;
  if (process.getuid?.() !== 0) return { home, user: null };

  const owner = clusterOwner(join(home, clusterName));
  if (owner !== null) return { home, user: owner };
  const users = await listCandidates(real);
  if (users.length === 0) fail();
  const here = users.find((user) => canTraverse(dirname(home), user));
  if (here === undefined) return { home: await relocateDataDir(real), user: users[0] ?? fail() };
  // Only this last directory is ours to open, and only for traversal.
  if (!canTraverse(home, here)) await chmod(home, statSync(home).mode | 0o011);
  return { home, user: here };
}

/**
 * True when `user` may traverse every directory of the path. Access control lists are not
 * considered.
 */
export function canTraverse(path: string, user: { uid: number; gid: number }): boolean {
  const { uid, gid, mode } = statSync(path);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return dirname(path) === path || canTraverse(dirname(path), user);
}

/** The real location of the server's files where it is not the data directory; null where it is. */
export async function readPointer(dataDir: string): Promise<string | null> {
  const file = join(dataDir, pointerName);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const home = text.trim();
  if (existsSync(home)) return realpath(home);
  // An empty new cluster would look as if the product had lost all data.
  throw new Error(
    `The database of ${dataDir} was kept in ${home}, which is gone. Restore it, or delete ` +
      `${file} to start with an empty database.`,
  );
}

async function relocateDataDir(dataDir: string): Promise<string> {
  const name = `toprung-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`;
  const home = await createHome(`/var/lib/${name}`).catch(() => createHome(`/var/tmp/${name}`));
  const pointer = join(dataDir, pointerName);
  await writeFile(`${pointer}.tmp`, `${home}\n`, { flush: true });
  await rename(`${pointer}.tmp`, pointer);
  await syncPath(dataDir);
  return home;
}

async function createHome(path: string): Promise<string> {
  await mkdir(path, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  // In /var/tmp anybody could have created a directory of this name first.
  if ((await stat(path)).uid !== 0) throw new Error(`${path} belongs to somebody else`);
  await chmod(path, 0o711);
  return path;
}

function clusterOwner(cluster: string): ServerUser | null {
  const found = statSync(cluster, { throwIfNoEntry: false });
  return found === undefined || found.uid === 0
    ? null
    : { name: String(found.uid), uid: found.uid, gid: found.gid };
}

/** `nobody` comes last because other services may use that user, too. */
async function listCandidates(dataDir: string): Promise<ServerUser[]> {
  const known = readUsers(await readFile('/etc/passwd', 'utf8').catch(() => ''));
  const ownerUid = statSync(dataDir).uid;
  return [
    known.find((user) => user.uid === ownerUid && ownerUid !== 0),
    known.find((user) => user.name === 'postgres'),
    known.find((user) => user.name === 'nobody'),
  ].filter((user) => user !== undefined);
}

function readUsers(passwd: string): ServerUser[] {
  return passwd.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || uid === undefined || gid === undefined) return [];
    return [{ name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }];
  });
}

function fail(): never {
  throw new EmbeddedPostgresUnsupportedError(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor a ' +
      'user "nobody".',
  );
}
