import packageJson from '../../../../package.json' with { type: 'json' };
import { readMigrationFiles } from '#db/migrate.ts';
import { isNewerRelease } from '#lib/release-version.ts';
import { failure, ok, warning, type Finding } from '../finding.ts';
import type { Readings, UpdateReading } from '../readings.ts';

const minNode = 24;
const minPostgres = 18;

/** Toprung, Node, PostgreSQL, and the schema of the database. */
export async function checkVersions({ database, update }: Readings): Promise<Finding[]> {
  const ours = [checkNode(process.versions.node), ...checkUpdate(update)];
  if (database.state !== 'running') return ours;
  const { server } = database;
  return [...ours, checkPostgres(server), await checkSchema(server.migrations)];
}

function checkUpdate(update: UpdateReading | null): Finding[] {
  if (update === null || ('newest' in update && update.newest === null)) return [];
  if ('reason' in update)
    return [
      warning(
        'versions',
        `The newest version could not be read from UPDATE_CHECK_URL: ${update.reason}`,
        'Correct UPDATE_CHECK_URL, or set UPDATE_CHECK=off.',
      ),
    ];
  const newest = update.newest!;
  return isNewerRelease(newest, packageJson.version)
    ? [
        warning(
          'versions',
          `Toprung ${newest} is available.`,
          'Read its CHANGELOG.md, make a backup, and update.',
        ),
      ]
    : [ok('versions', 'There is no newer version.')];
}

function checkNode(version: string): Finding {
  const message = `Toprung ${packageJson.version} runs on Node ${version}.`;
  return Number.parseInt(version, 10) >= minNode
    ? ok('versions', message)
    : failure('versions', message, `Use Node ${minNode} or later, as npm start does.`);
}

function checkPostgres({ version, majorVersion }: { version: string; majorVersion: number }) {
  const message = `The database is PostgreSQL ${version}.`;
  return majorVersion >= minPostgres
    ? ok('versions', message)
    : failure('versions', message, `Use PostgreSQL ${minPostgres} or later.`);
}

async function checkSchema(applied: { name: string; hash: string }[] | null): Promise<Finding> {
  const files = new Map((await readMigrationFiles()).map(({ name, hash }) => [name, hash]));
  if (applied === null)
    return warning('versions', 'The database has no schema yet.', 'Start Toprung: it makes one.');
  const newer = applied.filter(({ name }) => !files.has(name));
  if (newer.length > 0)
    return failure(
      'versions',
      `A newer version has migrated the database (${newer[0]!.name}).`,
      'Start that version, or restore a backup of this one.',
    );
  const changed = applied.find(({ name, hash }) => files.get(name) !== hash);
  if (changed)
    return failure(
      'versions',
      `Migration ${changed.name} is not the one that was applied.`,
      'Install a release as it is: its migrations must not be changed.',
    );
  const missing = files.size - applied.length;
  return missing === 0
    ? ok('versions', `The schema has all ${files.size} migrations.`)
    : warning('versions', `${missing} migrations are not applied.`, 'Run toprung migrate.');
}
