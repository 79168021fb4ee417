import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/torture/**', 'node_modules/**'],
    globalSetup: ['tests/harness/global-setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A second is what a quiet machine needs; a condition waited for may take longer where others work too.
    expect: { poll: { timeout: 10_000 } },
    env: { TZ: 'UTC' },
  },
});
