/** The files that lint has to read again since it last passed. `npm ci` clears the cache. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { listImports } from './rules/imports.ts';
import { root, type SourceText } from './rules/source-tree.ts';

export interface LintState {
  /** The hash of everything on which the types of any file may depend. */
  shared: string;
  /** By path. */
  hashes: Record<string, string>;
}

const file = `${root}node_modules/.cache/toprung/lint.json`;
const isCode = ({ path }: SourceText): boolean => /\.[jt]sx?$/.test(path);
/** Settings, versions, texts, and declarations that files see without importing them. */
const isShared = ({ path, text }: SourceText): boolean =>
  /\.(json|d\.ts)$/.test(path) ||
  (isCode({ path, text }) && /^declare (module|global)\b/m.test(text));

export function hashTree(tree: readonly SourceText[]): LintState {
  const shared = tree.filter(isShared).map(({ path, text }) => `${path}\0${text}`);
  const hashes = tree.filter(isCode).map(({ path, text }) => [path, hash(text)]);
  return { shared: hash(shared.join('\0')), hashes: Object.fromEntries(hashes) };
}

/**
 * Files that changed, and all that import them directly or not, because rules read types across
 * files. Null if every file may be affected.
 */
export function listStale(
  tree: readonly SourceText[],
  passed: LintState | null,
  now: LintState = hashTree(tree),
): string[] | null {
  if (passed?.shared !== now.shared) return null;
  const paths = new Set([...Object.keys(passed.hashes), ...Object.keys(now.hashes)]);
  const stale = [...paths].filter((path) => passed.hashes[path] !== now.hashes[path]);
  if (stale.length === 0) return [];
  const importers = listImporters(tree);
  const found = new Set(stale);
  // A set is walked in the order of insertion, with what is added on the way.
  for (const path of found) for (const importer of importers.get(path) ?? []) found.add(importer);
  return [...found].filter((path) => path in now.hashes).toSorted();
}

function listImporters(tree: readonly SourceText[]): Map<string, string[]> {
  const importers = new Map<string, string[]>();
  for (const source of tree.filter(isCode))
    for (const { target, isOurs } of listImports(source))
      if (isOurs) importers.set(target, [...(importers.get(target) ?? []), source.path]);
  return importers;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

export function readPassed(): LintState | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LintState;
  } catch {
    return null;
  }
}

export function writePassed(state: LintState): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(state));
}
