/** The server of `npm run dev`: the whole product but the dashboard's files. */
import { start } from '#boot/start.ts';
import { runCommand, stopped } from '#cli/exit.ts';
import { handleMcpLazily } from '#cli/lazy-mcp.ts';
import { readInstanceConfig } from '#config/env-file.ts';

await runCommand(stopped.serving, async (shutdownStack) => {
  // Closed when `npm run dev` is killed, so that no process is left.
  process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  const { setupToken } = await start({
    config: readInstanceConfig(),
    role: 'all',
    servesDashboard: false,
    say: console.log,
    mcp: handleMcpLazily,
    shutdownStack,
  });
  console.log(`The server is up${setupToken ? `; the setup token is ${setupToken}` : ''}.`);
  process.send?.('up');
});
