import { findDeadPaths, findDeadScripts, findStaleRooms } from './links.ts';
import { findLockTroubles } from './lockfile.ts';
import { findSlowRegexes } from './regexes.ts';
import { findBadNames, findLong } from './shape.ts';
import { findBannedCode, findPromises } from './source.ts';
import type { Finding, Rule, SourceText } from './tree.ts';
import { findWallBreaks } from './walls.ts';

export const rules: Record<string, Rule> = {
  walls: findWallBreaks,
  code: findBannedCode,
  promises: findPromises,
  regexes: findSlowRegexes,
  names: findBadNames,
  lengths: findLong,
  paths: findDeadPaths,
  scripts: findDeadScripts,
  rooms: findStaleRooms,
  lockfile: findLockTroubles,
};

export function runRules(files: readonly SourceText[]): Finding[] {
  return Object.values(rules).flatMap((rule) => rule(files));
}
