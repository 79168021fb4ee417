import { Command } from 'commander';
import { readInstanceConfig } from '../config/env-file.ts';
import { failWith } from './exit.ts';

export function userCommand(): Command {
  const user = new Command('user').description('look after accounts');
  user
    .command('reset-link')
    .argument('<email>', 'the address of the account')
    .description('print a link that sets a new password, once and within an hour (with the embedded database: while the product is stopped)')
    .action(async (email: string) => {
      try {
        const { makeRecoveryLink } = await import('../boot/recovery-link.ts');
        console.log(await makeRecoveryLink(readInstanceConfig(), email));
      } catch (error) {
        failWith(error);
      }
    });
  user
    .command('confirm')
    .argument('<email>', 'the address of the account')
    .description('take an address as confirmed, as a mailed link would (with the embedded database: while the product is stopped)')
    .action(async (email: string) => {
      try {
        const { confirmAddress } = await import('../boot/confirm-address.ts');
        console.log(await confirmAddress(readInstanceConfig(), email));
      } catch (error) {
        failWith(error);
      }
    });
  user
    .command('operator')
    .argument('<email>', 'the address of the account')
    .option('--revoke', 'take it back')
    .description('make an account an operator, who sees and runs the whole instance (with the embedded database: while the product is stopped)')
    .action(async (email: string, { revoke = false }: { revoke?: boolean }) => {
      try {
        const { grantOperator } = await import('../boot/operator-grant.ts');
        console.log(await grantOperator(readInstanceConfig(), email, !revoke));
      } catch (error) {
        failWith(error);
      }
    });
  return user;
}
