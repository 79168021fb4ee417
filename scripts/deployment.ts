/**
 * `npm run deployment`: the image, the compose files, the chart, the units of systemd, the
 * catalogue files, and the product with servers of one's own: behind nginx, Caddy and pgbouncer,
 * with a Redis or Valkey that fails, over the data of an older PostgreSQL. Each test needs programs
 * that a machine may lack, and says so. Parts of paths may be given to choose some.
 */
import { tmpdir } from 'node:os';
import { shared, withOtherPrograms, withValkey } from '../vitest.config.ts';
import { runVitest } from './run-vitest.ts';

const minute = 60_000;
const { globalSetup, ...each } = shared;

await runVitest(process.argv.slice(2), {
  globalSetup: [...globalSetup],
  config: false,
  maxWorkers: 2,
  projects: [
    {
      test: {
        ...each,
        name: 'deployment',
        include: ['tests/deployment/**/*.test.ts'],
        // An image is too large for a folder in memory.
        env: { TZ: 'UTC', TMPDIR: tmpdir() },
        testTimeout: 5 * minute,
        hookTimeout: 15 * minute,
      },
    },
    {
      test: {
        ...each,
        name: 'other programs',
        include: withOtherPrograms,
        isolate: false,
        env: { TZ: 'UTC' },
      },
    },
    {
      test: {
        ...each,
        name: 'Valkey',
        include: withValkey,
        isolate: false,
        env: { TZ: 'UTC', REDIS_PROGRAM: 'valkey-server' },
      },
    },
  ],
});
