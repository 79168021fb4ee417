import { Command } from 'commander';
import { readClientConfig } from '#config/client-config.ts';
import { createLogger } from '#lib/logger.ts';
import { failWith } from './exit.ts';
import { readConnection } from './instance-connection.ts';

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
    .action(async (flags: Flags, command: Command) => {
      try {
        await serve(flags, command);
        process.exit(0);
      } catch (error) {
        failWith(error);
      }
    });
}

async function serve(
  { url: flag, readOnly, toolsets: names }: Flags,
  command: Command,
): Promise<void> {
  const { readToolsets, serveMcpOnStdio } = await import('#mcp/stdio.ts');
  const toolsets = names === undefined ? undefined : readToolsets(names);
  if (toolsets === null)
    command.error(
      `toprung: --toolsets ${names}: one of these does not exist. See toprung mcp --help.`,
    );
  const { url, token } = await readConnection(flag);
  const { LOG_LEVEL } = readClientConfig();
  await serveMcpOnStdio({ url, token, readOnly, toolsets, log: createLogger(LOG_LEVEL) });
}
