import { Command } from 'commander';
import { readConfig } from '../config/env.ts';
import { createLogger } from '../lib/logger.ts';
import { SetupFault } from '../lib/setup-fault.ts';
import { failWith } from './exit.ts';

interface Flags {
  url?: string;
  readOnly: boolean;
  toolsets?: string;
}

/** Nothing but the protocol goes to stdout: what is to be said is said on stderr. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve a running instance as tools for an AI client, over stdio (TOPRUNG_URL, TOPRUNG_TOKEN)',
    )
    .option('--url <address>', 'the address that you open in a browser, instead of TOPRUNG_URL')
    .option('--read-only', 'only tools that change nothing, whatever the token may', false)
    .option(
      '--toolsets <names>',
      'only these, separated by commas: apps, keywords, rankings, competitors, metadata, reviews, actions, ops',
    )
    .action(async (flags: Flags) => {
      try {
        await serve(flags);
        process.exit(0);
      } catch (error) {
        failWith(error);
      }
    });
}

async function serve({ url: flag, readOnly, toolsets: names }: Flags): Promise<void> {
  const { TOPRUNG_URL, TOPRUNG_TOKEN: token, LOG_LEVEL } = readConfig();
  const url = flag ?? TOPRUNG_URL;
  if (url === null)
    throw new SetupFault(
      'Set TOPRUNG_URL (or --url) to the address of a running instance, such as http://localhost:3000.',
    );
  checkAddress(url);
  if (token === null)
    throw new SetupFault(
      'Set TOPRUNG_TOKEN to an API token. Make one in the dashboard under Settings, API tokens.',
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SetupFault(
      'TOPRUNG_TOKEN is no API token: none has such characters. Make one in the dashboard under Settings, API tokens.',
    );
  const { readToolsets, serveMcpOnStdio } = await import('../mcp/stdio.ts');
  const toolsets = names === undefined ? undefined : readToolsets(names);
  if (toolsets === null)
    throw new SetupFault(`--toolsets ${names}: one of these is none. See toprung mcp --help.`);
  await serveMcpOnStdio({ url, token, readOnly, toolsets, log: createLogger(LOG_LEVEL) });
}

/** What is refused may hold a password, so it is not printed. */
function checkAddress(url: string): void {
  const address = /^https?:\/\//.test(url) ? URL.parse(url) : null;
  if (!address)
    throw new SetupFault(
      'TOPRUNG_URL (or --url) is no address. Give one such as http://localhost:3000.',
    );
  if (address.username !== '' || address.password !== '')
    throw new SetupFault(
      'TOPRUNG_URL (or --url) has a name or a password in it. Give the address without them; the token alone says who asks.',
    );
}
