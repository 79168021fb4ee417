import { Command } from 'commander';
import type { CallOutput } from '#client/http.ts';
import { SetupError } from '#lib/setup-error.ts';
import { CommandError } from '#lib/command-error.ts';
import { printable } from '#lib/text.ts';
import { checkAddress, checkToken, readConnection, readSession } from './instance-connection.ts';
import type { Shell } from './terminal/shell.ts';
import { printJson, runWork, workCommand } from './work/run-work.ts';

export function loginCommand(shell?: Shell): Command {
  return new Command('login')
    .argument('[address]', 'the address of the instance that you open in a browser')
    .description(
      'store the address and an API token for the commands of work; the token comes from a ' +
        'prompt or from stdin',
    )
    .action((address: string | undefined) =>
      runWork(
        {},
        async ({ shell: io }) => {
          const url = (address ?? (await askForAddress(io))).trim();
          checkAddress(url);
          const token = (
            io.isInteractive
              ? await io.ask('API token (Settings, API tokens): ', { isSecret: true })
              : await io.readInput()
          ).trim();
          if (token === '')
            throw new SetupError(
              'No token was given. Type it, or pipe it: toprung login <address> < token-file',
            );
          checkToken(token, 'The text');
          const { connect } = await import('./work/open-api.ts');
          const session = await readSession(connect({ url, token }));
          const { storeConnection } = await import('./stored-connection.ts');
          const file = await storeConnection({ url, token }).catch((error: unknown) => {
            const { code } = error as NodeJS.ErrnoException;
            throw new CommandError(
              `The login cannot be stored (${code}). Set XDG_CONFIG_HOME to a folder that you ` +
                'can write, or use TOPRUNG_URL and TOPRUNG_TOKEN.',
            );
          });
          await io.out(`${describe(session)}\nStored in ${file}.\n`);
        },
        shell,
      ),
    );
}

async function askForAddress(shell: Shell): Promise<string> {
  if (!shell.isInteractive)
    throw new SetupError('Name the address: toprung login http://localhost:3000 < token-file');
  return shell.ask('Address of the instance: ');
}

export function logoutCommand(shell?: Shell): Command {
  return new Command('logout')
    .description('remove what toprung login stored; the token stays valid until it is revoked')
    .action(() =>
      runWork(
        {},
        async ({ shell: io }) => {
          const { removeStoredConnection } = await import('./stored-connection.ts');
          const text = (await removeStoredConnection())
            ? 'The login was removed. To revoke the token, use Settings, API tokens.'
            : 'There was no login.';
          await io.out(`${text}\n`);
        },
        shell,
      ),
    );
}

export function whoamiCommand(shell?: Shell): Command {
  return workCommand('whoami')
    .description('show the instance, the account and the workspace of the token')
    .action((options: { url?: string; json: boolean }) =>
      runWork(
        options,
        async ({ shell: io, api }) => {
          const { url } = await readConnection(options.url);
          const session = await readSession(await api());
          if (options.json) await printJson(io, { url, ...session });
          else await io.out(`${printable(url)}\n${describe(session)}\n`);
        },
        shell,
      ),
    );
}

const describe = ({ user, workspace, readOnly }: CallOutput<'GET /auth/session'>): string =>
  `${printable(user.email)} in workspace ${workspace.id}, ${printable(workspace.name)}` +
  `${readOnly ? '; the token is read-only.' : '.'}`;
