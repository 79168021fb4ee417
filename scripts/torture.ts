/** `npm run torture`: the long forms of the tests that have one. Part of a path may be given to choose some. */
import { globSync, readFileSync } from 'node:fs';
import { shared } from '../vitest.config.ts';
import { runVitest } from './run-vitest.ts';

const minute = 60_000;
/** A test, or what stands beside it under its name. */
const hasLongForm = (path: string): boolean =>
  globSync(path.replace('.test.ts', '{.test,-*}.ts')).some((part) => readFileSync(part, 'utf8').includes('process.env.TORTURE'));

await runVitest(process.argv.slice(2), {
  ...shared,
  globalSetup: [...shared.globalSetup],
  config: false,
  include: globSync('tests/**/*.test.ts').filter(hasLongForm),
  env: { TZ: 'UTC', TORTURE: '1', TORTURE_ROUNDS: '50' },
  testTimeout: 60 * minute,
  hookTimeout: 10 * minute,
  maxWorkers: 1,
});
