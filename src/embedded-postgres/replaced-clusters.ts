import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemClock } from '#lib/clock.ts';
import { draftPrefix } from './cluster.ts';
import { listReplacedClusters } from './upgrade-files.ts';

const keptMs = 7 * 86_400_000;
const fileName = 'kept-until';

/**
 * Deletes clusters that were replaced a week ago. Until then an operator can go back; the file
 * `kept-until` in the cluster has the time.
 */
export async function removeExpiredClusters(home: string): Promise<void> {
  for (const cluster of await listReplacedClusters(home)) {
    const until = (await readKeptUntil(cluster)) ?? (await writeKeptUntil(cluster));
    if (until > systemClock.now()) continue;
    const draft = join(home, `${draftPrefix}${basename(cluster)}`);
    await rename(cluster, draft);
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Returns the time until which the cluster stays. */
export async function writeKeptUntil(cluster: string): Promise<Date> {
  const until = new Date(systemClock.now().getTime() + keptMs);
  await writeFile(join(cluster, fileName), `${until.toISOString()}\n`, { flush: true });
  return until;
}

/** Null for a cluster that was replaced a moment before a kill, and for another text. */
async function readKeptUntil(cluster: string): Promise<Date | null> {
  const text = await readFile(join(cluster, fileName), 'utf8').catch(() => '');
  const until = new Date(text.trim());
  return Number.isNaN(until.getTime()) ? null : until;
}
