/** The simulated stores, for the containers of a test network. */
import { connect, createServer } from 'node:net';
import { startSimulator } from '#simulator/server.ts';

const simulator = await startSimulator({
  compress: false,
  world: { resultsPerSearch: 60, androidMode: 'web30' },
});
// The simulator itself listens on loopback only.
createServer((client) => {
  const store = connect(simulator.port, '127.0.0.1');
  for (const socket of [client, store])
    socket
      .on('error', () => undefined)
      .on('close', () => [client, store].map((it) => it.destroy()));
  client.pipe(store).pipe(client);
}).listen(8080);
process.once('SIGTERM', () => process.exit(0));
