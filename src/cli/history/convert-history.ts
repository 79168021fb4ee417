import { Command } from 'commander';
import { randomBytes } from 'node:crypto';
import { lstat, open, rename, rm } from 'node:fs/promises';
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
  device?: string;
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
    .option('--device <name>', 'only this device, as the database names it')
    .action((path: string, options: Options) =>
      runWork(
        {},
        async () => {
          const { withHistory } = await import('./open-history.ts');
          await withStopSignal((signal) =>
            withHistory(path, (history) => write(history, options, shell, signal)),
          );
        },
        shell,
      ),
    );
}

/** A stop removes the copy of the database and the unfinished file; a second one ends at once. */
async function withStopSignal<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new CommandError('Stopped. No file was written.'));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await work(stopping.signal);
  } finally {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  }
}

async function write(
  history: HistoryDatabase,
  options: Options,
  shell: Shell,
  signal: AbortSignal,
): Promise<void> {
  const apps = new Map<string, number>();
  const found = { apps: new Set<string>(), devices: new Set<string>() };
  const chosen = function* () {
    for (const row of history.rows()) {
      found.apps.add(row.app);
      if (options.app !== undefined && row.app !== options.app) continue;
      if (row.device !== null) found.devices.add(row.device);
      if (options.device !== undefined && row.device !== options.device) continue;
      apps.set(row.app, (apps.get(row.app) ?? 0) + 1);
      yield row;
    }
  };
  // A killed command must not leave a part of a history under the name of the whole one.
  const draft = `${options.out}.${randomBytes(6).toString('hex')}.partial`;
  const file = await create(options.out, draft);
  try {
    await pipeline(Readable.from(asCsv(chosen(), history.hasDevices)), file.createWriteStream(), {
      signal,
    });
    await rename(draft, options.out);
  } catch (error) {
    await rm(draft, { force: true });
    signal.throwIfAborted();
    // The others are of the database.
    throw (error as NodeJS.ErrnoException).syscall === undefined
      ? error
      : refuseFile(options.out, error);
  }
  const rows = [...apps.values()].reduce((sum, count) => sum + count, 0);
  const { app, device } = options;
  if (rows === 0 && (app !== undefined || device !== undefined)) {
    await rm(options.out);
    throw new CommandError(
      device === undefined || (app !== undefined && !found.apps.has(app))
        ? `No row has the app ${app}. ${describeValues(found.apps)}`
        : `No row has the device ${device}. ${describeValues(found.devices)}`,
    );
  }
  shell.error(`Recognised ${history.tool} (${history.source}).\n`);
  for (const note of history.notes) shell.error(`${note}\n`);
  for (const [app, count] of apps) shell.error(`  ${app}: ${count} rows\n`);
  await shell.out(`${rows} rows written to ${options.out}.\n`);
}

const describeValues = (values: ReadonlySet<string>): string => {
  const shown = [...values].slice(0, 10).join(', ');
  if (values.size === 0) return 'The database names none.';
  return values.size > 10 ? `There are ${shown} and others.` : `There are ${shown}.`;
};

async function create(path: string, draft: string) {
  const found = await lstat(path).catch(() => null);
  if (found !== null) throw new CommandError(`${path} exists. Name another file with --out.`);
  return open(draft, 'wx').catch((error: unknown) => refuseFile(path, error));
}

function* asCsv(rows: Iterable<HistoryRow>, hasDevices: boolean): Generator<string> {
  const toCells = ({ app, phrase, country, date, position, device }: HistoryRow) => [
    app,
    phrase,
    country,
    date,
    position,
    ...(hasDevices ? [device] : []),
  ];
  yield writeCsv([[...historyHeader, ...(hasDevices ? ['Device'] : [])]]);
  let page: HistoryRow[] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length < rowsAtOnce) continue;
    yield writeCsv(page.map(toCells));
    page = [];
  }
  yield writeCsv(page.map(toCells));
}
