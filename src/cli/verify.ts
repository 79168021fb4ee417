import { Command } from 'commander';
import { readInstanceConfig } from '#config/env-file.ts';
import { runCommand, stopped } from './exit.ts';
import { limitYoungGeneration } from './limit-young-generation.ts';
import { runAbortably } from './run-abortably.ts';

export function verifyCommand(): Command {
  return new Command('verify')
    .argument('<file>', 'a backup: a file, or an object of the storage such as s3://bucket/name')
    .description('restore a backup into a temporary database, compare every table, and drop it')
    .action((file: string) =>
      runCommand(stopped.working, async (shutdownStack) => {
        limitYoungGeneration();
        const { verifyFile } = await import('#boot/backups/verify-file.ts');
        const config = readInstanceConfig();
        const { manifest } = await runAbortably(shutdownStack, (signal, resources) =>
          verifyFile(config, resources, file, signal),
        );
        await shutdownStack.close();
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
        console.log(
          `The backup of ${manifest.createdAt} is whole: ${manifest.tables.length} tables with ` +
            `${rows} rows restore to the same values.`,
        );
      }),
    );
}
