import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { allowsColor } from '#config/user-environment.ts';
import { SetupError } from '#lib/setup-error.ts';

/** Input and output of a command. Tests run commands with one of their own. */
export interface Shell {
  out(text: string): Promise<void>;
  /** Messages and progress. Results go to `out`. */
  error(text: string): void;
  /** Columns of the terminal; null when the output is a file or another program. */
  columns: number | null;
  hasColor: boolean;
  /** Somebody can be asked questions. */
  isInteractive: boolean;
  /** A line of progress may be replaced. */
  showsProgress: boolean;
  readInput(): Promise<string>;
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>;
  exit(code: number): void;
}

const maxInputBytes = 4 * 1024 * 1024;

export const processShell: Shell = {
  out: (text) =>
    new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    }),
  error: (text) => void process.stderr.write(text),
  get columns() {
    return process.stdout.isTTY ? process.stdout.columns : null;
  },
  get hasColor() {
    return process.stdout.isTTY && allowsColor();
  },
  get isInteractive() {
    return process.stdin.isTTY && process.stderr.isTTY;
  },
  get showsProgress() {
    return process.stderr.isTTY;
  },
  readInput: async () => {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of process.stdin as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > maxInputBytes)
        throw new SetupError(`The input has more than ${maxInputBytes} bytes. Split it.`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  },
  ask: async (question, { isSecret = false } = {}) => {
    process.stderr.write(question);
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
    const terminal = createInterface({
      input: process.stdin,
      output: isSecret ? hidden : process.stderr,
      terminal: true,
    });
    try {
      return await terminal.question('');
    } finally {
      terminal.close();
      if (isSecret) process.stderr.write('\n');
    }
  },
  exit: (code) => {
    process.exitCode = code;
  },
};
