/**
 * Asks one question at a time, each for all that came while the last one was being answered: under load a hundred requests cost
 * the server as much as one.
 */
export class Batch<Ask, Answer> {
  private readonly askAll: (asks: Ask[]) => Promise<Answer[]>;
  private waiting: {
    ask: Ask;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
  }[] = [];
  private isBusy = false;

  /** `askAll` answers in the order of what it was asked. */
  constructor(askAll: (asks: Ask[]) => Promise<Answer[]>) {
    this.askAll = askAll;
  }

  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ask, resolve, reject });
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
        const answers = await this.askAll(batch.map(({ ask }) => ask));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!);
      } catch (error) {
        for (const { reject } of batch) reject(error as Error);
      }
    }
    this.isBusy = false;
  }
}
