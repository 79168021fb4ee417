/**
 * `npm run deployment`: the image, the compose files, the chart, the units of systemd and the
 * catalogue files. Each test needs programs that a machine may lack, and says so. Parts of paths
 * may be given to choose some.
 */
import { shared } from '../vitest.config.ts';
import { runVitest } from './run-vitest.ts';

const minute = 60_000;
const { globalSetup: _, ...each } = shared;

await runVitest(process.argv.slice(2), {
  ...each,
  config: false,
  include: ['tests/deployment/**/*.test.ts'],
  env: { TZ: 'UTC' },
  testTimeout: 5 * minute,
  hookTimeout: 15 * minute,
  maxWorkers: 2,
});
