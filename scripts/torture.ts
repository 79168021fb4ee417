/**
 * `npm run torture`: the long forms of the tests that have one. Part of a path may be given to
 * choose some. It prints a line at least every 15 seconds, and the figures of docs/reliability.md
 * at the end. `npm run torture -- browser-zones`: every browser test once more for readers at
 * either end of the day.
 */
import { globSync, readFileSync } from 'node:fs';
import { shared } from '../vitest.config.ts';
import { runVitest } from './run-vitest.ts';
import { ProgressReporter } from './torture/progress-reporter.ts';

const minute = 60_000;
/** A test, or a file beside it with its name. The audit of a page has a long form too. */
const hasLongForm = (path: string): boolean =>
  globSync(path.replace('.test.ts', '{.test,-*}.ts')).some((part) =>
    /process\.env\.TORTURE|from '(\.\/accessibility-audit|.*\/short-form)/.test(
      readFileSync(part, 'utf8'),
    ),
  );

const { globalSetup, ...each } = shared;
/**
 * Fourteen hours ahead of UTC, and eight or seven behind: at any hour one of them has another day.
 */
const readerZones = ['Pacific/Kiritimati', 'America/Los_Angeles'];
const [what, ...files] = process.argv.slice(2);
console.log(`TEST_SEED=${process.env.TEST_SEED} npm run torture repeats what tests draw.`);

if (what === 'browser-zones') {
  await runVitest(files, {
    globalSetup: [...globalSetup],
    config: false,
    maxWorkers: readerZones.length,
    projects: readerZones.map((zone) => ({
      test: {
        ...each,
        name: zone,
        include: ['tests/browser/**/*.test.ts'],
        isolate: false,
        env: { TZ: 'UTC', BROWSER_TIME_ZONE: zone },
      },
    })),
  });
}

await runVitest(process.argv.slice(2), {
  ...each,
  globalSetup: [...globalSetup],
  config: false,
  include: globSync('tests/**/*.test.ts').filter(hasLongForm),
  env: { TZ: 'UTC', TORTURE: '1', TORTURE_ROUNDS: '50' },
  testTimeout: 10 * minute,
  hookTimeout: 10 * minute,
  maxWorkers: 1,
  reporters: ['default', new ProgressReporter()],
});
