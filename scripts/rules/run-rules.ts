import { findContractingMigrations } from './contracting-migrations.ts';
import { findFolderCycles } from './folder-cycles.ts';
import { findDeadPaths, findDeadScripts, findOutsideCitations, findStaleModules } from './links.ts';
import { findLockfileProblems } from './lockfile.ts';
import { findLongLines } from './long-lines.ts';
import { findSlowRegexes } from './regexes.ts';
import { findBadNames, findLong } from './names-and-lengths.ts';
import { findBannedCode, findUnfinishedWork } from './banned-code.ts';
import type { Finding, Rule, SourceText } from './source-tree.ts';
import { findBoundaryViolations } from './module-boundaries.ts';
import { checkWords } from './words.ts';
import { findStoreNames, findUnlistedStores } from './store-names.ts';

/** Each holds for every file that git knows. */
export const rules: Record<string, Rule> = {
  boundaries: findBoundaryViolations,
  cycles: findFolderCycles,
  code: findBannedCode,
  promises: findUnfinishedWork,
  regexes: findSlowRegexes,
  names: findBadNames,
  lengths: findLong,
  paths: findDeadPaths,
  scripts: findDeadScripts,
  citations: findOutsideCitations,
  modules: findStaleModules,
  storeNames: findStoreNames,
  storeList: findUnlistedStores,
  words: checkWords,
  longLines: findLongLines,
  lockfile: findLockfileProblems,
  contractions: findContractingMigrations,
};

export function runRules(files: readonly SourceText[]): Finding[] {
  return Object.values(rules).flatMap((rule) => rule(files));
}
