/** `node scripts/import-graph.ts`: the imports between the folders of src/domain. */
import { findCycles, listArrows } from './rules/folder-cycles.ts';
import { mayImport, moduleOf } from './rules/module-boundaries.ts';
import { readTree } from './rules/source-tree.ts';

const folderOf = (path: string): string | undefined =>
  /^src\/(domain\/[^/]+(\/[^/]+)?)\/[^/]+/.exec(path)?.[1];
const moduleOfFolder = (folder: string): string => moduleOf(`src/${folder}/`)!;

const arrows = listArrows(readTree(), (path, target) => {
  const [from, to] = [folderOf(path), folderOf(target)];
  return from !== undefined && to !== undefined ? [from, to] : null;
});
const upward = arrows.filter(({ from, to }) => {
  const [module, other] = [moduleOfFolder(from), moduleOfFolder(to)];
  return module !== other && !mayImport(module, other);
});
const cycles = findCycles(arrows);

const byFolder = Object.entries(Object.groupBy(arrows, ({ from }) => from)).toSorted();
for (const [from, own] of byFolder)
  console.log(`${from} → ${own!.map(({ to }) => to.replace('domain/', '')).join(', ')}`);
console.log(
  `${arrows.length} import arrows between the folders of src/domain, ${upward.length} upward, ` +
    `${cycles.length} cycles`,
);
for (const { from, to, path, line } of upward)
  console.log(`upward: ${from} → ${to}  ${path}:${line}`);
for (const way of cycles) console.log(`cycle: ${way.join(' → ')}`);
