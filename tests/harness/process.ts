import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Child {
  pid: number;
  output(): string;
  /**
   * Resolves when the output has the text; rejects when the process ends first or the time is over.
   */
  waitFor(text: string | RegExp, timeoutMs?: number): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * The product's own command line, as a process of its own; in a folder without a `.env`, which
 * would be a developer's instance.
 */
export function startToprung(
  args: string[],
  environment: Record<string, string>,
  cwd = tmpdir(),
  prefix: readonly string[] = [],
): Child {
  return startProgram(`${root}src/cli/main.js`, args, environment, cwd, prefix);
}

/** The command line of this version or another one. `prefix` goes before it. */
export function startProgram(
  program: string,
  args: string[],
  environment: Record<string, string>,
  cwd = tmpdir(),
  prefix: readonly string[] = [],
): Child {
  const [command, ...others] = [...prefix, process.execPath, program, ...args];
  const child = spawn(command!, others, {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '/tmp',
      TZ: process.env.TZ,
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child);
}

function follow(child: ChildProcess): Child {
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-200_000);
      for (const listener of listeners) listener();
    });
  }
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return {
    pid: child.pid!,
    output: () => output,
    exited,
    kill: async (signal) => {
      child.kill(signal);
      await exited;
    },
    waitFor: (text, timeoutMs = 180_000) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => done(new Error(`no "${text}" within ${timeoutMs} ms:\n${output}`)),
          timeoutMs,
        );
        const done = (error?: Error) => {
          clearTimeout(timer);
          listeners.delete(look);
          if (error) reject(error);
          else resolve();
        };
        const look = () => {
          if (typeof text === 'string' ? output.includes(text) : text.test(output)) done();
        };
        listeners.add(look);
        void exited.then(({ code, signal }) =>
          done(new Error(`ended with ${code ?? signal} before "${text}":\n${output}`)),
        );
        look();
      }),
  };
}
