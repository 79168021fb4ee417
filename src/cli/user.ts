import { Command } from 'commander';
import { readInstanceConfig } from '../config/env-file.ts';
import type { Config } from '../config/env.ts';
import type { Closers } from '../lib/closers.ts';
import { runCommand, stopped } from './exit.ts';

export function userCommand(): Command {
  const user = new Command('user').description('look after accounts');
  user
    .command('reset-link')
    .argument('<email>', 'the address of the account')
    .description(
      'print a link that sets a new password, once and within an hour (with the embedded database: while the product is stopped)',
    )
    .action((email: string) =>
      sayWhat(async (config, closers) => {
        const { makeRecoveryLink } = await import('../boot/recovery-link.ts');
        return makeRecoveryLink(config, closers, email);
      }),
    );
  user
    .command('confirm')
    .argument('<email>', 'the address of the account')
    .description(
      'take an address as confirmed, as a mailed link would (with the embedded database: while the product is stopped)',
    )
    .action((email: string) =>
      sayWhat(async (config, closers) => {
        const { confirmAddress } = await import('../boot/confirm-address.ts');
        return confirmAddress(config, closers, email);
      }),
    );
  user
    .command('operator')
    .argument('<email>', 'the address of the account')
    .option('--revoke', 'take it back')
    .description(
      'make an account an operator, who sees and runs the whole instance (with the embedded database: while the product is stopped)',
    )
    .action((email: string, { revoke = false }: { revoke?: boolean }) =>
      sayWhat(async (config, closers) => {
        const { grantOperator } = await import('../boot/operator-grant.ts');
        return grantOperator(config, closers, email, !revoke);
      }),
    );
  return user;
}

function sayWhat(work: (config: Config, closers: Closers) => Promise<string>): Promise<void> {
  return runCommand(stopped.working, async (closers) =>
    console.log(await work(readInstanceConfig(), closers)),
  );
}
