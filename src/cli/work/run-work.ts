import { Command } from 'commander';
import type { Client } from '#client/http.ts';
import { stringifyExact } from '#lib/json.ts';
import { CommandError } from '#lib/command-error.ts';
import { SetupError } from '#lib/setup-error.ts';
import { configurationErrorExitCode } from '../exit.ts';
import { processShell, type Shell } from '../terminal/shell.ts';
import { Progress } from '../terminal/progress.ts';
import { formatTable, type Column } from '../terminal/table.ts';

export interface Work {
  shell: Shell;
  progress: Progress;
  api: () => Promise<Client>;
}

export interface WorkOptions {
  url?: string;
  json?: boolean;
}

/** A command over the API, with the options that all of them have. */
export const workCommand = (name: string): Command =>
  new Command(name)
    .option('--url <address>', 'the address that you open in a browser, instead of TOPRUNG_URL')
    .option('--json', 'print the objects of the API as JSON', false);

/** Runs the work of a command, and prints an expected error in one line with its remedy. */
export async function runWork(
  options: WorkOptions,
  work: (given: Work) => Promise<void>,
  shell: Shell = processShell,
): Promise<void> {
  const progress = new Progress(shell);
  const api = async () => {
    const { openApi } = await import('./open-api.ts');
    return openApi(options.url, (text) => shell.error(`toprung: ${text}\n`));
  };
  try {
    await work({ shell, progress, api });
  } catch (error) {
    progress.end();
    // The reader of a pipe, such as head, has seen enough.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    const isExpected = error instanceof CommandError || error instanceof SetupError;
    const text = error instanceof Error ? error.message : String(error);
    shell.error(`toprung: ${text}\n`);
    if (!isExpected && error instanceof Error) shell.error(`${error.stack}\n`);
    shell.exit(error instanceof SetupError ? configurationErrorExitCode : 1);
  } finally {
    progress.end();
  }
}

export const printJson = (shell: Shell, value: unknown): Promise<void> =>
  shell.out(`${stringifyExact(value)}\n`);

export async function printTable<Row>(
  shell: Shell,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  whenEmpty: string,
): Promise<void> {
  await shell.out(`${rows.length === 0 ? whenEmpty : formatTable(columns, rows, shell)}\n`);
}

/** Writes `{"items":[…]}` page by page, so that a long list needs no memory. */
export async function printItems(
  shell: Shell,
  pages: AsyncIterable<{ items: readonly unknown[] }>,
): Promise<void> {
  let separator = '';
  await shell.out('{"items":[');
  for await (const { items } of pages) {
    if (items.length === 0) continue;
    await shell.out(separator + items.map((item) => stringifyExact(item)).join(',\n'));
    separator = ',\n';
  }
  await shell.out(']}\n');
}
