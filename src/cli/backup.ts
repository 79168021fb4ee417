import { Command } from 'commander';
import { priorities, setProcessPriority } from '#boot/thread-priority.ts';
import { readInstanceConfig } from '#config/env-file.ts';
import { formatBytes } from '#lib/format-bytes.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { runCommand, stopped } from './exit.ts';
import { limitYoungGeneration } from './limit-young-generation.ts';
import { createPassphraseReader, type KeyOptions } from './passphrase.ts';
import { runAbortably } from './run-abortably.ts';
import { showTables } from './show-tables.ts';
import { describeUpload } from './describe-upload.ts';

interface Options extends KeyOptions {
  to?: string;
  upload: boolean;
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('write a backup of the whole database into one file, while the product runs')
    .option('--to <path>', 'a directory, or the file to write (default: BACKUP_DIR, else .)')
    .option('--with-keys', 'include the secrets of DATA_DIR, encrypted with a passphrase')
    .option('--no-upload', 'do not upload it to the bucket of BACKUP_S3_URL')
    .option('--passphrase-file <file>', 'the file with the passphrase (default: BACKUP_PASSPHRASE)')
    .action((options: Options) =>
      runCommand(stopped.working, async (shutdownStack) => {
        // Requests come first.
        setProcessPriority(priorities.nightly);
        limitYoungGeneration();
        const config = readInstanceConfig();
        const readPassphrase = createPassphraseReader(config, options);
        const { backUpInstance } = await import('#boot/backups/back-up-instance.ts');
        const passphrase = readPassphrase && (await readPassphrase());
        const { created, uploaded } = await runAbortably(shutdownStack, (signal, resources) =>
          backUpInstance(config, resources, {
            target: options.to ?? `${config.BACKUP_DIR ?? '.'}/`,
            passphrase,
            uploads: options.upload,
            product: packageJson.version,
            onTable: showTables(),
            signal,
          }),
        );
        await shutdownStack.close();
        console.log(
          `${created.path}\n${created.rows} rows of ${created.tables} tables, ` +
            `${formatBytes(created.bytes)} of a database of ` +
            `${formatBytes(created.databaseBytes)}, in ${created.seconds.toFixed(1)} s.`,
        );
        if (uploaded) console.log(describeUpload(uploaded));
      }),
    );
}
