/** `npm run torture`: the long forms of the tests that have one. Part of a path may be given to choose some. */
import { globSync, readFileSync } from 'node:fs';
import { report, runVitest } from './run-vitest.ts';

const minute = 60_000;
const hasLongForm = (path: string): boolean => readFileSync(path, 'utf8').includes('process.env.TORTURE');

report(
  await runVitest(process.argv.slice(2), 'UTC', {
    include: globSync('tests/**/*.test.ts').filter(hasLongForm),
    exclude: ['node_modules/**'],
    env: { TORTURE: '1', TORTURE_ROUNDS: '50' },
    testTimeout: 60 * minute,
    hookTimeout: 10 * minute,
    maxWorkers: 1,
  }),
);
