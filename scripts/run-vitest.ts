import { startVitest, type CliOptions, type TestModule } from 'vitest/node';
import { addDays, startOfDayMs, utcDayOf } from '#lib/dates.ts';
import { processorSecondsOf } from '#tests/harness/processor-time.ts';
import { root } from './rules/source-tree.ts';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Runs vitest on files chosen by parts of their paths and ends the process as the tests did. `note`
 * is printed again at the end, after what `onEnd` prints.
 */
export async function runVitest(
  files: string[],
  options: CliOptions = {},
  note?: string,
  onEnd?: (modules: readonly TestModule[]) => void,
): Promise<never> {
  const started = performance.now();
  const firstDay = utcDayOf(new Date());
  const vitest = await startVitest(files, { root, watch: false, ...options });
  const counts: Counts = {
    passed: 0,
    failed: vitest.state.getUnhandledErrors().length,
    skipped: 0,
  };
  const interrupted = listFailedAfter(
    startOfDayMs(addDays(firstDay, 1)),
    vitest.state.getTestModules(),
  );
  if (interrupted.length > 0) {
    console.log(
      '\nA UTC day began while the tests ran. The files that failed since then run again:',
    );
    await vitest.runTestSpecifications(interrupted.map((module) => module.toTestSpecification()));
    counts.failed += vitest.state.getUnhandledErrors().length;
  }
  const modules = vitest.state.getTestModules();
  for (const module of modules) {
    counts.failed += module.errors().length;
    // A hook that fails skips the tests of its suite.
    for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test that never came to its turn did not pass.
      counts[state === 'pending' ? 'failed' : state] += 1;
    }
  }
  await vitest.close();
  onEnd?.(modules);
  const seconds = Math.round((performance.now() - started) / 1000);
  const processorSeconds = processorSecondsOf(process.pid);
  const processor =
    processorSeconds === null ? '' : `, and ${Math.round(processorSeconds)} s of processor time`;
  console.log(`\nAll of it took ${seconds} s${processor}.`);
  if (note !== undefined) console.log(note);
  report(counts);
}

/**
 * Tests read the day once and compare it later. What the product does at midnight is tested with
 * clocks that are set.
 */
function listFailedAfter(midnightMs: number, modules: readonly TestModule[]): TestModule[] {
  if (Date.now() < midnightMs) return [];
  return modules.filter((module) => {
    const ends = [...module.children.allTests()].flatMap((test) => {
      const run = test.diagnostic();
      return run === undefined ? [] : [run.startTime + run.duration];
    });
    // Without a time no test ran: a hook failed, or the file could not be loaded.
    return !module.ok() && (ends.length === 0 || Math.max(...ends) >= midnightMs);
  });
}

/**
 * The last line, alone: whoever counts reads this one, then the end. Nothing run at all is a
 * failure.
 */
function report(counts: Counts): never {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}
