import { createProgram } from '#cli/program.ts';
import type { Shell } from '#cli/terminal/shell.ts';

export interface Ran {
  code: number;
  out: string;
  error: string;
}

interface Given {
  environment?: Record<string, string>;
  input?: string;
  /** A terminal with these replies to questions. */
  replies?: string[];
  columns?: number;
}

const names = ['TOPRUNG_URL', 'TOPRUNG_TOKEN', 'XDG_CONFIG_HOME', 'NO_COLOR'];

/** Runs a command of work in this process, with an environment and a terminal of its own. */
export async function runInProcess(args: string[], given: Given = {}): Promise<Ran> {
  const { environment = {}, input = '', replies, columns = null } = given;
  const ran: Ran = { code: 0, out: '', error: '' };
  const shell: Shell = {
    out: (text) => {
      ran.out += text;
      return Promise.resolve();
    },
    error: (text) => void (ran.error += text),
    columns,
    hasColor: false,
    isInteractive: replies !== undefined,
    showsProgress: false,
    readInput: () => Promise.resolve(input),
    ask: (question) => {
      ran.error += question;
      return Promise.resolve(replies?.shift() ?? '');
    },
    exit: (code) => void (ran.code = code),
  };
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) delete process.env[name];
  Object.assign(process.env, { XDG_CONFIG_HOME: '/nowhere', ...environment });
  try {
    await createProgram(shell).parseAsync(args, { from: 'user' });
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
  return ran;
}
