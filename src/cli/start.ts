import { flushCompileCache } from 'node:module';
import { Command, Option } from 'commander';
import { start, type Role, type Running } from '#boot/start.ts';
import { readInstanceConfig } from '#config/env-file.ts';
import { isLoopbackHost } from '#lib/listen.ts';
import { runCommand, stopped } from './exit.ts';
import { handleMcpLazily } from './lazy-mcp.ts';

export function startCommand(): Command {
  return new Command('start')
    .description('start the whole product, or one role of it')
    .addOption(
      new Option('--role <role>', 'the role of this process')
        .choices(['all', 'api', 'worker', 'web'])
        .default('all'),
    )
    .action(({ role }: { role: Role }) =>
      runCommand(stopped.serving, async (shutdownStack) => {
        const config = readInstanceConfig();
        const running = await start({
          config,
          role,
          say: console.log,
          mcp: handleMcpLazily,
          shutdownStack,
        });
        announce(running, role, isLoopbackHost(config.API_HOST));
        // Otherwise written at the exit, which a kill or a crash leaves out.
        flushCompileCache();
      }),
    );
}

function announce(running: Running, role: Role, apiIsOurs: boolean): void {
  console.log('');
  if (running.webUrl) console.log(`  Toprung is up:  ${running.webUrl}`);
  if (running.apiUrl)
    console.log(`  API:            ${running.apiUrl}${apiIsOurs ? '   (this machine only)' : ''}`);
  if (role === 'worker') console.log('  The worker is up.');
  if (running.setupToken) {
    console.log(`  Setup token:    ${running.setupToken}`);
    console.log('                 Needed once, to create the first account from another machine.');
  }
  console.log('');
}
