/**
 * `npm run screens`: a picture of every page, light and dark, wide and narrow, into docs/screens.
 * Parts of names choose some.
 */
import { shared } from '../vitest.config.ts';
import { runVitest } from './run-vitest.ts';

const minute = 60_000;

await runVitest([], {
  ...shared,
  globalSetup: [...shared.globalSetup],
  config: false,
  include: ['scripts/screens/take-screens.ts'],
  env: { TZ: 'UTC', SCREENS: process.argv.slice(2).join(',') },
  testTimeout: 20 * minute,
  hookTimeout: 10 * minute,
  maxWorkers: 1,
});
