import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { allowsColor } from '#config/user-environment.ts';
import { CommandError } from '#lib/command-error.ts';
import { SetupError } from '#lib/setup-error.ts';
import { decodeInput } from './decode-input.ts';

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

/** A stream without a listener for its errors ends the process, such as when a pipe is closed. */
const write = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.write(text, (error) => {
      if (error) return reject(error);
      stream.off('error', reject);
      resolve();
    });
  });

export const processShell: Shell = {
  out: (text) => write(process.stdout, text),
  error: (text) => void write(process.stderr, text).catch(() => undefined),
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
    return decodeInput(Buffer.concat(parts), 'The input');
  },
  ask: async (question, { isSecret = false } = {}) => {
    if (isSecret) process.stderr.write(question);
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
    const terminal = createInterface({
      input: process.stdin,
      output: isSecret ? hidden : process.stderr,
      terminal: true,
    });
    // After Ctrl-D there would be no reply and no error.
    const left = new AbortController();
    terminal.once('close', () => left.abort());
    try {
      return await terminal.question(isSecret ? '' : question, { signal: left.signal });
    } catch (error) {
      throw left.signal.aborted ? new CommandError('No reply was given.') : error;
    } finally {
      terminal.close();
      if (isSecret) process.stderr.write('\n');
    }
  },
  exit: (code) => {
    process.exitCode = code;
  },
};
