import { parseArgs } from 'node:util';
import { startSimulator } from './server.ts';

/** `node simulator/main.ts --port 4599`. README.md has the options. */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4599' },
    seed: { type: 'string', default: '1' },
    now: { type: 'string' },
    listeners: { type: 'string', default: '1' },
    'rate-limits': { type: 'boolean', default: false },
    apps: { type: 'string' },
    'results-per-search': { type: 'string' },
    detail: { type: 'string' },
    'android-mode': { type: 'string' },
    plain: { type: 'boolean', default: false },
    'until-stdin-ends': { type: 'boolean', default: false },
  },
});

const resultsPerSearch = values['results-per-search'];
const simulator = await startSimulator({
  port: Number(values.port),
  seed: Number(values.seed),
  now: values.now === undefined ? undefined : new Date(values.now),
  listeners: Number(values.listeners),
  rateLimits: values['rate-limits'],
  compress: !values.plain,
  world: {
    ...(values['android-mode'] === 'web30' ? { androidMode: 'web30' as const } : {}),
    detail: values.detail === 'full' ? 'full' : 'lean',
    ...(values.apps === undefined ? {} : { apps: Number(values.apps) }),
    ...(resultsPerSearch === undefined ? {} : { resultsPerSearch: Number(resultsPerSearch) }),
  },
});
process.stdout.write(`store simulator on ${simulator.baseUrl}\n`);
for (const url of simulator.proxyUrls.slice(1)) process.stdout.write(`as a proxy on ${url}\n`);

const stop = () => void simulator.close().then(() => process.exit(0));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
if (values['until-stdin-ends']) process.stdin.resume().once('close', stop);
