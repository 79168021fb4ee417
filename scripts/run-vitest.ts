import { startVitest, type CliOptions } from 'vitest/node';
import { root } from './rules/tree.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** One run of vitest in a time zone, the machine's own clock included; files are chosen by parts of their paths. */
export async function runVitest(files: string[], zone: string, options: CliOptions = {}): Promise<Counts> {
  process.env.TZ = zone;
  const vitest = await startVitest(files, { root, watch: false, ...options, env: { ...options.env, TZ: zone } });
  const counts: Counts = { passed: 0, failed: vitest.state.getUnhandledErrors().length, skipped: 0 };
  for (const module of vitest.state.getTestModules()) {
    counts.failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test that never came to its turn did not pass.
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
  }
  await vitest.close();
  return counts;
}

export function add(one: Counts, other: Counts): Counts {
  return { passed: one.passed + other.passed, failed: one.failed + other.failed, skipped: one.skipped + other.skipped };
}

/** The last line, alone: whoever counts reads this one, then the end. Nothing run at all is a failure. */
export function report(counts: Counts): never {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}
