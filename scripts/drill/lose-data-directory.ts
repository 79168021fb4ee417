import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findNewestBackup } from '#backups/backup-paths.ts';
import { databaseName } from '#boot/database-name.ts';
import { createClient, type Client } from '#client/http.ts';
import { findRunningServer } from '#embedded-postgres/running-server.ts';
import { startToprung } from '#tests/harness/process.ts';
import {
  killPostgres,
  removeDataDir,
  signUpAt,
  startProduct,
  type Product,
} from '#tests/harness/product.ts';
import { compareAll, timed, trackKeywords, type Drill } from './drill.ts';

/** Keyword markets that are added to the restored instance. */
export const addedAfterRestore = 5;

/**
 * Tracks keywords, makes a backup, kills everything, deletes the data directory and restores the
 * newest backup. Leaves the data directory of a stopped instance.
 */
export async function loseDataDirectory(drill: Drill, dataDir: string): Promise<{ token: string }> {
  const { say, markets, folder, simulator } = drill;
  const backups = join(folder, 'backups');
  say('1. The data directory is lost, and the last backup restored.');
  let product = await timed(
    drill,
    () => 'a new instance with its own database is up',
    () => startProduct({ simulator, dataDir }),
  );
  try {
    const { token, client } = await signUpAt(product.apiUrl);
    await track(drill, client, dataDir, { from: 0, to: markets });
    await timed(
      drill,
      () => 'toprung backup',
      () => runCommand(['backup', '--to', `${backups}/`], dataDir),
    );
    await loseEverything(product, dataDir);
    say('             Every process was killed and the data directory deleted.');
    const lostMs = performance.now();
    const file = await findNewestFile(backups);
    await timed(
      drill,
      () => 'toprung restore, of the newest file',
      () => runCommand(['restore', file], dataDir),
    );
    product = await timed(
      drill,
      () => 'the restored instance is up',
      () => startProduct({ simulator, dataDir }),
    );
    const outage = ((performance.now() - lostMs) / 1_000).toFixed(1);
    say(`             It serves again ${outage} s after the loss.`);
    // A token of before still works, and so does new work.
    await track(drill, createClient({ baseUrl: product.apiUrl, token }), dataDir, {
      from: markets,
      to: markets + addedAfterRestore,
    });
    return { token };
  } finally {
    await product.stop().catch(() => undefined);
  }
}

async function track(
  drill: Drill,
  client: Client,
  dataDir: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const urlOf = await findRunningServer(dataDir);
  await timed(
    drill,
    (rows) => `${to - from} keyword markets were added; ${rows} positions are true`,
    async () => {
      await trackKeywords(client, from, to);
      return compareAll(drill, urlOf(databaseName));
    },
  );
}

async function loseEverything({ child }: Product, dataDir: string): Promise<void> {
  const killed = child.kill('SIGKILL');
  await killPostgres(dataDir);
  await killed;
  await removeDataDir(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}

async function findNewestFile(folder: string): Promise<string> {
  const at = await findNewestBackup(folder, new Date());
  if (at === null) throw new Error('the backup is not in its directory');
  return join(folder, `toprung-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.backup`);
}

async function runCommand(args: string[], dataDir: string): Promise<void> {
  const child = startToprung(args, { DATA_DIR: dataDir });
  const { code } = await child.exited;
  if (code !== 0)
    throw new Error(`toprung ${args.join(' ')} ended with ${code}: ${child.output()}`);
}
