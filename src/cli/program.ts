import { Command } from 'commander';
import { demoCommand } from './demo.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { startCommand } from './start.ts';
import { userCommand } from './user.ts';

/** Reads the command line and does what it says. What a command needs is loaded when it is asked for. */
export async function run(): Promise<void> {
  const program = new Command('toprung')
    .description(
      'True keyword positions on the iOS app store and the Android app store, every day.',
    )
    .version('0.4.0')
    .showHelpAfterError();
  program.addCommand(startCommand());
  program.addCommand(demoCommand());
  program.addCommand(migrateCommand());
  program.addCommand(mcpCommand());
  program.addCommand(userCommand());
  await program.parseAsync();
}
