import { Command } from 'commander';
import { readInstanceConfig } from '../config/env-file.ts';
import { createLogger } from '../lib/logger.ts';
import { failWith } from './exit.ts';

export function migrateCommand(): Command {
  return new Command('migrate').description('bring the database to this version’s schema, then end').action(async () => {
    try {
      const config = readInstanceConfig();
      const { openDatabaseServer } = await import('../boot/database.ts');
      const database = await openDatabaseServer(config, createLogger(config.LOG_LEVEL));
      await database.embedded?.stop();
      console.log('The database has this version’s schema.');
    } catch (error) {
      failWith(error);
    }
  });
}
