/** Folders as a graph of imports, which must have no cycle. */
import { posix } from 'node:path';
import { listImports } from './imports.ts';
import { replacedFiles, storeProfiles } from './module-boundaries.ts';
import { isIn, isScript, type Finding, type SourceText } from './source-tree.ts';

/** The first import that makes one folder depend on another. */
export interface Arrow {
  from: string;
  to: string;
  path: string;
  line: number;
}

/** Both ends of an import as folders; null when it joins no two folders of this graph. */
type Ends = (path: string, target: string) => [from: string, to: string] | null;

export function listArrows(files: readonly SourceText[], endsOf: Ends): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const file of files.filter(
    (one) => isScript(one) && isIn(one, 'src', 'simulator', 'web/src'),
  ))
    for (const { target, isOurs, line } of listImports(file)) {
      const [from, to] = (isOurs && endsOf(file.path, target)) || ['', ''];
      if (from !== to && !arrows.has(`${from} ${to}`))
        arrows.set(`${from} ${to}`, { from, to, path: file.path, line });
    }
  return [...arrows.values()];
}

/** Each cycle as the folders on its shortest way, the first one at the end again. */
export function findCycles(arrows: readonly Arrow[]): string[][] {
  const next = Map.groupBy(arrows, (arrow) => arrow.from);
  const known = new Set<string>();
  return [...next.keys()].flatMap((start) => {
    const way = known.has(start) ? null : findWayBack(start, next);
    for (const folder of way ?? []) known.add(folder);
    return way ? [way] : [];
  });
}

function findWayBack(start: string, next: Map<string, Arrow[]>): string[] | null {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const { to } of next.get(way.at(-1)!) ?? []) {
      if (to === start) return [...way, to];
      if (seen.has(to)) continue;
      seen.add(to);
      ways.push([...way, to]);
    }
  return null;
}

/**
 * The sibling folders that an import joins where the paths part, at any depth, modules included.
 * `simulator` and `web` are modules like the folders of `src`, and so are the profiles of stores.
 * Files directly in a module of the domain count as a folder.
 */
const siblingFolders: Ends = (path, target) => {
  const [from, to] = [segmentsOf(path), segmentsOf(target)];
  const shared = from.findIndex((segment, index) => segment !== to[index]);
  if (shared < 1 || shared >= from.length - 1 || shared >= to.length - 1) return null;
  const folder = (segments: string[]) => posix.join(...segments.slice(0, shared + 1));
  return [folder(from), folder(to)];
};

const segmentsOf = (path: string): string[] =>
  path
    .replace(storeProfiles, 'src/store-profiles/$1.ts')
    .replace(/^simulator\//, 'src/simulator/')
    .replace(/^web\/src\//, 'src/web/')
    .replace(/^(src\/domain\/[^/]+)\/([^/]+)$/, '$1/./$2')
    .split('/');

export function findFolderCycles(files: readonly SourceText[]): Finding[] {
  const known = files.filter((file) => !replacedFiles.includes(file.path));
  const arrows = listArrows(known, siblingFolders);
  return findCycles(arrows).map((way) => {
    const { path, line } = arrows.find(({ from, to }) => from === way[0] && to === way[1])!;
    return {
      path,
      line,
      problem: `these folders import one another in a cycle: ${way.join(' → ')}`,
    };
  });
}
