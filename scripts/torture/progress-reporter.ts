import type { Reporter, TestCase, TestModule } from 'vitest/node';

const quietMs = 12_000;
const figuresLine = /^figures (\d+): (.+)$/gm;

/**
 * Prints which test runs whenever nothing was printed for twelve seconds, and at the end the
 * figures that tests reported, as rows for docs/reliability.md.
 */
export class ProgressReporter implements Reporter {
  private readonly figures: { guarantee: number; text: string }[] = [];
  private running: { test: TestCase; sinceMs: number } | null = null;
  private files = { started: 0, all: 0 };
  private lastLineMs = performance.now();
  private timer: NodeJS.Timeout | undefined;

  onTestRunStart(specifications: readonly unknown[]): void {
    this.files.all = specifications.length;
    this.timer = setInterval(() => this.printIfQuiet(), 1_000);
  }

  onTestModuleStart(): void {
    this.files.started += 1;
  }

  onTestCaseReady(test: TestCase): void {
    this.running = { test, sinceMs: performance.now() };
  }

  onUserConsoleLog({ content }: { content: string }): void {
    this.lastLineMs = performance.now();
    for (const [, guarantee, text] of content.matchAll(figuresLine))
      this.figures.push({ guarantee: Number(guarantee), text: text! });
  }

  onTestRunEnd(): void {
    clearInterval(this.timer);
    if (this.figures.length === 0) return;
    const today = new Date().toISOString().slice(0, 10);
    console.log('\nFigures for docs/reliability.md:');
    for (const { guarantee, text } of this.figures.toSorted((a, b) => a.guarantee - b.guarantee))
      console.log(`| ${guarantee} | ${text} (${today}) |`);
  }

  private printIfQuiet(): void {
    const now = performance.now();
    if (now - this.lastLineMs < quietMs || this.running === null) return;
    this.lastLineMs = now;
    const { test, sinceMs } = this.running;
    const seconds = Math.round((now - sinceMs) / 1_000);
    const limit = test.options.timeout ? ` of at most ${test.options.timeout / 1_000} s` : '';
    console.log(
      `file ${this.files.started} of ${this.files.all}, ${describeTest(test.module, test)}: ` +
        `${seconds} s${limit}`,
    );
  }
}

function describeTest(module: TestModule, test: TestCase): string {
  const tests = [...module.children.allTests()];
  return `${module.relativeModuleId}, test ${tests.indexOf(test) + 1} of ${tests.length}`;
}
