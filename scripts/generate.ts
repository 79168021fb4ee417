/** Writes the generated files. `npm run check` compares those that need no database, `npm test` the tables. */
import { mkdir, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../src/db/migrate.ts';
import { silentLogger } from '../src/lib/logger.ts';
import { startTestCluster } from '../tests/harness/cluster.ts';
import { generateTables } from './generate-tables.ts';
import { makeGeneratedFiles } from './generated.ts';
import { root } from './rules/tree.ts';

await mkdir(`${root}docs`, { recursive: true });
for (const file of await makeGeneratedFiles()) await writeFile(root + file.path, file.text);

const cluster = await startTestCluster();
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('drop database if exists toprung_generate');
  await admin.query('create database toprung_generate');
  await admin.end();
  await migrate(cluster.url('toprung_generate'), silentLogger);
  await writeFile(`${root}src/db/tables.ts`, await generateTables(cluster.url('toprung_generate')));
} finally {
  await cluster.stop();
}
