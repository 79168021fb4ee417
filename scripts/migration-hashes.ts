/**
 * The SHA-256 of every released migration. A database that has run a migration refuses to start
 * with a changed one, so a released file stays as it is and a correction is a new file.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { root } from './rules/source-tree.ts';

/** File name to SHA-256 in hexadecimal. */
export type MigrationHashes = Record<string, string>;

export const hashesPath = 'src/db/migrations/hashes.json';
const folder = `${root}src/db/migrations/`;

export function hashMigrations(): MigrationHashes {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return Object.fromEntries(
    names.toSorted().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(folder + name))
        .digest('hex'),
    ]),
  );
}

/** Throws when the list does not exist: without it, no record says what was released. */
export function readReleasedHashes(): MigrationHashes {
  return JSON.parse(readFileSync(root + hashesPath, 'utf8')) as MigrationHashes;
}

/** Adds new files to the list and never replaces an entry. */
export function addNewMigrations(
  released: MigrationHashes,
  present: MigrationHashes,
): MigrationHashes {
  const all = { ...present, ...released };
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** One sentence for each released migration that was changed or deleted. */
export function findChangedMigrations(
  released: MigrationHashes,
  present: MigrationHashes,
): string[] {
  return Object.keys(released)
    .filter((name) => present[name] !== released[name])
    .map(
      (name) =>
        `${name} was ${present[name] ? 'changed' : 'deleted'}: a released migration is never ` +
        'changed: add a new one',
    );
}
