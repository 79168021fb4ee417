/**
 * `npm run dev`: the product with hot reload. The server starts again when a file of src changes;
 * vite serves the dashboard and updates the page in the browser.
 */
import { watch } from 'node:fs';
import { createServer } from 'vite';
import { findFreePort } from './dev/free-port.ts';
import { ServerProcess } from './dev/server-process.ts';
import { root } from './rules/source-tree.ts';

const debounceMs = 200;
const host = '127.0.0.1';
const apiPort = await findFreePort(host);
const dashboardPort = Number(process.env.WEB_PORT ?? 5_173);

const server = new ServerProcess({ WEB_HOST: host, WEB_PORT: String(apiPort), API_PORT: '0' });
const vite = await createServer({
  configFile: `${root}web/vite.config.ts`,
  server: {
    host,
    port: dashboardPort === 0 ? await findFreePort(host) : dashboardPort,
    proxy: Object.fromEntries(
      ['/api/backend', '/mcp'].map((path) => [path, `http://${host}:${apiPort}`]),
    ),
  },
});

let pending: NodeJS.Timeout | undefined;
const watcher = watch(`${root}src`, { recursive: true }, (_event, name) => {
  if (!/\.(ts|sql)$/.test(name ?? '')) return;
  clearTimeout(pending);
  pending = setTimeout(() => {
    console.log(`src/${name} changed; the server starts again.`);
    void server.restart();
  }, debounceMs);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());

await Promise.all([server.start(), vite.listen()]);
const [url] = vite.resolvedUrls?.local ?? [];
console.log(`\n  Toprung for development:  ${url}\n  Ctrl-C stops everything.\n`);

let isStopping = false;
async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  clearTimeout(pending);
  watcher.close();
  await Promise.all([server.stop(), vite.close()]);
  process.exit(0);
}
