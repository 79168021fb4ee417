import { Command } from 'commander';
import { makeRecoveryLink } from '../boot/recovery-link.ts';
import { readConfig } from '../config/env.ts';
import { failWith } from './exit.ts';

export function userCommand(): Command {
  const user = new Command('user').description('look after accounts');
  user
    .command('reset-link')
    .argument('<email>', 'the address of the account')
    .description('print a link that sets a new password, once and within an hour (with the embedded database: while the product is stopped)')
    .action(async (email: string) => {
      try {
        console.log(await makeRecoveryLink(readConfig(), email));
      } catch (error) {
        failWith(error);
      }
    });
  return user;
}
