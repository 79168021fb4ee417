/** Writes the generated files. `--tables` alone skips what needs the API; see scripts/check.ts for the drift check. */
import { mkdir, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';
import { silentLogger } from '../src/lib/logger.ts';
import { startTestCluster } from '../tests/harness/cluster.ts';
import { generateConfigurationPage, generateEnvExample } from './generate-settings.ts';
import { generateTables } from './generate-tables.ts';

const root = new URL('../', import.meta.url);
const write = (path: string, text: string) => writeFile(new URL(path, root), text);

await mkdir(new URL('docs/', root), { recursive: true });
await write('.env.example', generateEnvExample());
await write('docs/configuration.md', generateConfigurationPage());

const cluster = await startTestCluster();
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('drop database if exists toprung_generate');
  await admin.query('create database toprung_generate');
  await admin.end();
  await migrate(cluster.url('toprung_generate'), silentLogger);
  await write('src/db/tables.ts', await generateTables(cluster.url('toprung_generate')));
} finally {
  await cluster.stop();
}
