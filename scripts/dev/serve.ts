/** The server of `npm run dev`: the whole product but the dashboard's files. */
import { enableCompileCache } from 'node:module';

// A restart then compiles only the files that have changed.
enableCompileCache();
const { start } = await import('#boot/start.ts');
const { runCommand, stopped } = await import('#cli/exit.ts');
const { handleMcpLazily } = await import('#cli/lazy-mcp.ts');
const { readInstanceConfig } = await import('#config/env-file.ts');

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
