import { resolve } from 'node:path';
import { Command } from 'commander';
import type { RestoredInstance } from '#boot/backups/restore-instance.ts';
import { readInstanceConfig } from '#config/env-file.ts';
import type { Config } from '#config/env.ts';
import { runCommand, stopped } from './exit.ts';
import { limitYoungGeneration } from './limit-young-generation.ts';
import { createPassphraseReader, type KeyOptions } from './passphrase.ts';
import { showTables } from './show-tables.ts';

interface Options extends KeyOptions {
  replace?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .argument('<file>', 'a backup: a file, or an object of the storage such as s3://bucket/name')
    .description('restore a backup into an empty database, while the product is stopped')
    .option('--replace', 'delete what the database contains')
    .option('--with-keys', 'restore the secrets of DATA_DIR, too')
    .option('--passphrase-file <file>', 'the file with the passphrase (default: BACKUP_PASSPHRASE)')
    .action((file: string, options: Options) =>
      runCommand(stopped.working, async (shutdownStack) => {
        limitYoungGeneration();
        const config = readInstanceConfig();
        const readPassphrase = createPassphraseReader(config, options);
        const { restoreInstance } = await import('#boot/backups/restore-instance.ts');
        const restored = await restoreInstance(config, shutdownStack, file, {
          replaces: options.replace === true,
          readPassphrase,
          onTable: showTables(),
        });
        await shutdownStack.close();
        const { manifest, continuedTables, migrated, hasKeys, overriding, readers } = restored;
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        console.log(
          `Restored ${rows} rows as of ${manifest.createdAt} into ${describeTarget(config)}.`,
        );
        if (continuedTables > 0)
          console.log(`${continuedTables} tables were there from an interrupted restore.`);
        if (migrated.length > 0)
          console.log(`The schema was brought up to date: ${migrated.join(', ')}.`);
        if (hasKeys && !options.withKeys)
          console.log('The backup also has keys; --with-keys restores them.');
        for (const line of describeReaders({ readers })) console.log(line);
        for (const name of overriding)
          console.log(`${name} is set to another secret than the backup has, and counts.`);
      }),
    );
}

/** A command in the wrong folder restores into a new data directory. */
const describeTarget = ({ DATABASE_URL: url, DATA_DIR: dataDir }: Config): string =>
  url === null ? `the data directory ${resolve(dataDir)}` : 'the database of DATABASE_URL';

function describeReaders({ readers }: Pick<RestoredInstance, 'readers'>): string[] {
  const { complete, withoutPassword, missing } = readers;
  return [
    ...complete.map((login) => `The reader ${login} has its login and its password.`),
    ...withoutPassword.map(
      (login) =>
        `The reader ${login} needs a new password: toprung reader password ${login} sets one.`,
    ),
    ...missing.map(
      (login) =>
        `The reader ${login} has no login: toprung reader password ${login} creates it, or says ` +
        'what an administrator of the server must do.',
    ),
  ];
}
