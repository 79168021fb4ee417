/** The generated files that need no database, compared with their sources. */
import { existsSync, readFileSync } from 'node:fs';
import { generateConfigurationPage, generateEnvExample } from './generate-settings.ts';
import { findChangedStatements } from './generate-statements.ts';
import {
  addNewMigrations,
  hashesPath,
  hashMigrations,
  readReleasedHashes,
} from './migration-hashes.ts';
import { readTree, root } from './rules/source-tree.ts';
import { findStatements } from './statements/find-statements.ts';

export interface GeneratedFile {
  path: string;
  text: string;
}

/** Two runs over the same sources give the same bytes. */
export function makeGeneratedFiles(): GeneratedFile[] {
  return [
    { path: '.env.example', text: generateEnvExample() },
    { path: 'docs/configuration.md', text: generateConfigurationPage() },
    { path: hashesPath, text: makeMigrationHashes() },
  ];
}

function makeMigrationHashes(): string {
  const hashes = addNewMigrations(readReleasedHashes(), hashMigrations());
  return `${JSON.stringify(hashes, null, 2)}\n`;
}

/** One sentence for each file that differs from its sources. */
export async function findDrift(): Promise<string[]> {
  const files = makeGeneratedFiles();
  const stale = files.filter(
    (file) => !existsSync(root + file.path) || readFileSync(root + file.path, 'utf8') !== file.text,
  );
  return [
    ...stale.map(({ path }) => `${path} is not what its source says`),
    ...(await findStatementDrift()),
  ];
}

/** Texts of statements are compared here; their types need a database, so a test compares them. */
async function findStatementDrift(): Promise<string[]> {
  const { statementHashes } = (await import('#db/statements.ts')) as {
    statementHashes: Record<string, string>;
  };
  return findChangedStatements(findStatements(readTree()), statementHashes);
}
