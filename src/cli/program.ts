import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { backupCommand } from './backup.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { healthCommand } from './health.ts';
import { lintCommand } from './lint.ts';
import { listingCommand } from './listing.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { readerCommand } from './reader.ts';
import { restoreCommand } from './restore.ts';
import { scoresCommand } from './scores.ts';
import { startCommand } from './start.ts';
import { uploadCommand } from './upload.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';

/** Parses the command line and runs the command. Modules are loaded when a command needs them. */
export async function run(): Promise<void> {
  const program = new Command('toprung')
    .description(packageJson.description)
    .version(packageJson.version)
    .showHelpAfterError();
  program.addCommand(startCommand());
  program.addCommand(demoCommand());
  program.addCommand(migrateCommand());
  program.addCommand(backupCommand());
  program.addCommand(uploadCommand());
  program.addCommand(restoreCommand());
  program.addCommand(verifyCommand());
  program.addCommand(doctorCommand());
  program.addCommand(healthCommand());
  program.addCommand(lintCommand());
  program.addCommand(listingCommand());
  program.addCommand(mcpCommand());
  program.addCommand(userCommand());
  program.addCommand(readerCommand());
  program.addCommand(scoresCommand());
  await program.parseAsync();
}
