import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CommandError } from '#lib/command-error.ts';
import { refuseFile } from '../refuse-file.ts';
import { openAstro } from './astro.ts';
import { readSchema } from './database-schema.ts';
import type { HistoryDatabase } from './history-row.ts';
import { openKeywordista } from './keywordista.ts';
import { openSerpBear } from './serpbear.ts';

const openers = [openKeywordista, openSerpBear, openAstro];

/**
 * Opens a copy of another tool's database, so that the original is never written, with its log that
 * is not merged yet. Throws CommandError for a file that is none, or of an unknown tool.
 */
export async function withHistory<Result>(
  path: string,
  work: (history: HistoryDatabase) => Promise<Result>,
): Promise<Result> {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new CommandError(`${path} is not a file.`);
  const folder = await mkdtemp(join(tmpdir(), 'toprung-history-'));
  try {
    const copy = join(folder, basename(path));
    await copyFile(path, copy).catch((error: unknown) => refuseFile(path, error));
    for (const end of ['-wal', '-shm'])
      await copyFile(`${path}${end}`, `${copy}${end}`).catch(ignoreMissing);
    const database = await open(copy, path);
    try {
      return await work(recognise(database, path));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ERR_SQLITE_ERROR')
        throw new CommandError(`${path} is damaged: ${message}. Use a backup of it.`);
      // An integer beyond 2^53, which is no position and no id.
      if (code === 'ERR_OUT_OF_RANGE')
        throw new CommandError(`${path} cannot be converted: ${message}. Correct it in a copy.`);
      throw error;
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Loads the module here: the bundler would load an import of this file with the program. */
async function open(copy: string, path: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(copy);
  try {
    // A foreign schema may call functions in defaults and indexes.
    database.exec('pragma trusted_schema = off; pragma query_only = on');
    readSchema(database);
    return database;
  } catch (error) {
    database.close();
    const { message } = error as Error;
    throw new CommandError(`${path} is not an SQLite database, or is damaged: ${message}.`);
  }
}

function recognise(database: DatabaseSync, path: string): HistoryDatabase {
  const schema = readSchema(database);
  for (const opener of openers) {
    const history = opener(database, schema);
    if (history) return history;
  }
  throw new CommandError(
    `${path} is not a known database of Keywordista, SerpBear or Astro. Its tables: ` +
      `${[...schema.keys()].slice(0, 20).join(', ') || 'none'}. Export it as CSV, and map the ` +
      'columns in the import.',
  );
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
