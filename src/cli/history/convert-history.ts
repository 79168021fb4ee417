import { Command } from 'commander';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '#lib/command-error.ts';
import { writeCsv } from '#lib/csv-writer.ts';
import { refuseFile } from '../refuse-file.ts';
import { processShell, type Shell } from '../terminal/shell.ts';
import { runWork } from '../work/run-work.ts';
import type { HistoryDatabase, HistoryRow } from './history-row.ts';

/** The page and the API recognise a file with this header. */
const historyHeader = ['App Id', 'Keyword', 'Country', 'Observed On', 'Position'] as const;

const rowsAtOnce = 1_000;

interface Options {
  out: string;
  app?: string;
}

export function convertHistoryCommand(shell: Shell = processShell): Command {
  return new Command('convert-history')
    .argument('<database>', 'the SQLite file of Keywordista, SerpBear or Astro')
    .description(
      'write the positions in the database of another tool as CSV, which the page Import and ' +
        'export reads (docs/imports.md); the database is only read',
    )
    .option('--out <file>', 'the CSV file, which must not exist yet', 'history.csv')
    .option('--app <id>', 'only this app, by its id in the store')
    .action((path: string, options: Options) =>
      runWork(
        {},
        async () => {
          const { withHistory } = await import('./open-history.ts');
          await withHistory(path, (history) => write(history, options, shell));
        },
        shell,
      ),
    );
}

async function write(history: HistoryDatabase, options: Options, shell: Shell): Promise<void> {
  const apps = new Map<string, number>();
  const chosen = function* () {
    for (const row of history.rows())
      if (options.app === undefined || row.app === options.app) {
        apps.set(row.app, (apps.get(row.app) ?? 0) + 1);
        yield row;
      }
  };
  // Opened before the first row is read, so that a file of somebody else is never removed.
  const file = await create(options.out);
  try {
    await pipeline(Readable.from(asCsv(chosen())), file.createWriteStream());
  } catch (error) {
    await rm(options.out, { force: true });
    // The others are of the database.
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : refuseFile(options.out, error);
  }
  const rows = [...apps.values()].reduce((sum, count) => sum + count, 0);
  shell.error(`Recognised ${history.tool} (${history.source}).\n`);
  for (const note of history.notes) shell.error(`${note}\n`);
  for (const [app, count] of apps) shell.error(`  ${app}: ${count} rows\n`);
  await shell.out(`${rows} rows written to ${options.out}.\n`);
}

const create = (path: string) =>
  open(path, 'wx').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandError(`${path} exists. Name another file with --out.`);
    return refuseFile(path, error);
  });

function* asCsv(rows: Iterable<HistoryRow>): Generator<string> {
  yield writeCsv([historyHeader]);
  let page: HistoryRow[] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length < rowsAtOnce) continue;
    yield writeCsv(page.map(toCells));
    page = [];
  }
  yield writeCsv(page.map(toCells));
}

const toCells = ({ app, phrase, country, date, position }: HistoryRow) => [
  app,
  phrase,
  country,
  date,
  position,
];
