import { Command, InvalidArgumentError } from 'commander';
import type { ReaderConnection } from '#boot/readers/manage-readers.ts';
import { readInstanceConfig } from '#config/env-file.ts';
import type { Config } from '#config/env.ts';
import type { ShutdownStack } from '#lib/shutdown-stack.ts';
import { runCommand, stopped } from './exit.ts';

interface CreateOptions {
  workspace: number;
  label?: string;
  login?: string;
}

export function readerCommand(): Command {
  const reader = new Command('reader').description(
    'manage logins for BI tools, which read one workspace (docs/reading-with-other-tools.md)',
  );
  reader
    .command('create')
    .requiredOption('--workspace <id>', 'the workspace that it reads', parseId)
    .option('--label <text>', 'what it is for, such as "Metabase"', parseLabel)
    .option(
      '--login <role>',
      'a login that the administrator of the server has created',
      parseLogin,
    )
    .description('create a login of PostgreSQL, and print its password once')
    .action((options: CreateOptions) => runAndPrint((...args) => create(options, ...args)));
  reader
    .command('password')
    .argument('<login>', 'the login')
    .description('set another password, and print it once; create the login where it is missing')
    .action((login: string) => runAndPrint((...args) => renew(login, ...args)));
  reader
    .command('list')
    .description('list the logins')
    .action(() => runAndPrint(list));
  reader
    .command('revoke')
    .argument('<login>', 'the login')
    .description('end its connections and drop it')
    .action((login: string) => runAndPrint((...args) => revoke(login, ...args)));
  return reader;
}

async function create(
  { workspace: workspaceId, label, login }: CreateOptions,
  config: Config,
  shutdownStack: ShutdownStack,
): Promise<string> {
  const { addReader } = await import('#boot/readers/manage-readers.ts');
  const made = await addReader(config, shutdownStack, {
    workspaceId,
    label: label ?? null,
    login: login ?? null,
  });
  return describeLogin({ ...made, workspaceId });
}

async function renew(login: string, config: Config, shutdownStack: ShutdownStack): Promise<string> {
  const { renewPassword } = await import('#boot/readers/manage-readers.ts');
  return describeLogin(await renewPassword(config, shutdownStack, login));
}

interface ShownLogin {
  login: string;
  password: string | null;
  workspaceId: number;
  workspace: string;
  connection: ReaderConnection;
}

function describeLogin({ login, password, workspaceId, ...shown }: ShownLogin): string {
  const { host, port, database, isOpen } = shown.connection;
  return [
    `${login} reads workspace ${workspaceId}, ${shown.workspace}.`,
    `  host      ${host}`,
    `  port      ${port}`,
    `  database  ${database}`,
    `  user      ${login}`,
    ...(password === null ? [] : [`  password  ${password}   (shown only now)`]),
    ...(isOpen
      ? []
      : ['Set READER_PORT and restart: the embedded database has no port without it.']),
  ].join('\n');
}

async function list(config: Config, shutdownStack: ShutdownStack): Promise<string> {
  const { readReaders } = await import('#boot/readers/manage-readers.ts');
  const readers = await readReaders(config, shutdownStack);
  if (readers.length === 0) return 'There are no readers.';
  return readers
    .map(({ login, workspaceId, workspace, label, createdAt, canLogIn, connections }) =>
      [
        login,
        workspaceId === null
          ? 'its workspace was deleted: revoke it'
          : `workspace ${workspaceId}, ${workspace}`,
        ...(label === null ? [] : [label]),
        ...(createdAt === null ? [] : [`since ${createdAt.toISOString().slice(0, 10)}`]),
        canLogIn
          ? `${connections} connections`
          : `nobody can log in: toprung reader password ${login} sets a password`,
      ].join(' · '),
    )
    .join('\n');
}

async function revoke(
  login: string,
  config: Config,
  shutdownStack: ShutdownStack,
): Promise<string> {
  const { removeReader } = await import('#boot/readers/manage-readers.ts');
  const { statementByHand } = await removeReader(config, shutdownStack, login);
  return statementByHand === null
    ? `${login} was revoked.`
    : `${login} was revoked and reads nothing. An administrator of the server can remove it: ` +
        statementByHand;
}

function parseId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Not the id of a workspace.');
  return Number(text);
}

function parseLogin(text: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(text))
    throw new InvalidArgumentError('Lowercase letters, digits and _, a letter first.');
  return text;
}

function parseLabel(text: string): string {
  const label = text.trim();
  if (label === '' || label.length > 80 || /\p{Cc}/u.test(label))
    throw new InvalidArgumentError('1 to 80 characters in one line.');
  return label;
}

function runAndPrint(
  work: (config: Config, shutdownStack: ShutdownStack) => Promise<string>,
): Promise<void> {
  return runCommand(stopped.working, async (shutdownStack) => {
    const text = await work(readInstanceConfig(), shutdownStack);
    await shutdownStack.close();
    console.log(text);
  });
}
