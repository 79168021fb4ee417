import { startVitest, type CliOptions, type TestModule } from 'vitest/node';
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
  const vitest = await startVitest(files, { root, watch: false, ...options });
  const counts: Counts = {
    passed: 0,
    failed: vitest.state.getUnhandledErrors().length,
    skipped: 0,
  };
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
 * The last line, alone: whoever counts reads this one, then the end. Nothing run at all is a
 * failure.
 */
function report(counts: Counts): never {
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}
