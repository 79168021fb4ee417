import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FileOrder } from '#tests/harness/file-order.ts';

const minuteMs = 60_000;

/** They measure the memory of their own process. */
const alone = ['tests/stores/failure-pages.test.ts'];
const withBrowser = ['tests/browser/**/*.test.ts', 'tests/api/docs-page.test.ts'];
const reckonsWithDays = 'tests/**/*{date,ranking,run-rules,timezone}*.test.ts';
/** Access and isolation between workspaces are tested with and without plans. */
const metered = ['tests/api/{credentials,tenants}.test.ts'];
/**
 * Fourteen hours ahead of UTC; and, for what knows zones, two and a half or three and a half behind
 * with summer time.
 */
const farZones = {
  'Pacific/Kiritimati': reckonsWithDays,
  'America/St_Johns': 'tests/**/*{date,ranking,timezone}*.test.ts',
};

/** Options of every run, also of long ones and of those that take pictures. */
export const shared = {
  pool: 'forks',
  globalSetup: ['tests/harness/global-setup.ts'],
  // Against what never ends; what takes a second takes ten on a machine with other work.
  testTimeout: 2 * minuteMs,
  hookTimeout: 4 * minuteMs,
  // A second is what a quiet machine needs; a condition waited for may take longer where others
  // work too.
  expect: { poll: { timeout: 10_000 } },
} as const;

const { globalSetup, ...each } = shared;

/**
 * Files of one project follow one another in the same process: what they import is loaded once, and
 * a browser started once.
 */
const project = (
  name: string,
  include: string[],
  more: {
    exclude?: string[];
    isolate?: boolean;
    zone?: string;
    environment?: Record<string, string>;
  } = {},
) => ({
  test: {
    ...each,
    name,
    include,
    sequence: { shuffle: { tests: true } },
    exclude: more.exclude ?? [],
    isolate: more.isolate ?? false,
    env: { TZ: more.zone ?? 'UTC', ...more.environment },
  },
});

export default defineConfig({
  test: {
    globalSetup: [...globalSetup],
    // Two of them mostly wait: with as many more than there are cores, the cores are busy.
    maxWorkers: Math.min(4, availableParallelism() + 2),
    sequence: { sequencer: FileOrder, seed: Number(process.env.TEST_SEED ?? randomInt(1_000_000)) },
    projects: [
      project('browser', withBrowser),
      // Tests of days run in far zones, which show mistakes that UTC hides.
      project('together', ['tests/**/*.test.ts'], {
        exclude: [...withBrowser, ...alone, reckonsWithDays],
      }),
      project('alone', alone, { isolate: true }),
      project('metered', metered, { environment: { METERED: '1' } }),
      ...Object.entries(farZones).map(([zone, files]) => project(zone, [files], { zone })),
    ],
  },
});
