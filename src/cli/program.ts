import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { demoCommand } from './demo.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { startCommand } from './start.ts';
import { userCommand } from './user.ts';

/** Parses the command line and runs the command. Modules are loaded when a command needs them. */
export async function run(): Promise<void> {
  const program = new Command('toprung')
    .description(packageJson.description)
    .version(packageJson.version)
    .showHelpAfterError();
  program.addCommand(startCommand());
  program.addCommand(demoCommand());
  program.addCommand(migrateCommand());
  program.addCommand(mcpCommand());
  program.addCommand(userCommand());
  await program.parseAsync();
}
