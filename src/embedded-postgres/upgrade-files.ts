import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterName } from './server-location.ts';

/** A cluster that another one replaced: `pgdata-17`. */
const replaced = /^pgdata-\d+$/;
/** A complete cluster that is about to replace the one whose state it names. */
const moved = /^pgdata-(\d+)-from-([0-9a-f]{16})$/;
const leftovers = [moved, /^pgdata-\d+(-[0-9a-f]{16})?\.backup$/, /^\.pgdata-.+\.partial$/];

export const replacedPath = (home: string, majorVersion: string): string =>
  join(home, `${clusterName}-${majorVersion}`);

export const movedPath = (home: string, majorVersion: string, state: string): string =>
  join(home, `${clusterName}-${majorVersion}-from-${state}`);

/** Without a state while the old server runs, which still changes it. */
export const dumpPath = (home: string, majorVersion: string, state?: string): string =>
  join(home, `${[clusterName, majorVersion, state].filter(Boolean).join('-')}.backup`);

/**
 * Names the state of a stopped cluster: every start of a server changes its control file. What was
 * made from another state is out of date, because an older release may have run meanwhile.
 */
export function readState(cluster: string): string {
  const control = readFileSync(join(cluster, 'global', 'pg_control'));
  return createHash('sha256').update(control).digest('hex').slice(0, 16);
}

/** The major versions of complete clusters that have not replaced the old one yet. */
export async function listMovedClusters(
  home: string,
): Promise<{ path: string; majorVersion: string }[]> {
  return (await readdir(home)).flatMap((name) => {
    const [, majorVersion] = moved.exec(name) ?? [];
    return majorVersion === undefined ? [] : [{ path: join(home, name), majorVersion }];
  });
}

export async function listReplacedClusters(home: string): Promise<string[]> {
  return (await readdir(home))
    .filter((name) => replaced.test(name))
    .map((name) => join(home, name));
}

/** Removes what upgrades left, except these paths. */
export async function removeLeftovers(home: string, except: readonly string[]): Promise<void> {
  const names = await readdir(home);
  const paths = names
    .filter((name) => leftovers.some((pattern) => pattern.test(name)))
    .map((name) => join(home, name))
    .filter((path) => !except.includes(path));
  for (const path of paths) await rm(path, { recursive: true, force: true, maxRetries: 3 });
}
