import { Command } from 'commander';
import { readInstanceConfig } from '#config/env-file.ts';
import { createLogger } from '#lib/logger.ts';
import { runCommand, stopped } from './exit.ts';

export function migrateCommand(): Command {
  return new Command('migrate')
    .description('migrate the database to this version’s schema, then exit')
    .action(() =>
      runCommand(stopped.working, async (shutdownStack) => {
        const config = readInstanceConfig();
        const { openDatabaseServer } = await import('#boot/database.ts');
        const log = createLogger(config.LOG_LEVEL);
        await openDatabaseServer(config, log, shutdownStack, { say: console.log });
        await shutdownStack.close();
        console.log('The database has this version’s schema.');
      }),
    );
}
