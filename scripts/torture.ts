/** `npm run torture`: the long forms, of tests/torture. Part of a path may be given to choose some. */
import { report, runVitest } from './run-vitest.ts';

const minute = 60_000;

report(
  await runVitest(process.argv.slice(2), 'UTC', {
    include: ['tests/torture/**/*.test.ts'],
    exclude: ['node_modules/**'],
    env: { TORTURE: '1' },
    testTimeout: 60 * minute,
    hookTimeout: 10 * minute,
    maxWorkers: 1,
  }),
);
