import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { backupCommand } from './backup.ts';
import { completionCommand } from './completion.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { githubActionCommand } from './github/github-action.ts';
import { healthCommand } from './health.ts';
import { convertHistoryCommand } from './history/convert-history.ts';
import { lintCommand } from './lint.ts';
import { listingCommand } from './listing.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './login.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { readerCommand } from './reader.ts';
import { restoreCommand } from './restore.ts';
import { scoresCommand } from './scores.ts';
import { startCommand } from './start.ts';
import { uploadCommand } from './upload.ts';
import { userCommand } from './user.ts';
import { verifyCommand } from './verify.ts';
import type { Shell } from './terminal/shell.ts';
import { actionsCommand, appsCommand, moversCommand } from './work/app-lists.ts';
import { keywordsCommand } from './work/keywords.ts';
import { ranksCommand } from './work/ranks.ts';

/** Parses the command line and runs the command. Modules are loaded when a command needs them. */
export async function run(): Promise<void> {
  await createProgram().parseAsync();
}

/** All commands; those of work read and write through the shell. */
export function createProgram(shell?: Shell): Command {
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
  program.addCommand(githubActionCommand(), { hidden: true });
  program.addCommand(loginCommand(shell));
  program.addCommand(logoutCommand(shell));
  program.addCommand(whoamiCommand(shell));
  program.addCommand(appsCommand(shell));
  program.addCommand(keywordsCommand(shell));
  program.addCommand(ranksCommand(shell));
  program.addCommand(moversCommand(shell));
  program.addCommand(actionsCommand(shell));
  program.addCommand(convertHistoryCommand(shell));
  program.addCommand(completionCommand(shell));
  exitWithUsage(program);
  return program;
}

const usageExitCode = 2;

/** An unknown command or option is not a failure of the work. */
function exitWithUsage(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usageExitCode));
  for (const inner of command.commands) exitWithUsage(inner);
}
