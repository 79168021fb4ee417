import { Command } from 'commander';
import { readRunnerEnvironment } from '#config/user-environment.ts';
import { CommandError } from '#lib/command-error.ts';
import { SetupError } from '#lib/setup-error.ts';
import { escapeCommand } from './escape-command.ts';

/** The program of action.yml. It reads what the runner sets, and needs no arguments. */
export function githubActionCommand(): Command {
  return new Command('github-action')
    .description('lint a folder as a step of GitHub Actions (action.yml)')
    .action(async () => {
      try {
        const { runAction } = await import('./run-action.ts');
        process.exitCode = await runAction(readRunnerEnvironment());
      } catch (error) {
        const isExpected = error instanceof CommandError || error instanceof SetupError;
        console.log(`::error::${escapeCommand((error as Error).message)}`);
        if (!isExpected) console.error((error as Error).stack);
        process.exitCode = 2;
      }
    });
}
