import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { FileOrder } from '#tests/harness/file-order.ts';

const minuteMs = 60_000;

/** Tests that measure the memory of their own process. */
const alone = ['tests/stores/failure-pages.test.ts'];
const withBrowser = ['tests/browser/**/*.test.ts', 'tests/api/docs-page.test.ts'];
const testsOfDays = 'tests/**/*{date,ranking,run-rules,timezone}*.test.ts';
/** Access and isolation between workspaces are tested with and without plans. */
const metered = ['tests/api/{credentials,tenants}.test.ts'];
/**
 * 14 hours ahead of UTC; and 3½ hours behind, 2½ in summer, for tests that know time zones.
 */
const farZones = {
  'Pacific/Kiritimati': testsOfDays,
  'America/St_Johns': 'tests/**/*{date,ranking,timezone}*.test.ts',
};

/** Options of every run, also of long ones and of those that take pictures. */
export const shared = {
  pool: 'forks',
  globalSetup: ['tests/harness/global-setup.ts'],
  // Limits for tests that hang: a busy machine takes ten times as long as a quiet one.
  testTimeout: 2 * minuteMs,
  hookTimeout: 4 * minuteMs,
  // A quiet machine needs a second.
  expect: { poll: { timeout: 10_000 } },
} as const;

const { globalSetup, ...each } = shared;

/**
 * Files of one project share processes, so that modules are loaded and a browser is started once.
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
        exclude: [...withBrowser, ...alone, testsOfDays],
      }),
      project('alone', alone, { isolate: true }),
      project('metered', metered, { environment: { METERED: '1' } }),
      ...Object.entries(farZones).map(([zone, files]) => project(zone, [files], { zone })),
    ],
  },
});
