import { activeSpan, runFor, type Span } from './tracing.ts';

/**
 * Batches requests: everything that arrives while a batch is in flight goes into the next one, so
 * that under load a hundred requests cost the server as much as one.
 */
export class Batch<Ask, Result> {
  private readonly requestAll: (asks: Ask[]) => Promise<Result[]>;
  private waiting: {
    ask: Ask;
    span: Span | null;
    resolve: (result: Result) => void;
    reject: (error: Error) => void;
  }[] = [];
  private isBusy = false;

  /** `requestAll` resolves in the order of its input. */
  constructor(requestAll: (asks: Ask[]) => Promise<Result[]>) {
    this.requestAll = requestAll;
  }

  ask(ask: Ask): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ask, span: activeSpan(), resolve, reject });
      void this.run();
    });
  }

  private async run(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        const results = await runFor(
          batch.map(({ span }) => span),
          () => this.requestAll(batch.map(({ ask }) => ask)),
        );
        for (const [index, { resolve }] of batch.entries()) resolve(results[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error as Error);
      }
    }
    this.isBusy = false;
  }
}
