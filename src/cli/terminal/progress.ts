import { printable } from '#lib/text.ts';
import type { Shell } from './shell.ts';

const delayMs = 1_000;
const intervalMs = 200;

/** A line on stderr about work that takes longer than a second; nothing without a terminal. */
export class Progress {
  readonly #shell: Shell;
  readonly #startedMs = performance.now();
  #shownMs = -Infinity;
  #isShown = false;

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  update(text: string): void {
    const now = performance.now();
    if (!this.#shell.showsProgress || now - this.#startedMs < delayMs) return;
    if (now - this.#shownMs < intervalMs) return;
    this.#shownMs = now;
    this.#isShown = true;
    this.#shell.error(`\r\u001b[K${printable(text)}`);
  }

  end(): void {
    if (this.#isShown) this.#shell.error('\r\u001b[K');
    this.#isShown = false;
  }
}
