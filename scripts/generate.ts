/**
 * Writes the generated files. `npm run check` compares those that need no database, `npm test` the
 * types of tables and statements.
 */
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '#db/migrate.ts';
import { silentLogger } from '#lib/logger.ts';
import { startTestCluster } from '#tests/harness/cluster.ts';
import { generateStatements, statementsPath } from './generate-statements.ts';
import { generateTables } from './generate-tables.ts';
import { makeGeneratedFiles } from './generated-files.ts';
import { readTree, root } from './rules/source-tree.ts';

for (const file of makeGeneratedFiles()) await writeFile(root + file.path, file.text);

const cluster = await startTestCluster();
try {
  const admin = new pg.Client({ connectionString: cluster.url('postgres') });
  await admin.connect();
  await admin.query('drop database if exists toprung_generate');
  await admin.query('create database toprung_generate');
  await admin.end();
  await migrate(cluster.url('toprung_generate'), silentLogger);
  const url = cluster.url('toprung_generate');
  await writeFile(`${root}src/db/tables.ts`, await generateTables(url));
  await writeFile(root + statementsPath, await generateStatements(url, readTree()));
} finally {
  await cluster.stop();
}
