/**
 * An AsyncDisposableStack that also accepts resources while it closes: a start that a signal
 * interrupts continues to its next step.
 */
export class ShutdownStack {
  private open: AsyncDisposableStack | null = null;
  private closing: Promise<void> | null = null;

  add(close: () => Promise<unknown>): void {
    this.open ??= new AsyncDisposableStack();
    this.open.defer(async () => void (await close()));
  }

  /**
   * Closes the newest first. After a failure the others are closed all the same, and then it
   * rejects, with a SuppressedError for several.
   */
  close(): Promise<void> {
    return (this.closing ??= this.closeAll().finally(() => (this.closing = null)));
  }

  private async closeAll(): Promise<void> {
    const { open } = this;
    if (!open) return;
    this.open = null;
    try {
      await open.disposeAsync();
    } finally {
      await this.closeAll();
    }
  }
}
