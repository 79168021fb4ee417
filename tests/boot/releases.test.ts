import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '#client/http.ts';
import { readMigrationFiles } from '#db/migrate.ts';
import { findRunningServer } from '#embedded-postgres/running-server.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createDataDir, productEnvironment, removeDataDir } from '../harness/product.ts';
import { startRole, type RunningRole } from '../harness/start-role.ts';
import {
  archivePath,
  installOldBinaries,
  listReleases,
  readTableContents,
  signInAt,
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

describe('the data directory of every release', () => {
  test('is kept with the commit of the release', () => {
    expect(releases.map(({ version }) => version)).toContain(packageJson.version);
  });

  test.each(releases)('is started by this version with all rows: $version', async (release) => {
    await unpackDataDir(archivePath(release.version), dataDir);
    if (!(await installOldBinaries(release, dataDir))) return;
    // The webhook of the fixtures has no secret that a key could decrypt, which is logged.
    const environment = productEnvironment(dataDir, noStores, { LOG_LEVEL: 'fatal' });
    product = await startRole('api', environment);
    const files = await readMigrationFiles();
    const found = await withPool(async (pool) => ({
      migrations: (await pool.query('select name from migrations')).rowCount,
      tables: await readTableContents(pool, release.tables),
    }));
    expect(found.migrations).toBe(files.length);
    expect(Object.keys(release.tables).length).toBeGreaterThan(70);
    expect(withoutRewritten(found.tables)).toEqual(withoutRewritten(release.tables));
    const client = createClient(await signInAt(product.url, release));
    const { items: apps } = await client('GET /apps', {});
    expect(apps).toHaveLength(2);
    const { items: keywords } = await client('GET /apps/{id}/keywords', {
      params: { id: apps[0]!.id },
    });
    expect(keywords.length).toBeGreaterThan(30);
  });
});
