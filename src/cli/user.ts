import { Command } from 'commander';
import { readInstanceConfig } from '#config/env-file.ts';
import type { Config } from '#config/env.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { runCommand, stopped } from './exit.ts';

export function userCommand(): Command {
  const user = new Command('user').description('manage accounts');
  user
    .command('reset-link')
    .argument('<email>', 'the address of the account')
    .description('print a password reset link, valid once and for an hour')
    .action((email: string) =>
      runAndPrint(async (config, shutdownStack) => {
        const { createRecoveryLink } = await import('#boot/create-recovery-link.ts');
        return createRecoveryLink(config, shutdownStack, email);
      }),
    );
  user
    .command('confirm')
    .argument('<email>', 'the address of the account')
    .description('confirm an address, as a mailed link would')
    .action((email: string) =>
      runAndPrint(async (config, shutdownStack) => {
        const { confirmEmail } = await import('#boot/confirm-email.ts');
        return confirmEmail(config, shutdownStack, email);
      }),
    );
  user
    .command('operator')
    .argument('<email>', 'the address of the account')
    .option('--revoke', 'revoke it')
    .description('make an account an operator, who sees and manages the whole instance')
    .action((email: string, { revoke = false }: { revoke?: boolean }) =>
      runAndPrint(async (config, shutdownStack) => {
        const { grantOperator } = await import('#boot/grant-operator.ts');
        return grantOperator(config, shutdownStack, email, !revoke);
      }),
    );
  return user;
}

function runAndPrint(
  work: (config: Config, shutdownStack: ShutdownStack) => Promise<string>,
): Promise<void> {
  return runCommand(stopped.working, async (shutdownStack) =>
    console.log(await work(readInstanceConfig(), shutdownStack)),
  );
}
