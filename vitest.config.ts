import { randomInt } from 'node:crypto';
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { FileOrder } from '#tests/harness/file-order.ts';

const minuteMs = 60_000;

/** Tests that measure the memory of their own process. */
const alone = ['tests/stores/failure-pages.test.ts'];
const withBrowser = ['tests/browser/**/*.test.ts', 'tests/api/docs-page.test.ts'];
/** Only Vite loads what they import: modules with JSX, and globs. */
const ofDashboard = ['tests/web/**/*.test.ts', 'tests/domain/actions-texts.test.ts'];
/** `npm run deployment` runs them: they build an image. */
const deployment = 'tests/deployment/**';
/**
 * `npm run deployment` runs these, too: each needs a program that a fresh machine lacks (nginx,
 * pgbouncer, redis-server), or the download of an older PostgreSQL.
 */
export const withOtherPrograms = [
  'tests/boot/postgres-upgrade.test.ts',
  'tests/flows/connection-pooler.test.ts',
  'tests/flows/redis-failures.test.ts',
  'tests/flows/reverse-proxy.test.ts',
];
/** `npm run deployment` runs these once more with Valkey in the place of Redis. */
export const withValkey = [
  'tests/counters/conformance.test.ts',
  'tests/flows/redis-failures.test.ts',
  'tests/queue/conformance.test.ts',
];
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

/** With all that it starts, a worker takes half of this at most. */
const memoryOfWorker = 2 ** 30;
/**
 * A worker waits for three quarters of the time: for processes that start, stop or are killed, for
 * PostgreSQL and for each other's use of the cores.
 */
const workers = Math.max(
  2,
  Math.min(7, availableParallelism() + 5, Math.floor(totalmem() / memoryOfWorker)),
);
/** Their pages keep the cores busy, and each takes the memory of two others. */
const workersWithBrowser = Math.min(4, availableParallelism() + 2);

// The workers draw short forms by it, too.
process.env.TEST_SEED ??= String(randomInt(1_000_000));

// A worker loads the whole product, in half of the time with code that another has compiled.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

/** Options of every run, also of long ones and of those that take pictures. */
export const shared = {
  pool: 'forks',
  setupFiles: process.env.TEST_TIMES ? ['tests/harness/measure-file.ts'] : [],
  globalSetup: ['tests/harness/global-setup.ts'],
  // Node runs our TypeScript as it is: Vite would transform every module, and slow down its calls.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  // Limits for tests that hang: a busy machine has taken twenty times as long as a quiet one.
  testTimeout: 5 * minuteMs,
  hookTimeout: 10 * minuteMs,
  // A quiet machine needs a second, and a busy one has needed more than ten.
  expect: { poll: { timeout: 30_000 } },
} as const;

const { globalSetup, ...each } = shared;

/**
 * Files of one project share processes, so that modules are loaded and a browser is started once.
 * Projects with a number of workers of their own run first.
 */
const project = (
  name: string,
  include: string[],
  more: {
    exclude?: string[];
    isolate?: boolean;
    viteModuleRunner?: boolean;
    workers?: number;
    zone?: string;
    environment?: Record<string, string>;
  } = {},
) => ({
  test: {
    ...each,
    ...(more.viteModuleRunner && { experimental: { viteModuleRunner: true } }),
    name,
    include,
    sequence: { shuffle: { tests: true }, groupOrder: more.workers ? 0 : 1 },
    maxWorkers: more.workers ?? workers,
    exclude: more.exclude ?? [],
    isolate: more.isolate ?? false,
    // A worker computes an eighth less with a larger young generation.
    execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
    env: { TZ: more.zone ?? 'UTC', ...more.environment },
  },
});

export default defineConfig({
  test: {
    globalSetup: [...globalSetup],
    maxWorkers: workers,
    sequence: { sequencer: FileOrder, seed: Number(process.env.TEST_SEED) },
    projects: [
      project('browser', withBrowser, { workers: workersWithBrowser }),
      project('alone', alone, { isolate: true }),
      project('web', ofDashboard, { viteModuleRunner: true }),
      project('metered', metered, { environment: { METERED: '1' } }),
      // Tests of days run in far zones, which show mistakes that UTC hides.
      ...Object.entries(farZones).map(([zone, files]) => project(zone, [files], { zone })),
      // The last, because its many short files let the workers end together.
      project('together', ['tests/**/*.test.ts'], {
        exclude: [
          ...withBrowser,
          ...alone,
          ...ofDashboard,
          testsOfDays,
          deployment,
          ...withOtherPrograms,
        ],
      }),
    ],
  },
});
