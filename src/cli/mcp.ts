import { Command } from 'commander';
import { readConfig } from '#config/env.ts';
import { createLogger } from '#lib/logger.ts';
import { SetupError } from '#lib/setup-error.ts';
import { failWith } from './exit.ts';

interface Flags {
  url?: string;
  readOnly: boolean;
  toolsets?: string;
}

/** Only the protocol goes to stdout; messages go to stderr. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'serve a running instance as MCP tools for an AI client, over stdio (TOPRUNG_URL, ' +
        'TOPRUNG_TOKEN)',
    )
    .option('--url <address>', 'the address that you open in a browser, instead of TOPRUNG_URL')
    .option('--read-only', 'only tools that change nothing, even if the token may', false)
    .option(
      '--toolsets <names>',
      'only these toolsets, separated by commas: apps, keywords, rankings, competitors, ' +
        'metadata, reviews, actions, ops',
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
    throw new SetupError(
      'Set TOPRUNG_URL (or --url) to the address of a running instance, such as ' +
        'http://localhost:3000.',
    );
  checkAddress(url);
  if (token === null)
    throw new SetupError(
      'Set TOPRUNG_TOKEN to an API token. Create one in the dashboard under Settings, API tokens.',
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new SetupError(
      'TOPRUNG_TOKEN is not an API token: it has invalid characters. Create one in the ' +
        'dashboard under Settings, API tokens.',
    );
  const { readToolsets, serveMcpOnStdio } = await import('#mcp/stdio.ts');
  const toolsets = names === undefined ? undefined : readToolsets(names);
  if (toolsets === null)
    throw new SetupError(
      `--toolsets ${names}: one of these does not exist. See toprung mcp --help.`,
    );
  await serveMcpOnStdio({ url, token, readOnly, toolsets, log: createLogger(LOG_LEVEL) });
}

/** The rejected text may hold a password, so it is not printed. */
function checkAddress(url: string): void {
  const address = /^https?:\/\//.test(url) ? URL.parse(url) : null;
  if (!address)
    throw new SetupError(
      'TOPRUNG_URL (or --url) is not an address. Use one such as http://localhost:3000.',
    );
  if (address.username !== '' || address.password !== '')
    throw new SetupError(
      'TOPRUNG_URL (or --url) contains a user name or a password. Remove them; the token ' +
        'alone identifies the caller.',
    );
}
